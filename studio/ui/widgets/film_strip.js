// value: {id, title, clip: {url, count, columns, durations, pixel}, marks: [{frame, kind, text}], edits, position, loop} or null.
// Every act makes a longer list of edits and emits "edited"; undo and redo only move `position`. The server draws the answer.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
let picked = 0, strip = null, waiting = [], busy = false, ticket = 0;

const send = (edits, position) => {
  busy = true;
  props.value = { ...props.value, edits, position, echo: false };
  trigger("edited");
};
// A key may come before the answer to the last one: it waits, for frames are counted as the answer has them.
const act = (make) => {
  if (busy) return void waiting.push(make);
  const { edits, position } = props.value, made = make(props.value);
  if (made) send([...edits.slice(0, position), made], position + 1);
};
const travel = (by) => {
  if (busy) return void waiting.push(() => (travel(by), null));
  const { edits, position } = props.value, next = position + by;
  if (next >= 0 && next <= edits.length) send(edits, next);
};
const last = () => props.value.clip.count - 1;
const durations = () => props.value.clip.durations;

const doing = {
  remove: () => act(() => (last() > 0 ? { do: "delete", frame: picked } : null)),
  duplicate: () => act(() => ({ do: "duplicate", frame: picked++ })),
  hold: () => act(() => ({ do: "hold", frame: picked, ms: Math.min(durations()[picked], 2000) })),
  shorten: () => act(() => (durations()[picked] > 1 ? { do: "hold", frame: picked, ms: -Math.floor(durations()[picked] / 2) } : null)),
  mirror: () => act(() => ({ do: "mirror", frame: picked })),
  move: (by) => act(() => {
    const to = picked + by, frame = picked;
    if (to < 0 || to > last()) return null;
    picked = to;
    return { do: "move", frame, to };
  }),
  nudge: (x, y) => act(() => ({ do: "nudge", frame: picked, x, y })),
};

const tool = (path, label, press) => {
  const made = S.h("button", { type: "button", class: "sp-tool", title: label, "aria-label": label, onclick: press });
  made.append(S.svg("svg", { viewBox: "0 0 24 24", width: 16, height: 16, "aria-hidden": "true", fill: "currentColor" }, S.svg("path", { d: path })));
  return made;
};
const undo = S.button("undo", S.say("undo"), () => travel(-1));
const redo = S.button("redo", S.say("redo_joint"), () => travel(1));
const remove = S.button("trash", S.say("frame_delete"), doing.remove);
const timing = S.h("select", { class: "sp-mini", "aria-label": S.say("timing"), title: S.say("timing"), onchange: () => {
  const [kind, count] = timing.value.split(":");
  timing.value = "";
  if (kind === "on") act(() => ({ do: "retime", step: Number(count) }));
  if (kind === "keys") act((value) => ({ do: "key_frames", count: Number(count), loop: value.loop }));
  if (kind === "back") act(() => ({ do: "ping_pong" }));
} }, [["", S.say("timing")], ["on:2", S.say("on_twos")], ["on:3", S.say("on_threes")],
  ...[4, 6, 8, 12, 16].map((count) => [`keys:${count}`, `${S.say("key_frames")} ${count}`]), ["back:", S.say("ping_pong")]]
  .map(([value, text]) => S.h("option", { value }, text)));
const name = S.h("strong", { class: "sp-film-name" });
const bar = S.h("div", { class: "sp-film-bar" }, name, remove,
  tool("M8 4h12v12H8zM4 8h2v10h10v2H4z", S.say("frame_duplicate"), doing.duplicate),
  tool("M5 4h3v16H5zM10 10h9V6l5 6-5 6v-4h-9z", S.say("frame_hold"), doing.hold),
  tool("M11 3h2v18h-2zM9 7v10H2zM15 7v10h7z", S.say("frame_mirror"), doing.mirror), undo, redo, timing);
const list = S.h("div", { class: "sp-film", role: "listbox", "aria-orientation": "horizontal" });
root.append(bar, list);

const SIGNS = { warn: "▲", bad: "■" };
const cel = (number) => {
  const { clip, marks } = props.value, found = marks.filter((mark) => mark.frame === number);
  const wide = strip.width / clip.columns, high = strip.height / Math.ceil(clip.count / clip.columns);
  const canvas = S.h("canvas", { width: wide, height: high, class: "sp-ground", style: clip.pixel ? "image-rendering:pixelated" : "" });
  canvas.getContext("2d").drawImage(strip, (number % clip.columns) * wide, Math.floor(number / clip.columns) * high, wide, high, 0, 0, wide, high);
  // The mark is a shape as well as a colour, and its words are in the label.
  const worst = found.find((mark) => mark.kind === "bad") || found[0];
  const told = found.map((mark) => mark.text).join("; ");
  return S.h("div", { class: "sp-cel", role: "option", tabindex: number === picked ? 0 : -1, "aria-selected": String(number === picked),
    "aria-label": `${S.say("frame")} ${number + 1}, ${clip.durations[number]} ms${told ? `. ${told}` : ""}`, title: told,
    onclick: () => { picked = number; mark(true); } }, canvas,
  S.h("span", {}, `${number + 1}`, worst && S.h("i", { class: `is-${worst.kind}` }, SIGNS[worst.kind]), S.h("small", {}, `${clip.durations[number]} ms`)));
};
const mark = (focus) => {
  [...list.children].forEach((node, number) => {
    node.setAttribute("aria-selected", String(number === picked));
    node.tabIndex = number === picked ? 0 : -1;
  });
  const node = list.children[picked];
  if (focus) node?.focus();
  node?.scrollIntoView({ block: "nearest", inline: "nearest" });
};

root.addEventListener("keydown", (event) => {
  if (!props.value?.clip || event.target.closest("select")) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key, arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let done = true;
  if (event.ctrlKey || event.metaKey) {
    if (key === "z") travel(event.shiftKey ? 1 : -1);
    else if (key === "y") travel(1);
    else done = false;
  } else if (arrow && event.altKey) doing.nudge(...arrow);
  else if (arrow?.[0] && event.shiftKey) doing.move(arrow[0]);
  else if (arrow?.[0]) { picked = Math.max(0, Math.min(last(), picked + arrow[0])); mark(true); }
  else if (key === "Home" || key === "End") { picked = key === "Home" ? 0 : last(); mark(true); }
  else if (key === "Delete" || key === "Backspace") doing.remove();
  else if (key === "d") doing.duplicate();
  else if (key === "h") event.shiftKey ? doing.shorten() : doing.hold();
  else if (key === "m") doing.mirror();
  else done = false;
  if (done) { event.preventDefault(); event.stopPropagation(); }
});

let shown = null;
const draw = async () => {
  const value = props.value;
  root.classList.toggle("is-empty", !value?.clip);
  if (!value?.clip) { shown = null; busy = false; waiting = []; return; }
  if (!value.echo && busy) return; // our own move, on its way
  if (shown !== value.id) { picked = 0; waiting = []; }
  shown = value.id;
  const mine = (ticket += 1), focused = list.contains(document.activeElement);
  const picture = await S.loadImage(value.clip.url).catch(() => null);
  if (mine !== ticket || !picture) return;
  strip = picture;
  picked = Math.max(0, Math.min(picked, value.clip.count - 1));
  name.textContent = value.title;
  list.setAttribute("aria-label", value.title);
  undo.disabled = !value.position;
  redo.disabled = value.position >= value.edits.length;
  remove.disabled = value.clip.count < 2;
  list.replaceChildren(...Array.from({ length: value.clip.count }, (_, number) => cel(number)));
  mark(focused);
  busy = false;
  const next = waiting.shift();
  if (next) act(next);
};
watch("value", draw);
draw();
