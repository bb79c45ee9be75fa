// value: {actions: [{name, title, frames, fps, armed, hint}], picked: [name], words: {label}}. Emits "picked"; value.picked is new.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
let tiles = {}, drawn = "";
const mark = () => {
  const picked = new Set(props.value.picked || []);
  for (const [name, tile] of Object.entries(tiles)) tile.setAttribute("aria-pressed", picked.has(name));
};
const press = (name) => {
  const before = props.value.picked || [];
  const after = before.includes(name) ? before.filter((item) => item !== name) : [...before, name];
  props.value = { ...props.value, picked: after };
  mark();
  trigger("picked");
};
const draw = () => {
  const { actions = [], words = {} } = props.value || {};
  const key = actions.map((action) => action.name).join();
  if (key !== drawn) {
    drawn = key;
    tiles = {};
    root.setAttribute("role", "group");
    root.setAttribute("aria-label", words.label || "");
    root.replaceChildren(...actions.map((action) => {
      const canvas = S.h("canvas", { "aria-hidden": "true" });
      tiles[action.name] = S.h("button", { type: "button", class: "sp-tile", title: action.hint || action.title, "aria-pressed": "false",
        dataset: { action: action.name }, onclick: () => press(action.name) },
        canvas, S.h("span", { class: "sp-tick" }, S.icon("check", 12)), S.h("span", { class: "sp-tile-name" }, action.title));
      new S.Figure(canvas, action.frames, action.fps, action.armed);
      return tiles[action.name];
    }));
  }
  if (props.value) mark();
};
watch("value", draw);
draw();
