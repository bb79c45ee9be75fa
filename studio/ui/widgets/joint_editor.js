// value: {art, width, height, pixel, parts, ground: [x, y], joints: {name: [x, y, confidence] | null}, bones: [[a, b]], labels: {name: text}, words, rev}
// Emits "moved" with the whole set in value.joints after every finished gesture, "parts" when the part map is wanted.
const S = window.Sprightly;
const stage = element.querySelector(".sp-joint-stage");
const foot = element.querySelector(".sp-joint-foot");
const side = (name) => (name.startsWith("l_") || name === "offhand_tip" ? "left" : name.startsWith("r_") || name === "weapon_tip" ? "right" : "middle");
let late = false, joints = {}, picked = null, past = [], future = [], view = null, dots = {}, lines = [], unit = 1, drag = null;

const copy = () => structuredClone(joints);
const emit = () => {
  props.value = { ...props.value, joints: copy() };
  trigger("moved");
};
const change = (act) => {
  past.push(copy());
  future = [];
  act();
  settle();
};
const settle = () => { paint(); emit(); };
const travel = (from, to) => {
  if (!from.length) return;
  to.push(copy());
  joints = from.pop();
  settle();
};

const undo = S.button("undo", S.say("undo"), () => travel(past, future));
const redo = S.button("redo", S.say("redo_joint"), () => travel(future, past));
const remove = S.button("trash", S.say("no_joint"), () => hide(picked));
const parts = S.button("parts", S.say("show_parts"), () => {
  parts.setAttribute("aria-pressed", parts.getAttribute("aria-pressed") !== "true");
  props.value = { ...props.value, show_parts: parts.getAttribute("aria-pressed") === "true" };
  if (!props.value.show_parts) return paint();
  // The map is drawn on demand: it follows the joints, and computing it takes a moment.
  parts.classList.add("is-busy");
  trigger("parts");
}, { "aria-pressed": "false" });
const name = S.h("span", { class: "sp-joint-name", "aria-live": "polite" });
element.querySelector(".sp-joint-bar").append(undo, redo, remove, parts,
  S.button("ground", S.say("ground"), S.nextGround), name,
  S.h("span", { class: "sp-legend" }, S.h("i", { class: "is-left" }), S.say("left"), S.h("i", { class: "is-right" }), S.say("right")));

const hide = (which) => which && joints[which] && change(() => { joints[which] = null; picked = null; });
const restore = (which) => change(() => {
  const bone = props.value.bones.find(([, child]) => child === which);
  const near = joints[bone?.[0]] || [props.value.width / 2, props.value.height / 2];
  joints[which] = [near[0] + 12 * unit, near[1] + 12 * unit, 1];
  picked = which;
});

const where = (event) => {
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(view.getScreenCTM().inverse());
  return [Math.max(0, Math.min(props.value.width, point.x)), Math.max(0, Math.min(props.value.height, point.y))];
};
const shape = (which, radius) => {
  if (side(which) === "left") return S.svg("rect", { x: -radius, y: -radius, width: 2 * radius, height: 2 * radius, rx: radius * 0.2 });
  if (side(which) === "right") return S.svg("circle", { r: radius });
  return S.svg("path", { d: `M0 ${-radius * 1.25}L${radius * 1.25} 0 0 ${radius * 1.25} ${-radius * 1.25} 0z` });
};

const make = () => {
  const { art, width, height, pixel, bones, labels } = props.value;
  view = S.svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "xMidYMid meet" });
  view.append(S.svg("image", { href: S.safeUrl(art), width, height, style: `image-rendering:${pixel ? "pixelated" : "auto"}` }));
  view.append(S.svg("g", { class: "sp-back" }));
  lines = bones.map(([a, b]) => {
    const line = S.svg("line", { class: `sp-bone is-${side(b)}` });
    view.append(line);
    return [a, b, line];
  });
  dots = {};
  for (const which of Object.keys(labels)) {
    const dot = S.svg("g", { class: `sp-dot is-${side(which)}`, tabindex: 0, role: "button", "aria-label": labels[which],
      onfocus: () => { picked = which; paint(); },
      onpointerdown: (event) => {
        event.preventDefault();
        dot.focus();
        dot.setPointerCapture(event.pointerId);
        drag = { which, before: copy(), moved: false };
      },
      onpointermove: (event) => {
        if (drag?.which !== which) return;
        drag.moved = true;
        joints[which] = [...where(event), 1];
        paint();
      },
      onpointerup: () => {
        if (drag?.moved) { past.push(drag.before); future = []; settle(); }
        drag = null;
        if (late) { late = false; draw(); }
      },
      onpointercancel: () => { if (drag) { joints = drag.before; drag = null; paint(); } } });
    dots[which] = dot;
    view.append(dot);
  }
  stage.replaceChildren(view);
};

// What may change under the dots without losing their focus: part map and ground line.
const refresh = () => {
  const { width, height, parts: map, ground } = props.value;
  const back = view.querySelector(".sp-back");
  back.replaceChildren();
  if (map) back.append(S.svg("image", { href: S.safeUrl(map), width, height, class: "sp-parts", style: "image-rendering:pixelated" }));
  if (ground) back.append(S.svg("line", { x1: 0, x2: width, y1: ground[1], y2: ground[1], class: "sp-baseline" }));
  parts.classList.remove("is-busy");
};

const paint = () => {
  if (!view) return;
  const labels = props.value.labels;
  const box = view.getBoundingClientRect();
  // `unit` is one screen pixel in art pixels, so that dots keep their size at any resolution.
  unit = box.width ? Math.max(props.value.width / box.width, props.value.height / box.height) : props.value.height / 600;
  for (const [a, b, line] of lines) {
    const from = joints[a], to = joints[b];
    line.style.display = from && to ? "" : "none";
    if (from && to) for (const [key, value] of Object.entries({ x1: from[0], y1: from[1], x2: to[0], y2: to[1] })) line.setAttribute(key, value);
    line.style.strokeWidth = 3 * unit;
  }
  for (const [which, dot] of Object.entries(dots)) {
    const at = joints[which];
    dot.style.display = at ? "" : "none";
    if (!at) continue;
    dot.setAttribute("transform", `translate(${at[0]} ${at[1]})`);
    dot.classList.toggle("is-picked", picked === which);
    dot.replaceChildren(S.svg("circle", { r: 14 * unit, class: "sp-reach" }), shape(which, (3.5 + 4 * (at[2] ?? 1)) * unit));
    dot.style.strokeWidth = 1.5 * unit;
  }
  view.querySelector(".sp-parts")?.classList.toggle("is-on", parts.getAttribute("aria-pressed") === "true");
  undo.disabled = !past.length;
  redo.disabled = !future.length;
  remove.disabled = !picked || !joints[picked];
  name.textContent = picked && joints[picked] ? labels[picked] : "";
  const gone = Object.keys(labels).filter((which) => !joints[which]);
  foot.replaceChildren(...gone.map((which) => S.h("button", { type: "button", class: "sp-chip", onclick: () => restore(which) }, S.icon("plus", 12), labels[which])));
};

element.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== "z" && event.key.toLowerCase() !== "y") return;
    event.preventDefault();
    return event.shiftKey || event.key.toLowerCase() === "y" ? travel(future, past) : travel(past, future);
  }
  if (!picked || !joints[picked] || !event.target.closest(".sp-joint-stage")) return;
  if (event.key === "Delete" || event.key === "Backspace") { event.preventDefault(); return hide(picked); }
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!move) return;
  event.preventDefault();
  const far = (event.shiftKey ? 10 : 1) * (props.value.pixel ? 1 : Math.max(1, unit));
  change(() => { const [x, y] = joints[picked]; joints[picked] = [x + move[0] * far, y + move[1] * far, 1]; });
});

let shown = null, drawn = "";
const draw = () => {
  const value = props.value;
  element.querySelector(".sp-joints").classList.toggle("is-empty", !value);
  if (!value) return;
  if (drag) { late = true; return; }
  const same = shown === value.id, picture = [value.id, value.art, value.width, value.height, value.pixel].join();
  shown = value.id;
  // An answer to our own move brings no news about joints: the hand may already be further on.
  if (!same || !value.echo) joints = structuredClone(value.joints);
  if (!same) { past = []; future = []; picked = null; }
  if (picture !== drawn) make();
  drawn = picture;
  refresh();
  paint();
};
new ResizeObserver(paint).observe(stage);
watch("value", draw);
draw();
