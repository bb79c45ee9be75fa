// value: {pages: [{url, width, height}], pixel, note, words} or null: the packed sheet, zoomed to fit.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const draw = () => {
  const value = props.value;
  root.classList.toggle("is-empty", !value?.pages?.length);
  if (!value?.pages?.length) return root.replaceChildren();
  root.replaceChildren(...value.pages.map((page, number) => S.h("figure", {},
    S.h("div", { class: "sp-atlas sp-ground" }, S.h("img", { src: S.safeUrl(page.url), alt: `${value.words.page} ${number + 1}`,
      style: value.pixel ? "image-rendering:pixelated" : "" })),
    S.h("figcaption", {}, `${page.width} × ${page.height}`))));
};
watch("value", draw);
draw();
