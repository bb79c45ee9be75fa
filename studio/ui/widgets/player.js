// Sprightly.Player: one animated sprite on a canvas. Times are milliseconds; every frame keeps its own duration.
(() => {
  const S = window.Sprightly;
  if (S.Player) return;
  const REST = 650; // pause after a clip that plays once, so that its end can be seen

  class Player {
    constructor(screen, { label = "", zoom = "fit" } = {}) {
      this.canvas = S.h("canvas", { role: "img", "aria-label": label });
      this.screen = screen;
      screen.classList.add("sp-ground");
      screen.replaceChildren(this.canvas);
      Object.assign(this, { zoom, speed: 1, onion: false, playing: false, at: 0, last: 0, changed: () => {} });
      this.watcher = new ResizeObserver(() => this.fit());
      this.watcher.observe(screen);
      this.visible = new IntersectionObserver(([entry]) => { this.seen = entry.isIntersecting; this.wake(); });
      this.visible.observe(screen);
    }

    // strip: frames side by side, `columns` to a row
    async show({ url, count, columns = count, durations, loop = false, pixel = false, size }) {
      const ticket = (this.ticket = (this.ticket || 0) + 1);
      const strip = await S.loadImage(url).catch(() => null);
      if (ticket !== this.ticket) return;
      this.strip = strip;
      if (!strip) return this.draw();
      this.count = Math.max(1, count | 0);
      this.columns = Math.max(1, columns | 0);
      this.width = strip.width / this.columns;
      this.height = strip.height / Math.ceil(this.count / this.columns);
      this.cell = size || this.width;
      this.pixel = pixel;
      this.loop = loop;
      this.ends = [];
      for (let i = 0, sum = 0; i < this.count; i += 1) this.ends.push((sum += Math.max(1, durations?.[i] ?? 100)));
      this.at = 0;
      this.fit();
      if (!S.calm() && this.count > 1) this.play();
      else this.changed();
    }

    get total() { return this.ends ? this.ends[this.count - 1] + (this.loop ? 0 : REST) : 1; }

    get frame() {
      if (!this.ends) return 0;
      const found = this.ends.findIndex((end) => this.at < end);
      return found < 0 ? this.count - 1 : found;
    }

    set frame(number) {
      if (!this.ends) return;
      const wrapped = ((number % this.count) + this.count) % this.count;
      this.at = wrapped ? this.ends[wrapped - 1] : 0;
      this.draw();
      this.changed();
    }

    play() { this.playing = true; this.last = 0; this.wake(); this.changed(); }
    pause() { this.playing = false; this.changed(); }
    toggle() { this.playing ? this.pause() : this.play(); }
    step(by) { this.pause(); this.frame = this.frame + by; }

    wake() {
      if (this.waiting || !this.playing || !this.seen || !this.strip) return;
      this.waiting = true;
      requestAnimationFrame((now) => { this.waiting = false; this.tick(now); });
    }

    tick(now) {
      if (!this.canvas.isConnected) return this.stop();
      const before = this.frame;
      this.at = (this.at + (this.last ? now - this.last : 0) * this.speed) % this.total;
      this.last = this.playing && this.seen ? now : 0;
      if (this.frame !== before) { this.draw(); this.changed(); }
      this.wake();
    }

    fit() {
      if (!this.strip) return;
      const box = this.screen.getBoundingClientRect();
      if (!box.width || !box.height) return;
      const dpr = window.devicePixelRatio || 1;
      const room = Math.min(box.width / this.width, box.height / this.height) * dpr;
      // Whole device pixels per art pixel keep pixel art square; painted art fills the room.
      let scale = this.zoom === "fit" ? room : Number(this.zoom) * dpr;
      if (this.zoom === "fit" && this.pixel && room >= 1) scale = Math.floor(room);
      this.canvas.width = Math.max(1, Math.round(this.width * scale));
      this.canvas.height = Math.max(1, Math.round(this.height * scale));
      this.canvas.style.width = `${this.canvas.width / dpr}px`;
      this.canvas.style.height = `${this.canvas.height / dpr}px`;
      this.draw();
    }

    cel(number, alpha, tint) {
      const context = this.canvas.getContext("2d");
      const x = (number % this.columns) * this.width, y = Math.floor(number / this.columns) * this.height;
      let source = this.strip, from = [x, y];
      if (tint) {
        source = document.createElement("canvas");
        source.width = this.width;
        source.height = this.height;
        const brush = source.getContext("2d");
        brush.drawImage(this.strip, x, y, this.width, this.height, 0, 0, this.width, this.height);
        brush.globalCompositeOperation = "source-atop";
        brush.globalAlpha = 0.65;
        brush.fillStyle = tint;
        brush.fillRect(0, 0, this.width, this.height);
        from = [0, 0];
      }
      context.globalAlpha = alpha;
      context.imageSmoothingEnabled = !this.pixel;
      context.imageSmoothingQuality = "high";
      context.drawImage(source, ...from, this.width, this.height, 0, 0, this.canvas.width, this.canvas.height);
    }

    draw() {
      const context = this.canvas.getContext("2d");
      context.clearRect(0, 0, this.canvas.width, this.canvas.height);
      if (!this.strip || !this.ends) return;
      if (this.onion && this.count > 1) {
        const now = this.frame, near = (by) => (now + by + this.count) % this.count;
        if (this.loop || now > 0) this.cel(near(-1), 0.38, "#ff5a5a");
        if (this.loop || now < this.count - 1) this.cel(near(1), 0.38, "#4aa8ff");
      }
      this.cel(this.frame, 1);
    }

    stop() {
      this.playing = false;
      this.watcher.disconnect();
      this.visible.disconnect();
    }
  }
  S.Player = Player;

  // The full transport under a player; `keys` on the frame: space, arrows, O, B.
  S.transport = (player, { compact = false } = {}) => {
    const { h, button } = S;
    const play = button("pause", S.say("pause"), () => player.toggle());
    const count = h("span", { class: "sp-count", "aria-live": "off" });
    const slide = h("input", { type: "range", min: 0, value: 0, class: "sp-scrub", "aria-label": S.say("frame"),
      oninput: () => { player.pause(); player.frame = Number(slide.value); } });
    const speed = h("select", { class: "sp-mini", "aria-label": S.say("speed"), title: S.say("speed"),
      onchange: () => { player.speed = Number(speed.value); } },
      [[0.25, "¼×"], [0.5, "½×"], [1, "1×"], [2, "2×"]].map(([value, text]) => h("option", { value, selected: value === 1 }, text)));
    const zoom = h("select", { class: "sp-mini", "aria-label": S.say("zoom"), title: S.say("zoom"),
      onchange: () => { player.zoom = zoom.value; player.fit(); } },
      [["fit", S.say("fit")], [1, "1×"], [2, "2×"], [3, "3×"], [4, "4×"], [6, "6×"], [8, "8×"]].map(([value, text]) => h("option", { value }, text)));
    const onion = button("onion", S.say("onion"), () => flip(), { "aria-pressed": "false" });
    const flip = () => { player.onion = !player.onion; onion.setAttribute("aria-pressed", player.onion); player.draw(); };
    player.changed = () => {
      const label = S.say(player.playing ? "pause" : "play");
      if (play.title !== label) {
        play.replaceChildren(S.icon(player.playing ? "pause" : "play"));
        play.title = label;
        play.setAttribute("aria-label", label);
      }
      slide.max = (player.count || 1) - 1;
      slide.value = player.frame;
      slide.style.setProperty("--at", `${(100 * player.frame) / Math.max(1, (player.count || 1) - 1)}%`);
      count.textContent = `${player.frame + 1}/${player.count || 1}`;
    };
    const bar = compact ? [play, slide, count]
      : [button("back", S.say("frame_back"), () => player.step(-1)), play, button("next", S.say("frame_on"), () => player.step(1)),
        slide, count, speed, zoom, onion, button("ground", S.say("ground"), S.nextGround)];
    const keys = (event) => {
      if (S.typing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = { " ": () => player.toggle(), ArrowLeft: () => player.step(-1), ArrowRight: () => player.step(1),
        o: flip, O: flip, b: S.nextGround, B: S.nextGround }[event.key];
      if (!act || (event.key === " " && event.target.closest("button")) || (event.key.startsWith("Arrow") && event.target === slide)) return;
      event.preventDefault();
      act();
    };
    const line = h("div", { class: "sp-bar" }, bar);
    if (!compact) new ResizeObserver(([entry]) => line.classList.toggle("is-narrow", entry.contentRect.width < 380)).observe(line);
    return { bar: line, keys };
  };
})();
