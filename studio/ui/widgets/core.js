// What every widget shares: building DOM from text (never from HTML), icons, the one background switch, shortcuts.
(() => {
  if (window.Sprightly) return;
  const S = (window.Sprightly = { locale: document.documentElement.lang || "en" });

  // The page's text table, put into the head by `studio.ui.theme`.
  S.say = (key) => (window.SprightlyWords || {})[key] || key;

  // Children that are strings become text nodes: user text cannot become markup.
  S.h = (tag, attributes = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === undefined || value === null || (value === false && !key.startsWith("aria-"))) continue;
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else if (key === "style") node.style.cssText = value;
      else if (key === "dataset") Object.assign(node.dataset, value);
      else node.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : value);
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return node;
  };

  S.svg = (tag, attributes = {}, ...children) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
      else node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  };

  // Pictures come from this server or from memory, from nowhere else.
  S.safeUrl = (url) => {
    const text = String(url ?? "");
    if (/^data:image\/(png|webp|gif|jpeg);base64,/.test(text) || text.startsWith("blob:")) return text;
    try {
      return new URL(text, location.href).origin === location.origin ? text : "";
    } catch {
      return "";
    }
  };

  S.loadImage = (url) =>
    new Promise((resolve, reject) => {
      const picture = new Image();
      picture.onload = () => resolve(picture);
      picture.onerror = () => reject(new Error("picture not found"));
      picture.src = S.safeUrl(url);
    });

  const PATHS = {
    play: "M7 5l12 7-12 7z",
    pause: "M7 5h4v14H7zM14 5h4v14h-4z",
    back: "M17 5L8 12l9 7zM5 5h2.5v14H5z",
    next: "M7 5l9 7-9 7zM16.500 5H19v14h-2.500z",
    onion: "M9 4a8 8 0 100 16A8 8 0 009 4zm0 2a6 6 0 110 12A6 6 0 019 6zm6-2a8 8 0 010 16 10 10 0 002-2 6 6 0 000-12 10 10 0 00-2-2z",
    ground: "M4 4h8v8H4zM12 12h8v8h-8z",
    undo: "M9 4L3 10l6 6v-4h5a4 4 0 010 8h-3v2h3a6 6 0 000-14H9z",
    redo: "M15 4l6 6-6 6v-4h-5a4 4 0 000 8h3v2h-3a6 6 0 010-14h5z",
    trash: "M5 7h14l-1 14H6zM9 3h6l1 2h4v1.500H4V5h4z",
    again: "M12 5V1L6 6l6 5V7a5 5 0 11-5 5H5a7 7 0 107-7z",
    check: "M9 17.500L3.500 12 5 10.500 9 14.500 19 4.500 20.500 6z",
    stop: "M6 6h12v12H6z",
    parts: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
    warn: "M12 3L1.500 21h21zm-1 6.500h2v6h-2zm0 7.500h2v2h-2z",
    plus: "M11 4h2v7h7v2h-7v7h-2v-7H4v-2h7z",
    log: "M4 5h16v2H4zm0 6h16v2H4zm0 6h10v2H4z",
  };
  S.icon = (name, size = 16) =>
    S.svg("svg", { viewBox: "0 0 24 24", width: size, height: size, "aria-hidden": "true", fill: "currentColor" },
      S.svg("path", { d: PATHS[name] }));

  S.button = (icon, label, press, attributes = {}) =>
    S.h("button", { type: "button", class: "sp-tool", title: label, "aria-label": label, onclick: press, ...attributes },
      S.icon(icon));

  S.time = (seconds) => {
    if (seconds === null || seconds === undefined) return "";
    const whole = Math.max(0, Math.round(seconds));
    if (whole < 60) return `${whole} s`;
    return whole < 3600 ? `${Math.floor(whole / 60)} min ${whole % 60} s` : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
  };

  S.calm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

  // One background behind every sprite on the page.
  S.GROUNDS = ["checker", "black", "white", "magenta"];
  S.ground = () => {
    const kept = localStorage.getItem("sprightly.ground");
    return S.GROUNDS.includes(kept) ? kept : "checker";
  };
  S.setGround = (name) => {
    localStorage.setItem("sprightly.ground", name);
    document.documentElement.dataset.ground = name;
  };
  S.nextGround = () => S.setGround(S.GROUNDS[(S.GROUNDS.indexOf(S.ground()) + 1) % S.GROUNDS.length]);
  document.documentElement.dataset.ground = S.ground();

  // Page shortcuts: 1 to 7 open a tab, ? opens the help. Never while someone is typing.
  S.typing = (event) => event.target.closest?.("input:not([type=range]):not([type=checkbox]), textarea, select, [contenteditable=true]");
  S.openTab = (number) => document.querySelectorAll("#sp-tabs > .tab-wrapper button[role=tab], #sp-tabs .tab-container button[role=tab]")[number]?.click();
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || S.typing(event)) return;
    if (event.key >= "1" && event.key <= "7") S.openTab(Number(event.key) - 1);
    if (event.key === "?") document.querySelector("#sp-help")?.showModal?.();
  });
})();
