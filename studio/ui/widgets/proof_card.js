// value: {off: clip, on: clip, numbers: [{label, value, hint}], sentence, kind: "good" | "warn", warnings: [text], words: {off, on}} or null
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
let players = [];
const draw = () => {
  const value = props.value;
  players.forEach((player) => player.stop());
  players = [];
  if (!value) return root.replaceChildren();
  const side = (clip, label, still) => {
    const screen = S.h("div", { class: "sp-screen" });
    const player = new S.Player(screen, { label });
    players.push(player);
    if (clip) player.show(clip);
    return S.h("figure", { class: "sp-side" }, screen, S.h("figcaption", {}, label));
  };
  root.replaceChildren(S.h("section", { class: "sp-proof", "aria-label": value.sentence },
    value.off || value.on ? S.h("div", { class: "sp-pair" }, side(value.off, value.words.off), side(value.on, value.words.on)) : null,
    S.h("div", { class: "sp-proof-text" },
      S.h("p", { class: `sp-sentence is-${value.kind}` }, S.icon(value.kind === "good" ? "check" : "warn", 18), value.sentence),
      S.h("dl", {}, (value.numbers || []).map((one) => S.h("div", { title: one.hint || "" }, S.h("dt", {}, one.label), S.h("dd", {}, one.value)))),
      (value.warnings || []).map((text) => S.h("p", { class: "sp-warning", role: "alert" }, S.icon("warn", 15), text)))));
};
watch("value", draw);
draw();
