// A button that opens a list of words with their senses: search, arrow keys, Enter; the choice closes it.
import { connect } from "../widgets/connect.js";
import { add, button, element, partOf, strong, zoomOf } from "../widgets/dom.js";
import { bringToMiddle, inView } from "../widgets/into_view.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} question
 * @property {{ word: string, senses: string[] }[]} words
 * @property {string} chosen
 * @property {{ name: string, label: string }[]} kinds
 * @property {string} kind
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.panel) build(root);
  root.send = send;
  const signature = JSON.stringify(data);
  if (root.signature === signature) return;
  root.signature = signature;
  root.data = data;
  root.opener.firstChild.textContent = data.label;
  root.search.placeholder = `Search ${data.words.length} words`;
  root.search.setAttribute("aria-label", root.search.placeholder);
  root.list.setAttribute("aria-label", data.label);
  root.kinds.setAttribute("aria-label", data.question);
  root.kinds.replaceChildren(...data.kinds.map((kind) => {
    const kindElement = button("kind", kind.label, () => root.send("kind", kind.name));
    kindElement.setAttribute("role", "radio");
    kindElement.setAttribute("aria-checked", String(kind.name === data.kind));
    return kindElement;
  }));
  fill(root);
}

function build(root) {
  root.opener = button("opener");
  root.opener.append(element("span", ""), element("span", "arrow"));
  root.opener.setAttribute("aria-haspopup", "dialog");
  root.panel = element("div", "panel");
  root.panel.popover = "auto";
  root.opener.popoverTargetElement = root.panel; // the browser's own way: a second click closes it
  root.search = element("input", "search");
  root.search.autofocus = true; // the panel focuses it as it opens: the next letter is for the search
  root.search.type = "text";
  root.search.dir = "auto";
  root.search.spellcheck = false;
  root.list = element("div", "list");
  root.list.setAttribute("role", "listbox");
  root.kinds = element("div", "kinds");
  root.kinds.setAttribute("role", "radiogroup");
  root.panel.append(root.search, root.list, root.kinds);
  root.append(root.opener, root.panel);
  root.panel.addEventListener("beforetoggle", (event) => event.newState === "open" && renew(root));
  root.panel.addEventListener("toggle", (event) => event.newState === "open" && point(root, root.at));
  root.search.addEventListener("input", () => fill(root));
  root.panel.addEventListener("keydown", (event) => {
    event.stopPropagation(); // the app's own one-letter shortcuts stay out of the search
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    const inList = !root.kinds.contains(event.target);
    if (by && inList) point(root, root.at + by);
    else if (event.key === "Enter" && inList && !event.isComposing) pick(root, root.shown[root.at]);
    else return;
    event.preventDefault();
  });
  root.list.addEventListener("click", (event) => {
    const entry = partOf(event, ".entry");
    if (entry) pick(root, root.shown[[...root.list.children].indexOf(entry)]);
  });
  window.addEventListener("resize", () => place(root));
}

function renew(root) {
  place(root);
  root.search.value = "";
  fill(root);
}

// Below its button, inside the window. Presenter mode enlarges the page: px here are not px on the screen.
function place(root) {
  const box = root.opener.getBoundingClientRect();
  const zoom = zoomOf(root.opener);
  const room = window.innerHeight - box.bottom - 16;
  root.panel.style.left = `${Math.max(8, Math.min(box.left, window.innerWidth - 456 * zoom)) / zoom}px`;
  root.panel.style.top = `${(box.bottom + 6) / zoom}px`;
  root.panel.style.maxHeight = `${Math.max(200, room / zoom)}px`;
}

// Words that begin with what is typed, then those with a sense that does, then those that have it anywhere.
function fill(root) {
  const typed = root.search.value.trim().toLowerCase();
  const rank = ({ word, senses }) =>
    word.startsWith(typed) ? 0 : senses.some((s) => s.startsWith(typed)) ? 1 : word.includes(typed) ? 2 : 3;
  root.shown = root.data.words.filter((entry) => rank(entry) < 3).sort((a, b) => rank(a) - rank(b));
  root.list.replaceChildren(...root.shown.map(line));
  if (!root.shown.length) root.list.append(element("p", "none", "No such word or sense"));
  const chosen = root.shown.findIndex(({ word }) => word === root.data.chosen);
  point(root, typed ? 0 : Math.max(chosen, 0));
}

function line({ word, senses }) {
  const entryElement = element("div", "entry");
  entryElement.setAttribute("role", "option");
  entryElement.append(strong(word), element("span", "senses", senses.join(" · ")));
  add(entryElement, "span", "count", senses.length).title = `${senses.length} senses`;
  return entryElement;
}

function point(root, to) {
  if (!root.shown.length) return;
  root.at = Math.min(Math.max(to, 0), root.shown.length - 1);
  [...root.list.children].forEach((each, i) => each.setAttribute("aria-selected", i === root.at));
  const line = root.list.children[root.at];
  if (!inView(root.list, line)) bringToMiddle(root.list, line);
}

function pick(root, entry) {
  if (!entry) return;
  root.panel.hidePopover();
  root.opener.focus();
  root.send("word", entry.word);
}

export default connect(draw);
