// Choices of layers as rows: which layers are read, and how far a head gets with them, here and in a paper.
import { connect } from "../widgets/connect.js";
import { presents } from "../widgets/fill_window.js";
import { html, nothing, render } from "../widgets/lit.js";
import { percent } from "../widgets/numbers.js";
import { t } from "../widgets/translations.js";

/**
 * @typedef {{ share: number, number: string, best: boolean }} Bar
 * @typedef {object} Data
 * @property {string} label
 * @property {string[]} heads of the two columns of bars
 * @property {{ name: string, layers: boolean[], sign: string, bars: (Bar | null)[] }[]} rows
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.classList.toggle("presented", presents());
  const heading = (text) => html`<div class="cell" role="columnheader">${text}</div>`;
  const squares = ({ layers, sign }) => layers.map((used, i) => html`
    ${i && sign && used && layers[i - 1] ? html`<span class="sign">${sign}</span>` : nothing}
    <span class="square ${used ? "used" : ""}"></span>`);
  const read = ({ layers }) => layers.flatMap((used, i) => (used ? [i ? t("layer {n}", { n: i }) : t("the embedding")] : [])).join(", ");
  render(html`
    <div class="table" role="table" aria-label=${data.label}>
      <div class="row head" role="row">
        ${heading(t("layers"))}<div class="cell" role="cell"></div>${data.heads.map(heading)}
      </div>
      ${data.rows.map((row) => html`
        <div class="row" role="row">
          <div class="name" role="cell">${row.name}</div>
          <div class="squares" role="cell" aria-label=${t("reads {layers}", { layers: read(row) })}>${squares(row)}</div>
          ${row.bars.map(cell)}
        </div>`)}
    </div>`, root);
}

/** @param {Bar | null} bar @param {number} column */
function cell(bar, column) {
  // The paper's numbers are near 1: a bar would say nothing of them.
  const track = () => html`<span class="track"><span class="bar" style="width: ${percent(bar?.share ?? 0)}"></span></span>`;
  return html`
    <div class="cell" role="cell">
      ${bar && !column ? track() : nothing}<span class="number ${bar?.best ? "best" : ""}">${bar?.number ?? "–"}</span>
    </div>`;
}

export default connect(draw);
