// value: {rows: [{id, kind, title, who, thumb, state, state_word, percent, left, when, note, log: [text]}], words}
// Emits "act" with {act: "cancel" | "retry" | "log", id}.
const S = window.Sprightly;
const root = element.querySelector(".sp-root");
const SHAPES = { queued: "log", running: "play", done: "check", failed: "warn", cancelled: "stop" };
const open = new Set();
const draw = () => {
  const { rows = [], words = {} } = props.value || {};
  if (!rows.length) return root.replaceChildren(S.h("p", { class: "sp-none" }, words.empty || ""));
  root.replaceChildren(...rows.map((row) => {
    const going = row.state === "running" || row.state === "queued";
    const log = S.h("pre", { class: "sp-log", hidden: !open.has(row.id) }, (row.log || []).join("\n") || words.no_log);
    const show = S.button("log", words.log, () => {
      log.hidden = !log.hidden;
      log.hidden ? open.delete(row.id) : open.add(row.id);
      props.value = { ...props.value, logs: [...open] };
      trigger("act", { act: "log", id: row.id });
    });
    return S.h("div", { class: "sp-job", dataset: { state: row.state, job: row.id } },
      S.h("div", { class: "sp-thumb sp-ground" }, row.thumb ? S.h("img", { src: S.safeUrl(row.thumb), alt: "" }) : null),
      S.h("div", { class: "sp-job-what" }, S.h("strong", {}, row.title), S.h("span", {}, row.who, row.when ? ` · ${row.when}` : "")),
      S.h("span", { class: `sp-state is-${row.state}` }, S.icon(SHAPES[row.state] || "log", 14), row.state_word),
      S.h("div", { class: "sp-progress", role: "progressbar", "aria-label": row.title, "aria-valuenow": row.percent, "aria-valuemin": 0, "aria-valuemax": 100 },
        S.h("div", { style: `width:${Number(row.percent) || 0}%` })),
      S.h("span", { class: "sp-remain" }, row.state === "running" ? `${row.percent}%${row.left != null ? ` · ${S.time(row.left)}` : ""}` : ""),
      S.h("div", { class: "sp-acts" }, show,
        going ? S.button("stop", words.cancel, () => trigger("act", { act: "cancel", id: row.id })) : null,
        row.state === "failed" || row.state === "cancelled" ? S.button("again", words.retry, () => trigger("act", { act: "retry", id: row.id })) : null),
      row.note ? S.h("p", { class: "sp-job-note" }, row.note) : null, log);
  }));
};
watch("value", draw);
draw();
