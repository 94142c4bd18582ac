// A sentence in which some words were replaced. At first the words alone, and a click marks one as a suspect;
// after the reveal, under each word the discriminator's verdict and the losses of both objectives. All bars
// of a row have the same scale, which the row's label names.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { walkParts } from "../widgets/walk_with_tips.js";

const FULL_PX = 50;

/**
 * @typedef {{ share: number, number: string }} Bar its share of a full bar
 * @typedef {{
 *   at: number, text: string, tip: string, replaced: boolean, suspected: boolean, selected: boolean, was: string,
 *   bars: (Bar | null)[],
 *   }} Word
 * @typedef {{ name: string, scale: string, middle?: boolean }} Row
 * @typedef {object} Data
 * @property {string} label
 * @property {boolean} active whether a click acts
 * @property {string} reads the label of the words
 * @property {Row[]} rows the labels of the rows of bars; none before the reveal
 * @property {Word[]} words
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.classList.toggle("active", data.active);
  render(html`
    <div class="labels">
      <b class="reads">${data.reads}</b>
      <div class="rows">${data.rows.map(({ name, scale }) => html`<div class="row"><b>${name}</b><span>${scale}</span></div>`)}</div>
    </div>
    <div class="words" role="group" aria-label=${data.label}>
      ${data.words.map((word) => drawWord(word, data.rows, () => data.active && send("click", word.at)))}
    </div>`, root);
  walkParts(root, { axis: "across" }, { align: "middle", gap: 4 });
  layOut(root.querySelector(".words"), [...root.querySelectorAll(".text")]);
}

/**
 * @param {Word} word
 * @param {Row[]} rows
 * @param {() => unknown} click
 */
function drawWord({ text, tip, replaced, suspected, selected, was, bars }, rows, click) {
  const look = `word ${replaced ? "replaced" : ""} ${suspected ? "suspected" : ""} ${selected ? "selected" : ""}`;
  const bar = (/** @type {Row} */ { middle }, /** @type {number} */ i) => html`
    <span class="row ${middle ? "middle" : ""}">
      <span class="number">${bars[i]?.number}</span>
      <span class="bar" style="height: ${FULL_PX * Math.min(bars[i]?.share ?? 0, 1)}px"></span>
    </span>`;
  return html`
    <button type="button" class=${look} aria-pressed=${suspected || selected} aria-label=${[text, tip].filter(Boolean).join(", ")}
      .tip=${tip} @click=${click}>
      <span class="was">${was}</span><span class="text">${text}</span><span class="bars">${rows.map(bar)}</span>
    </button>`;
}

export default connect(draw);
