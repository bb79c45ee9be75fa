// value: {pages: [{url, width, height}], strips: [{title, url, count, columns}], pixel, words} or null.
// The packed sheet, zoomed to fit; before it is made, the frames that will be on it.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
let drawn = "";
const page = (one, number, value) => S.h("figure", {},
  S.h("div", { class: "sp-atlas sp-ground" }, S.h("img", { src: S.safeUrl(one.url), alt: `${value.words.page} ${number + 1}`,
    style: value.pixel ? "image-rendering:pixelated" : "" })),
  S.h("figcaption", {}, `${one.width} × ${one.height}`));
// All rows share one scale: a strip is as wide as its share of the longest.
const row = (strip, longest) => S.h("div", { class: "sp-row" }, S.h("span", {}, strip.title),
  S.h("div", { class: "sp-frames sp-ground", style: `width:${(100 * strip.columns) / longest}%` }, S.h("img", { src: S.safeUrl(strip.url), alt: strip.title })));
const draw = () => {
  const value = props.value;
  const key = JSON.stringify(value);
  if (key === drawn) return;
  drawn = key;
  const strips = value?.strips || [];
  const longest = Math.max(6, ...strips.map((strip) => strip.columns));
  root.classList.toggle("is-contact", strips.length > 0);
  root.replaceChildren(...(strips.length ? strips.map((strip) => row(strip, longest)) : (value?.pages || []).map((one, number) => page(one, number, value))));
};
watch("value", draw);
draw();
