// Words across, layers down, from the embedding at the top: in each cell what is read there. Hover and the
// arrow keys tell the numbers.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { html, nothing, render } from "../widgets/lit.js";
import { t } from "../widgets/translations.js";
import { walkCells } from "../widgets/walk_with_tips.js";

const LETTER_PX = 9.7; // of the code font at 16 px
const NARROWEST = 58;

/**
 * @typedef {object} Cell
 * @property {{ text: string, kind: string, colour?: string, ink?: string }[]} chips
 * @property {string} tip
 * @property {boolean} [fresh] what is read here is not what the layer below it read
 *
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, note: string, chosen: boolean }[]} columns
 * @property {string} ask what a click on a word does; empty where it does nothing
 * @property {{ name: string, kind: string, cells: Cell[] }[]} rows
 * @property {boolean} changing whether only the words whose cells change have colours
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const changes = data.columns.map((_, at) => data.rows.some(({ cells }) => cells[at].fresh));
  const still = (/** @type {string} */ kind, /** @type {number} */ at) => data.changing && kind !== "known" && changes.includes(true) && !changes[at];
  const word = ({ text, note, chosen }, at) => {
    const look = `word ${chosen ? "chosen" : ""}`;
    const words = html`${text}<span class="note">${note}</span>`;
    if (!data.ask) return html`<span class=${look} role="columnheader">${words}</span>`;
    return html`<button type="button" class=${look} role="columnheader" title=${data.ask} @click=${() => send("pick", at)}>${words}</button>`;
  };
  render(html`
    <div class="rb-wide">
      <div class="grid" role="grid" aria-label=${data.label} style="--wide: ${width(data)}px; --words: ${data.columns.length}">
        <div class="row head" role="row"><span class="name"></span>${data.columns.map(word)}</div>
        ${data.rows.map(({ kind, name, cells }) => html`
          <div class="row ${kind}" role="row"><span class="name" role="rowheader">${name}</span>${cells.map((cell, at) => drawCell(cell, still(kind, at)))}</div>`)}
      </div>
    </div>`, root);
  setDirection(root.querySelector(".grid"), data.columns.map(({ text }) => text));
  walkCells(root, data.columns.length);
}

// A column is as wide as the longest text in it needs.
function width({ rows, columns }) {
  const chips = rows.flatMap((row) => row.cells.flatMap((cell) => cell.chips.map((chip) => chip.text.length)));
  const words = columns.flatMap((column) => [column.text.length * 1.06, column.note.length]);
  return Math.min(Math.max(NARROWEST, Math.max(...chips, ...words, 1) * LETTER_PX + 8), 150);
}

/**
 * @param {Cell} cell
 * @param {boolean} still
 */
function drawCell({ chips, tip, fresh }, still) {
  const paint = (/** @type {{ colour?: string, ink?: string }} */ { colour, ink }) => `${colour ? `background: ${colour};` : ""}${ink ? `color: ${ink}` : ""}`;
  return html`
    <div class="cell ${fresh ? "fresh" : ""} ${still ? "still" : ""}" role="gridcell" tabindex="-1" aria-label=${tip.replaceAll("\n", ", ") || t("nothing")} .tip=${tip}>
      ${chips.map((chip) => html`<span class="chip ${chip.kind}" style=${paint(chip) || nothing}>${chip.text}</span>`)}
    </div>`;
}

export default connect(draw);
