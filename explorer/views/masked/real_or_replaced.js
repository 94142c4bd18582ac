// A sentence in which some words were replaced. At first the words alone, and a click marks one as a suspect;
// after the reveal, under each word the discriminator's verdict and the losses of both objectives. All bars
// of a row have the same scale, which the row's label names.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element, partOf, resize } from "../widgets/dom.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

const FULL_PX = 50;

/**
 * @typedef {object} Bar
 * @property {number} share of a full bar
 * @property {string} number
 */

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {boolean} active whether a click acts
 * @property {string} reads the label of the words
 * @property {{ name: string, scale: string, middle?: boolean }[]} rows the labels of the rows of bars; none before the reveal
 * @property {{
 *   at: number, text: string, tip: string, replaced: boolean, suspected: boolean, selected: boolean, was: string,
 *   bars: (Bar | null)[],
 *   }[]} words
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.words) build(root);
  root.classList.toggle("active", data.active);
  root.words.setAttribute("aria-label", data.label);
  root.reads.textContent = data.reads;
  resize(root.rows, data.rows.length, newLabel).forEach((label, i) => {
    label.name.textContent = data.rows[i].name;
    label.scale.textContent = data.rows[i].scale;
  });
  const words = resize(root.words, data.words.length, newWord);
  words.forEach((word, i) => update(word, data.words[i], i, data));
  layOut(root.words, words.map(({ text }) => text));
  root.tip.refresh();
  root.onclick = (event) => {
    const word = partOf(event, "button");
    if (word && data.active) send("click", word.at);
  };
}

function build(root) {
  root.labels = add(root, "div", "labels");
  root.reads = add(root.labels, "b", "reads");
  root.rows = add(root.labels, "div", "rows");
  root.words = add(root, "div", "words");
  root.words.setAttribute("role", "group");
  root.tip = tooltip(root, { of: "button", align: "middle", gap: 4 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across" });
}

function newLabel() {
  const label = element("div", "row");
  label.name = add(label, "b");
  label.scale = add(label, "span");
  return label;
}

function newWord() {
  const word = button("word");
  word.was = add(word, "span", "was");
  word.text = add(word, "span", "text");
  word.rows = add(word, "span", "bars");
  return word;
}

function newBar() {
  const row = element("span", "row");
  row.number = add(row, "span", "number");
  row.bar = add(row, "span", "bar");
  return row;
}

function update(chip, word, place, data) {
  chip.className = "word";
  for (const name of ["replaced", "suspected", "selected"]) chip.classList.toggle(name, word[name]);
  Object.assign(chip, { at: word.at, tip: word.tip });
  chip.tabIndex = place === 0 ? 0 : -1;
  chip.was.textContent = word.was;
  chip.text.textContent = word.text;
  chip.setAttribute("aria-pressed", String(word.suspected || word.selected));
  chip.setAttribute("aria-label", [word.text, word.tip].filter(Boolean).join(", "));
  resize(chip.rows, data.rows.length, newBar).forEach((row, i) => {
    row.classList.toggle("middle", Boolean(data.rows[i].middle));
    row.number.textContent = word.bars[i]?.number ?? "";
    row.bar.style.height = `${FULL_PX * Math.min(word.bars[i]?.share ?? 0, 1)}px`;
  });
}

export default connect(draw);
