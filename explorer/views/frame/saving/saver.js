// The part of Save that the browser does: pictures of the page, its link, and a session file or a lecture
// that is chosen here or dropped anywhere on the page. Python reads the file's text. It also lays the page out on paper.
import { connect } from "../../widgets/connect.js";
import { html, render } from "../../widgets/lit.js";
import { announceChanges } from "../../widgets/live.js";
import { t } from "../../widgets/translations.js";
import { clearPaper, layPaper } from "../../look/print_layout.js";
import { printPdf } from "./saver_pdf.js";
import { asPng, asSvg, drawPicture } from "./saver_picture.js";

const STATUS_MS = 10000;
const grounds = () => ({ "": t("as on the page"), "#fff": t("white"), none: t("none") });
const words = () => ({ caption: t("what was chosen"), address: t("that and the address"), none: t("nothing") });

/**
 * @typedef {object} Data
 * @property {number} most bytes of a session file
 * @property {boolean} [drop] whether it only waits for a file that is dropped, and for the page to be printed
 * @property {boolean} [open] whether it only offers to open one
 * @property {{ label: string, box: string, file: string }[]} [pictures] the box by its selector
 * @property {string[]} [caption] the lines under a saved picture
 * @property {string} [link]
 */

/** @type {import("../../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.open = async (file) => {
    const text = file.size > data.most ? null : await file.text();
    send("opened", { name: file.name, size: file.size, text });
  };
  root.caption = data.caption;
  if (data.drop) return watch(root);
  root.keep = (picture, image) => send("kept", { label: picture.label, picture: image });
  render(data.open ? opener(root) : rows(root, data), root);
  if (data.open) return undefined;
  if (!root.status) announceChanges((root.status = root.querySelector(".say")));
  const { status } = root;
  if (status.textContent === (status.usual ?? "")) status.textContent = data.link ?? "";
  status.usual = data.link ?? "";
  return undefined;
}

/**
 * Rows with the pictures and the link; below them a status, in which an action shows for a while what it returns.
 * @param {any} root
 * @param {Data} data
 */
function rows(root, { pictures = [] }) {
  root.look ??= { ground: "", words: "caption" };
  const row = (label, parts, look = "row") => html`<div class=${look}><span>${label}</span>${parts}</div>`;
  const action = (text, label, act) => html`
    <button type="button" aria-label=${label} @click=${({ currentTarget }) => run(root, currentTarget, act)}>${text}</button>`;
  const choice = (label, name, options) => row(label, html`
    <select aria-label=${label} @change=${({ target }) => (root.look[name] = target.value)}>${Object.entries(options).map(([value, text]) => html`
      <option value=${value} ?selected=${value === root.look[name]}>${text}</option>`)}
    </select>`);
  return html`
    ${pictures.map((picture) => row(picture.label, [
      action(t("Keep"), t("Keep {picture} in my notebook", { picture: picture.label }), () => keepPicture(root, picture)),
      ...Object.entries({ PNG: asPng, SVG: asSvg, PDF: null }).map(([kind, write]) =>
        action(write ? kind : t("PDF (print)"), write ? t("{picture} as {kind}", { picture: picture.label, kind }) : t("{picture} as {kind}, by printing it", { picture: picture.label, kind }), () => savePicture(root, picture, kind, write))),
    ]))}
    ${choice(t("Its ground"), "ground", grounds())}${choice(t("Under it"), "words", words())}
    ${row(t("Link to this view"), action(t("Copy"), t("Copy the link"), copyLink), "row last")}
    <p class="say"></p>`;
}

async function run({ status }, control, act) {
  control.disabled = true;
  status.textContent = await act().catch((problem) => t("Failed: {problem}", { problem: problem.message }));
  control.disabled = false;
  control.focus();
  clearTimeout(status.timer);
  status.timer = setTimeout(() => (status.textContent = status.usual), STATUS_MS);
}

// The picture alone: the notebook has its caption as text.
async function keepPicture(root, picture) {
  const box = document.querySelector(picture.box);
  if (!box || !box.getBoundingClientRect().height) return t("There is no picture yet.");
  const image = await asPng(drawPicture(box, picture.label));
  const reader = new FileReader();
  await new Promise((done, fail) => Object.assign(reader, { onload: done, onerror: fail }).readAsDataURL(image));
  root.keep(picture, reader.result);
  return t("Kept in your notebook.");
}

async function savePicture(root, picture, kind, write) {
  const box = document.querySelector(picture.box);
  if (!box || !box.getBoundingClientRect().height) return t("There is no picture yet.");
  const { ground, words: below } = root.look;
  const scheme = getComputedStyle(document.documentElement).getPropertyValue("--rb-scheme").trim();
  if (ground === "#fff" && scheme === "dark") return t("White paper needs the light look: choose it in the menu ⋮, Settings.");
  const lines = below === "none" ? [] : [...(root.caption ?? []), ...(below === "address" ? [location.href] : [])];
  const drawn = drawPicture(box, picture.label, lines, ground);
  if (!write) return printPdf(drawn, picture.file);
  const name = `${picture.file}.${kind.toLowerCase()}`;
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(await write(drawn));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  return t("Saved as {name}.", { name });
}

// Beyond this computer a page has no secure clipboard: then the old way.
async function copyLink() {
  if (navigator.clipboard) await navigator.clipboard.writeText(location.href);
  else {
    const text = document.createElement("textarea");
    text.value = location.href;
    document.body.append(text);
    text.select();
    const done = document.execCommand("copy");
    text.remove();
    if (!done) throw new Error(t("copy the address of this page."));
  }
  return t("Copied.");
}

function opener(root) {
  const choose = ({ target: input }) => {
    if (input.files.length) root.open(input.files[0]);
    input.value = "";
  };
  return html`
    <div class="open">
      <button type="button" @click=${() => root.querySelector("input").click()}>${t("Open a session or a lecture…")}</button>
      <input type="file" accept=".json,.md,.markdown,.txt" @change=${choose}>
      <p class="say">${t("Or drop it anywhere on the page: a session file, or a Markdown or text file with links.")}</p>
    </div>`;
}

// Read a file that is dropped on the page, unless it is dropped on something that takes files itself.
function watch(root) {
  if (root.listening) return undefined;
  root.listening = true;
  const take = (event) => {
    const uploading = event.composedPath().some((at) => at.matches?.('[data-testid="stFileUploader"], [data-takes-files]'));
    if (uploading || !event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    if (event.type === "drop" && event.dataTransfer.files.length) root.open(event.dataTransfer.files[0]);
  };
  const events = ["dragover", "drop"];
  for (const type of events) document.addEventListener(type, take);
  const print = () => layPaper(root.caption);
  addEventListener("beforeprint", print);
  addEventListener("afterprint", clearPaper);
  return () => {
    root.listening = false;
    removeEventListener("beforeprint", print);
    removeEventListener("afterprint", clearPaper);
    for (const type of events) document.removeEventListener(type, take);
  };
}

export default connect(draw);
