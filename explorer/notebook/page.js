// The page of a cell: it draws the cell's components, does for them what the app would do after a click, follows
// the notebook's theme, and is as high as what is drawn.
import { answers, current } from "./answers.js";

/** An element of the page. @param {string} selector @returns {any} */
const element = (selector) => document.querySelector(selector);
const main = element("main");
const cell = JSON.parse(element("#data").textContent, (_, value) =>
  value?.base64 === undefined ? value : Uint8Array.from(atob(value.base64), (letter) => letter.charCodeAt(0)));
const scripts = /** @type {any} */ (window).riverbank;
const page = document.documentElement;
const outside = notebook();
const bright = matchMedia("(prefers-color-scheme: dark)");

// The document around this one, unless it is of another origin.
function notebook() {
  try {
    return window.parent === window ? null : window.parent.document;
  } catch {
    return null;
  }
}

// JupyterLab and Notebook say it on their body, VS Code by a class of it, Colab on its root.
function theme() {
  const body = outside?.body;
  if (body?.dataset.jpThemeLight) return body.dataset.jpThemeLight === "true" ? "light" : "dark";
  if (body?.classList.contains("vscode-light")) return "light";
  if (body?.matches(".vscode-dark, .vscode-high-contrast")) return "dark";
  const colab = outside?.documentElement.getAttribute("theme");
  if (colab) return colab === "dark" ? "dark" : "light";
  return bright.matches ? "dark" : "light";
}

// Every component has a shadow root, as in the app: its style is its own.
function drawAll() {
  page.dataset.theme = theme();
  for (const part of cell) {
    const host = element(`#${part.id}`);
    const shadow = host.shadowRoot ?? host.attachShadow({ mode: "open" });
    const style = document.createElement("style");
    style.textContent = part.css;
    part.root = document.createElement("div");
    part.root.className = "root notranslate";
    part.root.translate = false;
    shadow.replaceChildren(style, part.root);
    draw(part);
  }
}

function draw(part) {
  part.data = page.dataset.theme === "dark" && part.dark ? part.dark : part.light;
  scripts[part.name](part.root, current(part), (name, value) => {
    for (const other of answers(part, name, value, cell)) queueMicrotask(() => draw(other));
  });
}

// A picture that would fit itself into the window has all the room that it wants, as the frame grows with it.
Object.defineProperty(window, "innerHeight", { value: 4000 });
let height = 0;
function fit() {
  const needed = Math.ceil(main.getBoundingClientRect().bottom) + 12;
  if (needed === height || !window.frameElement) return;
  height = needed;
  /** @type {HTMLElement} */ (window.frameElement).style.height = `${needed}px`;
}

function follow() {
  if (theme() !== page.dataset.theme) drawAll();
}

drawAll();
new ResizeObserver(fit).observe(main);
bright.addEventListener("change", follow);
if (outside) {
  const watch = new MutationObserver(follow);
  for (const node of [outside.body, outside.documentElement])
    watch.observe(node, { attributeFilter: ["data-jp-theme-light", "class", "theme"] });
}
