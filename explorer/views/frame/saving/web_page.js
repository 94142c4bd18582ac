// The page of a cell, a view or a lecture: it draws the components, does for them what the app would do after a click,
// and follows the theme of the notebook around it, or the system's. In a notebook it is as high as what is drawn.
import { readTranslations, t } from "../../widgets/translations.js";
import { answers, current } from "./web_page_answers.js";

/** An element of the page. @param {string} selector @returns {any} */
export const element = (selector) => document.querySelector(selector);
const read = (text) => JSON.parse(text, (_, value) => (value?.base64 === undefined ? value : bytesOf(value.base64)));
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const main = element("main");
readTranslations({ translations: JSON.parse(element("#translations")?.textContent ?? "{}") });
const sheets = read(element("#sheets").textContent);
const parts = []; // that have been drawn
const page = document.documentElement;
const outside = notebook();
const bright = matchMedia("(prefers-color-scheme: dark)");
const LIGHT_OR_DARK = element("#scheme");
let chosen = ""; // the theme that was asked for here
let plotlyText; // the promises of Plotly's script and of its having run
let plotly;
const SOON_MS = 100; // until what a press changes is drawn
const WITHOUT_MODEL = "[data-needs=model] { display: none !important; }";

// The document around this one, unless it is of another origin.
function notebook() {
  try {
    return window.parent === window ? null : window.parent.document;
  } catch {
    return null;
  }
}

// JupyterLab and Notebook say it on their body, as the documentation does, VS Code by a class of it, Colab on its root.
function theme() {
  const body = outside?.body;
  if (chosen) return chosen;
  if (body?.dataset.jpThemeLight) return body.dataset.jpThemeLight === "true" ? "light" : "dark";
  if (body?.dataset.mdColorScheme) return body.dataset.mdColorScheme === "slate" ? "dark" : "light";
  if (body?.classList.contains("vscode-light")) return "light";
  if (body?.matches(".vscode-dark, .vscode-high-contrast")) return "dark";
  const colab = outside?.documentElement.getAttribute("theme");
  if (colab) return colab === "dark" ? "dark" : "light";
  return bright.matches ? "dark" : "light";
}

// Every component has a shadow root, as in the app: its style is its own.
function drawAll() {
  page.dataset.theme = theme();
  if (LIGHT_OR_DARK) LIGHT_OR_DARK.textContent = theme() === "dark" ? t("Light") : t("Dark");
  parts.forEach(show);
}

/** Draw parts that answer each other's clicks. @param {string} text their data */
export function add(text) {
  const group = read(text);
  parts.push(...group);
  return Promise.all(group.map((part) => show(Object.assign(part, { group }))));
}

function show(part) {
  const host = element(`#${part.id}`);
  if (part.name === "plotly") return drawChart(host, part);
  const shadow = host.shadowRoot ?? opened(host, part);
  const style = document.createElement("style");
  const sheet = main.matches(".saved") ? sheets[part.name].replaceAll("@media (max", "@media screen and (max") : sheets[part.name];
  style.textContent = sheet + WITHOUT_MODEL; // on paper a saved view is laid out as on a wide screen
  part.root = document.createElement("div");
  part.root.className = "root notranslate";
  part.root.translate = false;
  shadow.replaceChildren(style, part.root);
  return draw(part);
}

// A press of a button to which nothing can answer is told so.
function opened(host, part) {
  const shadow = host.attachShadow({ mode: "open" });
  const note = document.createElement("p");
  note.className = "quiet";
  note.role = "status";
  host.after(note);
  shadow.addEventListener("click", ({ target }) => {
    if (!target.closest("button")) return;
    const before = part.root.cloneNode(true);
    part.unanswered = false;
    setTimeout(() => (note.textContent = part.unanswered && part.root.isEqualNode(before) ? t("That needs the model, which is not in this page.") : ""), SOON_MS);
  }, true);
  return shadow;
}

function draw(part) {
  part.data = dataOf(part);
  /** @type {any} */ (window).riverbank[part.name](part.root, current(part), (name, value) => {
    const others = answers(part, name, value, part.group);
    part.unanswered = !others.length;
    for (const other of others) queueMicrotask(() => draw(other));
  });
}

const dataOf = (part) => (page.dataset.theme === "dark" && part.dark ? part.dark : part.light);

async function drawChart(host, part) {
  await (plotly ??= unpackPlotly()?.then(run));
  const { data, layout, config } = structuredClone(dataOf(part));
  const { Plotly } = /** @type {any} */ (window);
  await Plotly.react(host, data, layout, { ...config, responsive: true });
  // Names at the right end are as wide as this system's letters.
  const ends = [...host.querySelectorAll("text")].map((text) => text.getBoundingClientRect().right);
  const beyond = Math.max(...ends) - host.getBoundingClientRect().right;
  if (beyond > 0) await Plotly.relayout(host, { "margin.r": layout.margin.r + beyond });
}

// The script that draws charts, if the page has any.
export function unpackPlotly() {
  return element("#plotly") && (plotlyText ??= unpacked(element("#plotly").textContent));
}

function run(text) {
  const script = document.createElement("script");
  script.textContent = text;
  document.head.append(script);
}

export function unpacked(text) {
  const packed = new Blob([bytesOf(text)]).stream();
  return new Response(packed.pipeThrough(new DecompressionStream("gzip"))).text();
}

// In a notebook, a picture that would fit itself into the window has all the room that it wants: the frame grows with it.
if (outside) Object.defineProperty(window, "innerHeight", { value: 4000 });
let height = 0;
function fit() {
  const needed = Math.ceil(main.getBoundingClientRect().bottom) + 12;
  if (needed === height || !window.frameElement) return;
  height = needed;
  /** @type {HTMLElement} */ (window.frameElement).style.height = `${needed}px`;
}

// A frame of a page is as high as what is in it, unless the page is in a sandbox, from where it cannot be seen.
for (const frame of document.querySelectorAll("iframe")) {
  const watch = new ResizeObserver(([{ target }]) => (frame.style.height = `${/** @type {any} */ (target).offsetHeight}px`));
  frame.onload = () => frame.contentDocument && watch.observe(frame.contentDocument.documentElement);
}

function follow() {
  if (theme() !== page.dataset.theme) drawAll();
}

function choose(name) {
  chosen = name;
  follow();
}

drawAll();
add(element("#data").textContent);
new ResizeObserver(fit).observe(main);
bright.addEventListener("change", follow);
LIGHT_OR_DARK?.addEventListener("click", () => choose(theme() === "dark" ? "light" : "dark"));
let before = "";
addEventListener("beforeprint", () => ([before] = [chosen, choose("light")]));
addEventListener("afterprint", () => choose(before));
if (outside) {
  const watch = new MutationObserver(follow);
  for (const node of [outside.body, outside.documentElement])
    watch.observe(node, { attributeFilter: ["data-jp-theme-light", "data-md-color-scheme", "class", "theme"] });
}
