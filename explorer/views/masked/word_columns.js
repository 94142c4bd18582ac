// Sentences as columns: each word with a bar above it, as tall as its number, and a note below.
// Hover and focus show the full number; if `active`, a click on a word is reported. Words keep their
// places, and bars move smoothly from one height to the next.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element, partOf, resize, strong } from "../widgets/dom.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {boolean} active whether a click acts
 * @property {number} tall px of a full bar
 * @property {{
 *   title: string, says: string, label: string,
 *   words: {
 *   text: string, tip?: string, note?: string, tone?: string, glued?: boolean, number?: string, bar?: number,
 *   }[],
 *   }[]} lines
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.lines) build(root);
  root.classList.toggle("active", data.active);
  root.style.setProperty("--tall", `${data.tall}px`);
  root.classList.toggle("bare", !data.lines.some((line) => line.words.some((word) => word.note)));
  const lines = resize(root.lines, data.lines.length, newLine);
  data.lines.forEach((line, number) => fill(lines[number], line, number));
  root.onclick = (event) => {
    const word = partOf(event, "button");
    if (word && data.active) send("click", { line: word.line, word: word.place });
  };
}

function build(root) {
  root.lines = add(root, "div", "lines");
  // In another width the words stand in other lines.
  let wide = 0;
  new ResizeObserver(() => {
    if (wide !== (wide = root.clientWidth)) [...root.lines.children].forEach((line) => keepHeight(line, 0));
  }).observe(root);
  tooltip(root, { of: "button", align: "middle", gap: 4 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across" });
}

function newLine() {
  const line = element("div", "line");
  line.head = add(line, "p", "head");
  line.words = add(line, "div", "words");
  line.words.setAttribute("role", "group");
  return line;
}

function fill(line, data, number) {
  line.head.hidden = !data.title;
  line.head.replaceChildren(strong(data.title), ` ${data.says}`);
  line.words.setAttribute("aria-label", data.label);
  const words = resize(line.words, data.words.length, newWord);
  data.words.forEach((word, place) => update(words[place], word, number, place));
  layOut(line.words, words.map(({ parts }) => parts.text));
  if (line.count !== data.words.length) [line.count, line.tallest] = [data.words.length, 0];
  keepHeight(line, line.tallest);
}

// The tallest height is kept, so that what is below does not jump when bars come and go.
function keepHeight(line, tallest) {
  line.words.style.minHeight = "";
  line.tallest = Math.max(tallest, line.words.offsetHeight);
  line.words.style.minHeight = `${line.tallest}px`;
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

function update(column, word, line, place) {
  const { number, bar, text, note } = column.parts;
  column.className = `word ${word.tone ?? ""}`;
  column.classList.toggle("glued", Boolean(word.glued));
  column.classList.toggle("low", word.number === undefined);
  column.tabIndex = line === 0 && place === 0 ? 0 : -1;
  Object.assign(column, { line, place, tip: word.tip });
  number.textContent = word.number ?? "";
  bar.style.height = `${100 * Math.min(word.bar ?? 0, 1)}%`;
  text.textContent = word.text;
  note.textContent = word.note ?? "";
  column.setAttribute("aria-label", [word.text, word.tip].filter(Boolean).join(", "));
}

export default connect(draw);
