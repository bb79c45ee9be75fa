// value: {clip: {url, count, columns, durations, loop, pixel}, title, note} or null
const S = window.Sprightly;
const root = element.querySelector(".sp-player");
const player = new S.Player(root.querySelector(".sp-screen"));
const { bar, keys } = S.transport(player);
const title = S.h("strong", { class: "sp-name" });
const note = S.h("span", { class: "sp-note" });
root.querySelector(".sp-under").append(bar, S.h("div", { class: "sp-caption" }, title, note));
root.addEventListener("keydown", keys);

const draw = () => {
  const value = props.value;
  root.classList.toggle("is-empty", !value?.clip);
  if (!value?.clip) return;
  title.textContent = value.title || "";
  note.textContent = value.note || "";
  root.setAttribute("aria-label", value.title || "Player");
  player.canvas.setAttribute("aria-label", value.title || "");
  player.show(value.clip);
};
watch("value", draw);
draw();
