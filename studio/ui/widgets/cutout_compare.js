// value: {before, after, width, height, pixel, note} or null. A slider from the upload to its cut-out.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const draw = () => {
  const value = props.value;
  if (!value) return root.replaceChildren();
  const picture = (url, kind) => S.h("img", { src: S.safeUrl(url), alt: kind, class: `is-${kind}`, draggable: "false",
    style: value.pixel ? "image-rendering:pixelated" : "" });
  const edge = S.h("div", { class: "sp-edge", "aria-hidden": "true" });
  const slide = S.h("input", { type: "range", min: 0, max: 100, value: 50, step: 0.5, "aria-label": S.say("before_after"),
    oninput: () => frame.style.setProperty("--cut", `${slide.value}%`) });
  const frame = S.h("div", { class: "sp-compare sp-ground", style: `--cut:50%;--shape:${value.width}/${value.height}` },
    picture(value.after, "after"), S.h("div", { class: "sp-before" }, picture(value.before, "before")), edge,
    S.h("span", { class: "sp-tag is-l" }, S.say("before")), S.h("span", { class: "sp-tag is-r" }, S.say("after")), slide,
    S.button("ground", S.say("ground"), S.nextGround));
  root.replaceChildren(frame);
};
watch("value", draw);
draw();
