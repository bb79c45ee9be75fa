// value: {points: [[step, loss]], total, previews: [{step, url}], words: {title, empty}}
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const LEFT = 52, RIGHT = 16, TOP = 16, LOW = 28;
let W = 900, H = 240;
const short = (value) => (value >= 100 ? value.toFixed(0) : value >= 1 ? value.toFixed(2) : value.toPrecision(2));
const draw = () => {
  const { points = [], total = 0, previews = [], words = {} } = props.value || {};
  const strip = S.h("div", { class: "sp-strip" }, previews.map((item) =>
    S.h("figure", {}, S.h("div", { class: "sp-ground" }, S.h("img", { src: S.safeUrl(item.url), alt: `${item.step}` })),
      S.h("figcaption", {}, `${item.step}`))));
  const view = S.svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "sp-curve", role: "img", "aria-label": words.title || "Loss" });
  if (points.length > 1) {
    // A running mean, because the raw loss of a diffusion model is mostly noise; the raw points stay visible behind.
    const smooth = [];
    points.forEach(([step, loss], i) => smooth.push([step, i ? smooth[i - 1][1] * 0.88 + loss * 0.12 : loss]));
    const values = points.map((point) => point[1]).sort((a, b) => a - b);
    const low = values[0], high = Math.max(values[Math.floor(values.length * 0.985)], low + 1e-9);
    const last = Math.max(total, points.at(-1)[0], 1);
    const x = (step) => LEFT + (step / last) * (W - LEFT - RIGHT);
    const y = (loss) => TOP + (1 - (Math.min(loss, high) - low) / (high - low)) * (H - TOP - LOW);
    const path = (list) => list.map(([step, loss], i) => `${i ? "L" : "M"}${x(step).toFixed(1)} ${y(loss).toFixed(1)}`).join("");
    for (const share of [0, 0.5, 1]) {
      const loss = low + (high - low) * share;
      view.append(S.svg("line", { x1: LEFT, x2: W - RIGHT, y1: y(loss), y2: y(loss), class: "sp-grid" }));
      const text = S.svg("text", { x: LEFT - 7, y: y(loss) + 4, "text-anchor": "end" });
      text.textContent = short(loss);
      view.append(text);
    }
    for (const step of [0, Math.round(last / 2), last]) {
      const text = S.svg("text", { x: x(step), y: H - 8, "text-anchor": step === 0 ? "start" : step === last ? "end" : "middle" });
      text.textContent = step;
      view.append(text);
    }
    view.append(S.svg("path", { d: path(points), class: "sp-raw" }), S.svg("path", { d: path(smooth), class: "sp-smooth" }));
    const end = smooth.at(-1);
    view.append(S.svg("circle", { cx: x(end[0]), cy: y(end[1]), r: 4, class: "sp-end" }));
  } else {
    const text = S.svg("text", { x: W / 2, y: H / 2, "text-anchor": "middle" });
    text.textContent = words.empty || "";
    view.append(text);
  }
  root.replaceChildren(view, strip);
};
const size = () => {
  const box = root.querySelector(".sp-curve")?.getBoundingClientRect();
  if (!box?.width || (Math.abs(box.width - W) < 2 && Math.abs(box.height - H) < 2)) return;
  [W, H] = [box.width, box.height];
  draw();
};
new ResizeObserver(size).observe(root);
watch("value", draw);
draw();
size();
