// value: {items: [{id, title, note, clip, marks: [{kind, text}]}], picked: [id], words: {empty, redo, use, used, open}}
// Emits "picked" (value.picked is new) and "act" with {act: "redo" | "open", id}.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const MARKS = { good: "check", warn: "warn", bad: "warn" };
let cards = {};
const mark = () => {
  const picked = new Set(props.value.picked || []);
  const words = props.value.words || {};
  for (const [id, { card, use }] of Object.entries(cards)) {
    card.classList.toggle("is-picked", picked.has(id));
    use.setAttribute("aria-pressed", picked.has(id));
    use.lastChild.textContent = picked.has(id) ? words.used : words.use;
  }
};
const pick = (id) => {
  const before = props.value.picked || [];
  props.value = { ...props.value, picked: before.includes(id) ? before.filter((item) => item !== id) : [...before, id] };
  mark();
  trigger("picked");
};
const build = (item, words) => {
  const screen = S.h("div", { class: "sp-screen" });
  const player = new S.Player(screen, { label: item.title });
  const { bar, keys } = S.transport(player, { compact: true });
  const use = S.h("button", { type: "button", class: "sp-small", "aria-pressed": "false", onclick: () => pick(item.id) }, S.icon("check", 13), S.h("span", {}, words.use));
  const card = S.h("article", { class: "sp-clip", tabindex: 0, "aria-label": item.title, dataset: { clip: item.id, action: item.action || "" }, onkeydown: keys },
    S.h("div", { class: "sp-shot", onclick: () => trigger("act", { act: "open", id: item.id }) }, screen),
    bar,
    S.h("div", { class: "sp-caption" }, S.h("strong", {}, item.title), S.h("span", { class: "sp-note", title: item.note || "" }, item.note || "")),
    S.h("ul", { class: "sp-marks" }, (item.marks || []).map((one) => S.h("li", { class: `is-${one.kind}`, title: one.hint || "" }, S.icon(MARKS[one.kind] || "check", 12), one.text))),
    S.h("div", { class: "sp-clip-acts" }, use,
      words.redo ? S.h("button", { type: "button", class: "sp-small", onclick: () => trigger("act", { act: "redo", id: item.id }) }, S.icon("again", 13), words.redo) : null));
  player.show(item.clip);
  return { card, use, player };
};
let drawn = "";
const draw = () => {
  const { items = [], words = {} } = props.value || {};
  const key = JSON.stringify([items, words]);
  if (key !== drawn) {
    drawn = key;
    Object.values(cards).forEach(({ player }) => player.stop());
    cards = {};
    for (const item of items) cards[item.id] = build(item, words);
    root.classList.toggle("is-empty", !items.length);
    root.replaceChildren(...(items.length ? Object.values(cards).map(({ card }) => card) : [S.h("p", { class: "sp-none" }, words.empty || "")]));
  }
  if (props.value) mark();
};
watch("value", draw);
draw();
