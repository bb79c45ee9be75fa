// value: {ticket, name, words} or null. Emits "ticket" when the studio no longer knows the ticket.
const S = window.Sprightly;
const find = (name) => element.querySelector(`.sp-live-${name}`);
const stage = find("stage"), canvas = stage.querySelector("canvas"), veil = find("veil"), line = find("line");
const pen = canvas.getContext("2d");
const now = { picture: null, head: null, pixel: false, modes: [], mode: "", status: "closed", paused: false, recording: false, script: "" };
const times = [], waits = [];
let words = {};

const input = new LiveInput(stage, () => {
  link.input(input.byte, input.yaw, input.pitch, now.status === "playing");
  caps();
});
const link = new LiveLink({
  frame: (picture, head) => {
    now.picture?.close();
    Object.assign(now, { picture, head, fresh: true });
    const spent = link.answered(head.seq);
    if (spent !== null) waits.push(spent) > 40 && waits.shift();
    times.push(performance.now()) > 60 && times.shift();
    if (now.script) caps(head.keys);
    if (now.status !== "playing") set("playing");
  },
  told: (message) => ({
    waiting: () => set("waiting", message.place),
    warming: () => set("warming"),
    ready: () => { Object.assign(now, { modes: message.modes, mode: message.mode, pixel: message.pixel, paused: false }); controls(); },
    mode: () => { now.mode = message.mode; controls(); },
    record: () => { now.recording = message.on; now.clip = message.clip; controls(); },
    script: () => { now.script = ""; controls(); caps(); },
    sorry: () => { now.sorry = message.text || words.bug; set("sorry"); },
    asleep: () => set("asleep"),
  })[message.t]?.(),
  state: (name) => {
    if (name === "stale") return trigger("ticket");
    if (name === "open") { input.release(); link.input(input.byte, 0, 0, false); }
    if (name === "connecting" && now.status !== "lost") set("warming");
    if (name === "lost" && !["asleep", "sorry"].includes(now.status)) set("lost");
    if (name === "lost" && ["asleep", "sorry"].includes(now.status)) link.close();
    if (name === "closed" && now.status === "playing") set("closed");
  },
});

const set = (status, place) => {
  now.status = status;
  stage.dataset.status = status;
  veil.hidden = status === "playing";
  veil.classList.toggle("is-thin", ["warming", "lost"].includes(status) && !!now.picture);
  const text = { closed: words.start, waiting: `${words.waiting} ${place}`, sorry: now.sorry }[status] || words[status] || "";
  const hint = { closed: words.start_hint, warming: words.warming_hint, sorry: words.start, asleep: words.start }[status];
  veil.replaceChildren(text, ...(hint && !veil.classList.contains("is-thin") ? [S.h("small", {}, hint)] : []));
};
const start = () => {
  if (!props.value?.ticket) return;
  stage.focus({ preventScroll: true });
  if (["closed", "asleep", "sorry"].includes(now.status)) link.open(props.value.ticket);
};
veil.addEventListener("click", start);
stage.addEventListener("pointerdown", () => { if (document.activeElement !== stage) stage.focus({ preventScroll: true }); });

const tool = (text, press, on, extra = "") => S.h("button", { type: "button", class: `sp-small ${on ? "is-on" : ""} ${extra}`, "aria-pressed": String(!!on), onclick: press }, text);
const pick = S.h("input", { type: "file", accept: "image/*,.json", multiple: true, onchange: async () => {
  if (!pick.files.length) return;
  try {
    Scene.current = await Scene.fromFiles(pick.files);
    if (Scene.current.ground) Scene.ground = Math.min(0.98, Math.max(0.3, Scene.current.ground));
    ground();
  } catch { scene_note.textContent = words.scene_bad; }
  pick.value = "";
  controls();
} });
const scene_note = S.h("p", {}, "");
const controls = () => {
  const order = (message) => () => { link.send(message); stage.focus({ preventScroll: true }); };
  const part = (title, ...rest) => S.h("section", {}, S.h("h3", { class: "sp-heading" }, title), ...rest);
  const modes = now.modes.length ? now.modes : ["puppet"];
  find("do").replaceChildren(
    part(words.drawn_by, S.h("div", { class: "sp-choices" }, modes.map((mode) => tool(words[`mode_${mode}`], order({ t: "mode", mode }), mode === now.mode))),
      S.h("p", {}, words[`mode_${now.mode}_hint`] || "")),
    part(words.scene, S.h("div", { class: "sp-pair" },
      tool(words.meadow, () => { Scene.current = null; Scene.ground = 0.8; ground(); controls(); }, !Scene.current), tool(words.own_scene, () => pick.click(), !!Scene.current)), pick, scene_note, S.h("p", {}, words.scene_hint)),
    part(words.play, S.h("div", { class: "sp-pair" },
      tool(now.paused ? words.go_on : words.pause, () => { now.paused = !now.paused; order({ t: "pause", on: now.paused })(); controls(); }, now.paused),
      tool(words.single, () => { now.paused = true; order({ t: "step" })(); controls(); }),
      tool(words.again, order({ t: "reset" })),
      tool(now.recording ? words.record_stop : words.record, order({ t: "record", on: !now.recording }), now.recording, now.recording ? "is-rec" : "")),
      S.h("p", { class: "sp-live-kept" }, now.recording ? words.recording : now.clip ? words.recorded : "")),
    part(words.script, S.h("div", { class: "sp-choices" }, ["clouds", "tour"].map((name) =>
      tool(words[`script_${name}`], () => { now.script = name; order({ t: "script", name })(); controls(); }, now.script === name)))));
};

const label = (code) => ({ Space: "Space", ShiftLeft: "Shift", ShiftRight: "Shift", ArrowUp: "↑", ArrowDown: "↓", ArrowLeft: "←", ArrowRight: "→" })[code] || code.replace(/^Key|^Digit/, "");
const shown_keys = {};
const caps = (byte = input.byte) => LiveInput.names.forEach((name, bit) => shown_keys[name]?.classList.toggle("is-held", !!(byte & (1 << bit))));
const keys = () => {
  const key = (name) => Object.keys(input.map).find((code) => input.map[code] === name);
  find("keys").replaceChildren(...["left", "right", "forward", "back", "jump", "run", "attack", "hurt"].map((name) => {
    const hold = (down) => (event) => { event.preventDefault(); if (down) { stage.focus({ preventScroll: true }); event.target.setPointerCapture?.(event.pointerId); } input.touch(name, down); };
    return (shown_keys[name] = S.h("button", { type: "button", class: "sp-cap", tabindex: "-1", "aria-label": words[`key_${name}`], onpointerdown: hold(true), onpointerup: hold(false), onpointercancel: hold(false) },
      label(key(name) || "–"), S.h("small", {}, words[`key_${name}`])));
  }));
  map.replaceChildren(...LiveInput.names.flatMap((name) => [S.h("span", {}, words[`key_${name}`]), tool(label(key(name) || "–"), (event) => {
    const button = event.currentTarget;
    button.textContent = words.press_key;
    button.addEventListener("keydown", (pressed) => {
      pressed.preventDefault();
      pressed.stopPropagation();
      if (pressed.code !== "Escape") input.assign(name, pressed.code);
      keys();
    }, { once: true });
    button.addEventListener("blur", keys, { once: true });
  })]));
};
const map = S.h("div", { class: "sp-map" }), numbers = S.h("dl", { class: "sp-facts" }), bars = S.h("div", { class: "sp-bars" });
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const tell = () => {
  const head = now.head;
  if (!head || now.status !== "playing") return;
  const fps = times.length > 1 ? ((times.length - 1) * 1000) / (times.at(-1) - times[0]) : 0;
  Object.assign(stage.dataset, { state: head.state, x: head.x, y: head.y, side: head.side, fps: fps.toFixed(1), latency: waits.length ? median(waits).toFixed(1) : "", tick: head.tick });
  const rows = [[words.fps, fps.toFixed(0)], [words.latency, waits.length ? `${median(waits).toFixed(0)} ms` : "–"], [words.per_frame, `${head.ms} ms`],
    [words.doing, words[`state_${head.state}`]], [words.speed, `${head.speed.toFixed(1)} m/s`], [words.drift, head.drift.map((value) => value.toFixed(2)).join(" · ")],
    [words.anchored, head.anchored], [words.history, head.remembered]];
  numbers.replaceChildren(...rows.flatMap(([name, value]) => [S.h("dt", {}, name), S.h("dd", {}, String(value))]));
  const weights = head.weights.length ? head.weights : Array(head.remembered).fill(0);
  bars.replaceChildren(...weights.map((weight) => S.h("i", { style: `height:${Math.round(100 * weight)}%`, title: weight.toFixed(2) })));
};
setInterval(tell, 250);

const ground = () => { line.style.top = `${100 * Scene.ground}%`; };
line.addEventListener("pointerdown", (event) => {
  event.stopPropagation();
  line.setPointerCapture(event.pointerId);
  line.classList.add("is-dragged");
});
line.addEventListener("pointermove", (event) => {
  if (!line.classList.contains("is-dragged")) return;
  const box = stage.getBoundingClientRect();
  Scene.ground = Math.min(0.98, Math.max(0.3, (event.clientY - box.top) / box.height));
  ground();
});
line.addEventListener("pointerup", () => line.classList.remove("is-dragged"));

const paint = (time) => {
  requestAnimationFrame(paint);
  if (!stage.offsetParent) { if (now.status === "playing") { link.close(); set("closed"); } return; }
  input.pads();
  const dense = Math.min(devicePixelRatio || 1, 2), wide = Math.round(stage.clientWidth * dense), high = Math.round(stage.clientHeight * dense);
  if (canvas.width !== wide || canvas.height !== high) [canvas.width, canvas.height] = [wide, high];
  else if (!now.fresh && (now.status !== "closed" || now.drawn)) return;
  Object.assign(now, { fresh: false, drawn: true });
  const { picture, head } = now, side = picture?.width || 128;
  let cell = high * 0.62;
  if (now.pixel) cell = Math.max(1, Math.floor(cell / side)) * side;
  const [cx, cy] = head?.camera || [0, 0], floor = high * Scene.ground;
  pen.save();
  pen.translate(0, Math.min(cy * cell, floor * 0.5) * 0.35);
  Scene.draw(pen, wide, high, cx * cell, S.calm() ? 0 : time / 1000);
  pen.restore();
  if (!picture) return;
  const x = wide / 2 + (head.x - cx) * cell, foot = floor + Math.min(cy * cell, floor * 0.5) * 0.35, y = foot - head.y * cell;
  pen.fillStyle = "rgba(0,0,0,.28)";
  pen.beginPath();
  pen.ellipse(x, foot, cell * 0.17 / (1 + head.y), cell * 0.028 / (1 + head.y), 0, 0, 7);
  pen.fill();
  pen.imageSmoothingEnabled = !now.pixel;
  pen.imageSmoothingQuality = "high";
  pen.drawImage(picture, Math.round(x - cell * 0.5), Math.round(y - cell * 0.86), cell, cell);
};

const draw = () => {
  const value = props.value;
  words = value?.words || words;
  if (!value?.ticket) { link.close(); now.status = "closed"; return set("closed"); }
  stage.setAttribute("aria-label", `${words.stage} ${value.name}`);
  line.setAttribute("aria-label", words.ground);
  const again = now.ticket && now.status !== "closed" && value.character === now.character;
  if (value.character !== now.character) { link.close(); now.picture = now.head = null; Object.assign(now, { modes: [], mode: "", clip: "", drawn: false }); set("closed"); }
  Object.assign(now, { ticket: value.ticket, character: value.character });
  if (again && !link.socket) link.open(value.ticket);
  find("tell").replaceChildren(S.h("section", {}, S.h("h3", { class: "sp-heading" }, words.numbers), numbers),
    S.h("section", {}, S.h("h3", { class: "sp-heading" }, words.history_weights), bars, S.h("p", {}, words.history_hint)),
    S.h("section", {}, S.h("h3", { class: "sp-heading" }, words.keys), map, tool(words.keys_usual, () => { input.assign(null); keys(); }), S.h("p", {}, words.keys_hint)));
  controls();
  keys();
  ground();
  if (now.status === "closed") set("closed");
};
watch("value", draw);
draw();
requestAnimationFrame(paint);
