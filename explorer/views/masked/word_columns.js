// A sentence as columns: each word with a bar above it, as tall as its number, and a note below.
// Hover and focus show the full number. Words keep their places, and bars move smoothly from one height to
// the next.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { walkParts } from "../widgets/walk_with_tips.js";
import { onWidth } from "../widgets/width.js";

/**
 * @typedef {object} Word
 * @property {string} text
 * @property {string} [tip]
 * @property {string} [note]
 * @property {string} [tone]
 * @property {string} [number]
 * @property {number} [bar]
 *
 * @typedef {object} Data
 * @property {number} tall px of a full bar
 * @property {boolean} large
 * @property {string} title
 * @property {string} says after the title
 * @property {string} label
 * @property {Word[]} words
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, { tall, large, title, says, label, words }) {
  root.style.setProperty("--tall", `${tall}px`);
  root.classList.toggle("large", large);
  root.classList.toggle("bare", !words.some((word) => word.note));
  render(html`
    <p class="head" ?hidden=${!title}><b dir="auto">${title}</b> ${says}</p>
    <div class="words" role="group" aria-label=${label}>${words.map(column)}</div>`, root);
  if (!root.tip) onWidth(root, () => keepHeight(root.querySelector(".words"), 0)); // there they stand in other lines
  walkParts(root, { axis: "across" }, { align: "middle", gap: 4 });
  const line = root.querySelector(".words");
  layOut(line, [...line.querySelectorAll(".text")]);
  keepHeight(line, line.count === words.length ? line.tallest : 0);
}

// The tallest height is kept, so that what is below does not jump when bars come and go.
function keepHeight(words, tallest) {
  words.style.minHeight = "";
  words.count = words.children.length;
  words.tallest = Math.max(tallest, words.offsetHeight);
  words.style.minHeight = `${words.tallest}px`;
}

/** @param {Word} word */
function column({ text, tip, note, tone = "", number, bar = 0 }) {
  const look = `word ${tone} ${number === undefined ? "low" : ""}`;
  return html`
    <button type="button" class=${look} aria-label=${[text, tip].filter(Boolean).join(", ")} .tip=${tip}>
      <span class="well">
        <span class="number">${number}</span><span class="bar" style="height: ${100 * Math.min(bar, 1)}%"></span>
      </span>
      <span class="text">${text}</span>
      <span class="note">${note}</span>
    </button>`;
}

export default connect(draw);
