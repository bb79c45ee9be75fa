// value: {characters: [{id, name, thumb}], current, looks: [{id, title}], look, job: {title, percent, left, queued} | null, words}
// Emits "act" with {act: "character" | "look", id}; the light opens the jobs tab.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const list = S.h("div", { class: "sp-menu", role: "menu", hidden: true });
const shut = (event) => { if (!event || !root.contains(event.target)) { list.hidden = true; face.setAttribute("aria-expanded", "false"); } };
const face = S.h("button", { type: "button", class: "sp-who", id: "sp-switcher", "aria-haspopup": "menu", "aria-expanded": "false",
  onclick: () => { list.hidden = !list.hidden; face.setAttribute("aria-expanded", !list.hidden); if (!list.hidden) list.querySelector("button")?.focus(); } });
const look = S.h("select", { class: "sp-mini", id: "sp-look", onchange: () => trigger("act", { act: "look", id: look.value }) });
const lookLabel = S.h("label", { class: "sp-look-label", for: "sp-look" });
const light = S.h("button", { type: "button", class: "sp-light", id: "sp-light", onclick: () => S.openTab(5) });
const help = S.h("button", { type: "button", class: "sp-tool", id: "sp-help-button", onclick: () => dialog.showModal() }, "?");
const dialog = S.h("dialog", { id: "sp-help" });
list.addEventListener("keydown", (event) => {
  const items = [...list.querySelectorAll("button")], now = items.indexOf(document.activeElement);
  if (event.key === "Escape") { shut(); face.focus(); }
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    items[(now + (event.key === "ArrowDown" ? 1 : -1) + items.length) % items.length]?.focus();
  }
});
document.addEventListener("pointerdown", shut);
root.append(S.h("span", { class: "sp-brand" }, S.svg("svg", { viewBox: "0 0 24 24", width: 22, height: 22, "aria-hidden": "true" },
  S.svg("path", { d: "M4 4h5v5H4zM9 9h6v6H9zM15 15h5v5h-5z", fill: "var(--sp-accent)" }), S.svg("path", { d: "M15 4h5v5h-5zM4 15h5v5H4z", fill: "var(--sp-muted)" })), "Sprightly"),
  S.h("div", { class: "sp-switch" }, face, list), S.h("span", { class: "sp-look-box" }, lookLabel, look), S.h("span", { class: "sp-gap" }), light, help, dialog);
const picture = (who) => S.h("span", { class: "sp-face sp-ground" }, who?.thumb ? S.h("img", { src: S.safeUrl(who.thumb), alt: "" }) : null);

let drawn = "";
const draw = () => {
  const value = props.value || {};
  const { characters = [], current, looks = [], job, words = {}, help: rows = [] } = value;
  const fixed = JSON.stringify([characters, current, looks, value.look]);
  if (fixed !== drawn) {
    drawn = fixed;
    const who = characters.find((one) => one.id === current);
    face.replaceChildren(picture(who), S.h("strong", {}, who ? who.name : words.nobody || ""), S.h("span", { class: "sp-caret", "aria-hidden": "true" }, "▾"));
    face.setAttribute("aria-label", `${words.character}: ${who ? who.name : words.nobody}`);
    list.replaceChildren(...characters.map((one) => S.h("button", { type: "button", role: "menuitemradio", "aria-checked": one.id === current, dataset: { character: one.id },
      onclick: () => { shut(); trigger("act", { act: "character", id: one.id }); } }, picture(one), one.name)),
      S.h("button", { type: "button", role: "menuitem", class: "sp-new", onclick: () => { shut(); trigger("act", { act: "character", id: "" }); } }, S.icon("plus", 16), words.fresh || ""));
    look.replaceChildren(...[{ id: "", title: words.no_look }, ...looks].map((one) => S.h("option", { value: one.id, selected: one.id === (value.look || "") }, one.title)));
    look.disabled = !looks.length;
    lookLabel.textContent = words.look || "";
    help.title = words.help;
    help.setAttribute("aria-label", words.help);
    dialog.replaceChildren(S.h("form", { method: "dialog" }, S.h("h2", {}, words.help), S.h("dl", {}, rows.map(([key, text]) => [S.h("dt", {}, S.h("kbd", {}, key)), S.h("dd", {}, text)]).flat()),
      S.h("button", { class: "sp-small" }, words.close)));
  }
  light.classList.toggle("is-busy", !!job);
  light.replaceChildren(S.h("i", {}), S.h("span", {}, job ? `${job.title}${job.phase ? ` · ${job.phase}` : ""} ${job.percent}%${job.left != null ? ` · ${S.time(job.left)}` : ""}${job.queued ? ` · +${job.queued}` : ""}` : words.idle || ""));
  light.style.setProperty("--done", `${job ? job.percent : 0}%`);
  light.title = words.jobs || "";
};
watch("value", draw);
draw();
