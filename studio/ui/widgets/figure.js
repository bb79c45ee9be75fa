// Sprightly.Figure: a small person that plays a motion, drawn from joints in the page. `frames`: [[ [x, y], ... 21 ]], 0..1.
(() => {
  const S = window.Sprightly;
  if (S.Figure) return;
  const ORDER = { pelvis: 0, chest: 1, neck: 2, head: 3, ls: 4, le: 5, lw: 6, rs: 7, re: 8, rw: 9, lh: 10, lk: 11, la: 12, rh: 13, rk: 14, ra: 15, lt: 16, rt: 17, crown: 18, weapon: 19 };
  const FAR = [["ls", "le", "lw"], ["lh", "lk", "la", "lt"]];
  const NEAR = [["rh", "rk", "ra", "rt"], ["rs", "re", "rw"]];

  class Figure {
    constructor(canvas, frames, fps, armed) {
      Object.assign(this, { canvas, frames, fps, armed, on: false, start: performance.now() });
      new IntersectionObserver(([entry]) => { this.on = entry.isIntersecting; if (this.on) this.turn(); }).observe(canvas);
      new ResizeObserver(() => this.paint()).observe(canvas);
    }

    turn() {
      if (!this.on || !this.canvas.isConnected) return;
      this.paint();
      if (!S.calm()) setTimeout(() => requestAnimationFrame(() => this.turn()), 1000 / this.fps - 8);
    }

    paint() {
      const dpr = window.devicePixelRatio || 1, box = this.canvas.getBoundingClientRect();
      if (!box.width) return;
      if (this.canvas.width !== Math.round(box.width * dpr)) {
        this.canvas.width = Math.round(box.width * dpr);
        this.canvas.height = Math.round(box.height * dpr);
      }
      const pose = this.frames[Math.floor(((performance.now() - this.start) / 1000) * this.fps) % this.frames.length];
      const pen = this.canvas.getContext("2d"), style = getComputedStyle(this.canvas);
      const w = this.canvas.width, h = this.canvas.height, side = Math.min(w, h);
      const at = (name) => [w / 2 + (pose[ORDER[name]][0] - 0.5) * side, h / 2 + (pose[ORDER[name]][1] - 0.5) * side];
      const stroke = (names, width, colour) => {
        pen.strokeStyle = colour;
        pen.lineWidth = width * side;
        pen.beginPath();
        names.forEach((name, i) => pen[i ? "lineTo" : "moveTo"](...at(name)));
        pen.stroke();
      };
      const near = style.getPropertyValue("--near").trim(), far = style.getPropertyValue("--far").trim();
      pen.clearRect(0, 0, w, h);
      pen.lineCap = pen.lineJoin = "round";
      FAR.forEach((limb, i) => stroke(limb, i ? 0.05 : 0.042, far));
      stroke(["pelvis", "chest"], 0.105, near);
      stroke(["chest", "neck"], 0.05, near);
      const head = at("head"), crown = at("crown");
      pen.fillStyle = near;
      pen.beginPath();
      pen.arc(...head, Math.max(0.055 * side, Math.hypot(head[0] - crown[0], head[1] - crown[1])), 0, 7);
      pen.fill();
      NEAR.slice(0, 1).forEach((limb) => stroke(limb, 0.056, near));
      if (this.armed) stroke(["rw", "weapon"], 0.022, style.getPropertyValue("--blade").trim());
      stroke(NEAR[1], 0.047, style.getPropertyValue("--arm").trim());
    }
  }
  S.Figure = Figure;
})();
