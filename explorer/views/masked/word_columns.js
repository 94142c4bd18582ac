// A sentence as columns: each word with a bar above it, as tall as its number, and a note below.
// Hover and focus show the full number. Words keep their places, and bars move smoothly from one height to
// the next.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, resize, strong } from "../widgets/dom.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {number} tall px of a full bar
 * @property {string} title
 * @property {string} says after the title
 * @property {string} label
 * @property {{
 *   text: string, tip?: string, note?: string, tone?: string, number?: string, bar?: number,
 *   }[]} words
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  if (!root.words) build(root);
  root.style.setProperty("--tall", `${data.tall}px`);
  root.classList.toggle("bare", !data.words.some((word) => word.note));
  root.head.hidden = !data.title;
  root.head.replaceChildren(strong(data.title), ` ${data.says}`);
  root.words.setAttribute("aria-label", data.label);
  const words = resize(root.words, data.words.length, newWord);
  data.words.forEach((word, place) => update(words[place], word, place));
  layOut(root.words, words.map(({ parts }) => parts.text));
  if (root.count !== data.words.length) [root.count, root.tallest] = [data.words.length, 0];
  keepHeight(root, root.tallest);
}

function build(root) {
  root.head = add(root, "p", "head");
  root.words = add(root, "div", "words");
  root.words.setAttribute("role", "group");
  // In another width the words stand in other lines.
  let wide = 0;
  new ResizeObserver(() => {
    if (wide !== (wide = root.clientWidth)) keepHeight(root, 0);
  }).observe(root);
  tooltip(root, { of: "button", align: "middle", gap: 4 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across" });
}

// The tallest height is kept, so that what is below does not jump when bars come and go.
function keepHeight(root, tallest) {
  root.words.style.minHeight = "";
  root.tallest = Math.max(tallest, root.words.offsetHeight);
  root.words.style.minHeight = `${root.tallest}px`;
}

function newWord() {
  const word = button("word");
  const well = add(word, "span", "well");
  word.parts = {
    number: add(well, "span", "number"),
    bar: add(well, "span", "bar"),
    text: add(word, "span", "text"),
    note: add(word, "span", "note"),
  };
  return word;
}

function update(column, word, place) {
  const { number, bar, text, note } = column.parts;
  column.className = `word ${word.tone ?? ""}`;
  column.classList.toggle("low", word.number === undefined);
  column.tabIndex = place === 0 ? 0 : -1;
  column.tip = word.tip;
  number.textContent = word.number ?? "";
  bar.style.height = `${100 * Math.min(word.bar ?? 0, 1)}%`;
  text.textContent = word.text;
  note.textContent = word.note ?? "";
  column.setAttribute("aria-label", [word.text, word.tip].filter(Boolean).join(", "));
}

export default connect(draw);
