// The part of Save that the browser does: pictures of what is on the page, the link, and a session file or
// a lecture that is chosen here or dropped anywhere on the page. Python reads the file's text.
import { connect } from "../widgets/connect.js";
import { button, element } from "../widgets/dom.js";
import { asPng, asSvg, drawPicture } from "./saver_picture.js";

const SAID_MS = 2500;

/**
 * @typedef {object} Data
 * @property {number} most bytes of a session file
 * @property {boolean} [drop] whether it only waits for a file that is dropped
 * @property {boolean} [open] whether it only offers to open one
 * @property {{ label: string, box: string, file: string }[]} [pictures] the box by its selector
 * @property {string[]} [caption] what stands under a saved picture, above its link
 * @property {string} [link]
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.most = data.most;
  root.open = async (file) => {
    const text = file.size > root.most ? null : await file.text();
    send("opened", { name: file.name, size: file.size, text });
  };
  if (data.drop) return watch(root);
  const told = JSON.stringify(data);
  if (root.told === told) return undefined;
  root.told = told;
  root.replaceChildren(...(data.open ? [opener(root)] : rows(data)));
  return undefined;
}

/**
 * Rows with the pictures and the link.
 * @param {Data} data
 */
function rows(data) {
  const say = element("p", "say", data.link);
  say.setAttribute("aria-live", "polite");
  const made = (data.pictures ?? []).map((one) => {
    const row = element("div", "row");
    row.append(element("span", "", one.label));
    for (const [kind, written] of [["PNG", asPng], ["SVG", asSvg]]) {
      row.append(saying(kind, `${one.label} as ${kind}`, say, () => savePicture(one, kind, written, data.caption)));
    }
    return row;
  });
  const link = element("div", "row last");
  link.append(element("span", "", "Link to this view"), saying("Copy", "Copy the link", say, copyLink));
  return [...made, link, say];
}

// A button that says in `say` what came of it.
function saying(text, label, say, act) {
  const made = button("", text);
  made.setAttribute("aria-label", label);
  made.onclick = async () => {
    made.disabled = true;
    const before = say.before ?? (say.before = say.textContent);
    say.textContent = await act().catch((problem) => `Failed: ${problem.message}`);
    made.disabled = false;
    made.focus();
    clearTimeout(say.timer);
    say.timer = setTimeout(() => (say.textContent = before), SAID_MS);
  };
  return made;
}

async function savePicture(one, kind, written, caption = []) {
  const box = document.querySelector(one.box);
  if (!box || !box.getBoundingClientRect().height) return "There is no picture yet.";
  const name = `${one.file}.${kind.toLowerCase()}`;
  const anchor = document.createElement("a");
  anchor.href = URL.createObjectURL(await written(drawPicture(box, one.label, [...caption, location.href])));
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10000);
  return `Saved as ${name}.`;
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
    if (!done) throw new Error("copy the address of this page.");
  }
  return "Copied.";
}

function opener(root) {
  const box = element("div", "open");
  const input = element("input");
  input.type = "file";
  input.accept = ".json,.md,.markdown,.txt";
  input.onchange = () => {
    if (input.files.length) root.open(input.files[0]);
    input.value = "";
  };
  const open = button("", "Open a session or a lecture…", () => input.click());
  box.append(open, input, element("p", "say", "Or drop it anywhere on the page: a session file, or a Markdown or text file with links."));
  return box;
}

// A dropped file is a session file or a lecture, unless it is dropped on something that takes files itself.
function watch(root) {
  if (root.listening) return undefined;
  root.listening = true;
  const ours = (event) =>
    [...(event.dataTransfer?.types ?? [])].includes("Files") &&
    !event.composedPath().some((at) => at.matches?.('[data-testid="stFileUploader"], [data-takes-files]'));
  const over = (event) => ours(event) && event.preventDefault();
  const drop = (event) => {
    if (!ours(event)) return;
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) root.open(file);
  };
  document.addEventListener("dragover", over);
  document.addEventListener("drop", drop);
  return () => {
    root.listening = false;
    document.removeEventListener("dragover", over);
    document.removeEventListener("drop", drop);
  };
}

export default connect(draw);
