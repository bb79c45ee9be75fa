// value: {items: [{id, kind, clip, action, caption, keep, verdict: {kind, text}, note}], actions: [[name, title]], words}
// Emits "act" with {act: "set", id, keep?, action?, caption?}.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const build = (item, { actions, words }) => {
  const screen = S.h("div", { class: "sp-screen" });
  const player = new S.Player(screen, { label: item.caption });
  const put = (change) => trigger("act", { act: "set", id: item.id, ...change });
  const keep = S.h("button", { type: "button", class: "sp-small", "aria-pressed": item.keep, title: words.keep_hint, onclick: () => put({ keep: !item.keep }) },
    S.icon("check", 13), item.keep ? words.kept : words.keep);
  const action = S.h("select", { class: "sp-mini", "aria-label": words.action, onchange: () => put({ action: action.value }) },
    actions.map(([name, title]) => S.h("option", { value: name, selected: name === item.action }, title)));
  const caption = S.h("input", { type: "text", value: item.caption, maxlength: 300, "aria-label": words.caption, placeholder: words.caption,
    onchange: () => put({ caption: caption.value }) });
  const card = S.h("article", { class: `sp-sample ${item.keep ? "" : "is-out"}`, tabindex: 0, dataset: { sample: item.id }, "aria-label": item.caption,
    onmouseenter: () => item.kind === "clip" && !S.calm() && player.play(), onmouseleave: () => player.pause(),
    onkeydown: (event) => {
      if (S.typing(event)) return;
      if (event.key === "k" || event.key === "Enter") put({ keep: true });
      if (event.key === "x" || event.key === "Delete") put({ keep: false });
      if (event.key === " ") { event.preventDefault(); player.toggle(); }
    } },
    S.h("div", { class: "sp-shot" }, screen, S.h("span", { class: "sp-kind" }, item.kind === "clip" ? `${item.clip.count} ${words.frames}` : words.still)),
    S.h("p", { class: `sp-verdict is-${item.verdict.kind}` }, S.icon(item.verdict.kind === "good" ? "check" : "warn", 12), item.verdict.text),
    caption, S.h("div", { class: "sp-clip-acts" }, action, keep));
  player.show(item.clip).then(() => player.pause());
  return card;
};
let drawn = "";
const draw = () => {
  const value = props.value || {};
  const key = JSON.stringify(value);
  if (key === drawn) return;
  drawn = key;
  root.classList.toggle("is-empty", !value.items?.length);
  root.replaceChildren(...(value.items || []).map((item) => build(item, value)));
};
watch("value", draw);
draw();
