// value: {cards: [{name, title, line, time, memory}], picked, words: {label}}. Emits "picked"; value.picked is new.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const draw = () => {
  const { cards = [], picked, words = {} } = props.value || {};
  root.setAttribute("role", "radiogroup");
  root.setAttribute("aria-label", words.label || "");
  const choose = (name) => {
    props.value = { ...props.value, picked: name };
    draw();
    root.querySelector(`[aria-checked=true]`)?.focus();
    trigger("picked");
  };
  root.replaceChildren(...cards.map((card, number) => S.h("button", { type: "button", class: "sp-preset", role: "radio", "aria-checked": card.name === picked,
    tabindex: card.name === picked ? 0 : -1, dataset: { preset: card.name }, onclick: () => choose(card.name),
    onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (by) { event.preventDefault(); choose(cards[(number + by + cards.length) % cards.length].name); }
    } },
    S.h("strong", {}, card.title), S.h("span", { class: "sp-time" }, card.time), S.h("span", { class: "sp-line" }, card.line), S.h("small", {}, card.memory))));
};
watch("value", draw);
draw();
