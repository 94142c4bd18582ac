// A cosine as a sum: rows are a question's tokens, columns a passage's, and a square is what a pair of them adds. Below,
// the passage with the sum of each column as its shade. Hover tells the numbers.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { fixed, percent } from "../widgets/numbers.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

/**
 * @typedef {{ text: string, surface: string, name: string, quiet: boolean, sum: number, space: boolean }} Token
 * @typedef {object} Data
 * @property {Token[]} rows
 * @property {Token[]} columns
 * @property {number[][]} cells
 * @property {number} cosine
 * @property {string} note
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  const { rows, columns, cells, cosine, note } = data;
  const most = Math.max(...cells.flat(), 1e-6);
  const largest = Math.max(...columns.map(({ sum }) => sum), 1e-6);
  const share = (value, of) => `--share: ${percent(Math.max(0, value / of))}`;
  const adds = (name, value) => t("{name} adds {value} of {sum}", { name, value: fixed(value, 4), sum: fixed(cosine, 4) });
  const cell = (row, i) => (column, j) => html`
    <i style=${share(cells[i][j], most)} .tip=${adds(`${row.name} × ${column.name}`, cells[i][j])}></i>`;
  const head = (token) => html`<b class=${token.quiet ? "quiet" : ""} .tip=${adds(token.name, token.sum)}>${token.text}</b>`;
  const [, i, j] = cells.flatMap((row, i) => row.map((value, j) => [value, i, j])).sort(([a], [b]) => b - a)[0];
  render(html`
    <div class="rb-wide" tabindex="0">
      <div class="grid" role="img" aria-label=${t("The pair that adds most: {row} and {column}", { row: rows[i].name, column: columns[j].name })} style="--columns: ${columns.length}">
        <span></span>${columns.map((token) => html`<span class="column">${head(token)}</span>`)}
        ${rows.map((row, i) => [html`<span class="row">${head(row)}</span>`, columns.map(cell(row, i))])}
      </div>
    </div>
    <p class="passage">${columns.filter(({ quiet }) => !quiet).map((token) => html`${token.space ? " " : ""}<span
      style=${share(token.sum, largest)} .tip=${adds(token.name, token.sum)}>${token.surface}</span>`)}</p>
    <p class="note" ?hidden=${!note}>${note}</p>`, root);
  setDirection(root.querySelector(".passage"), columns.map(({ surface }) => surface).join(" "));
  root.tip ??= tooltip(root, { of: "i, b, .passage span" });
  root.tip.refresh();
}

export default connect(draw);
