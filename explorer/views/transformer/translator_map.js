// The whole sentence at once: a row for each French token, a column for each English one, as dark as it was read.
// The largest share of all has the full colour, or the mean of many heads would be too pale to see.
import { mixed, palette } from "../widgets/colours.js";
import { html, render } from "../widgets/lit.js";

const ROOM = 260; // px for all rows

/**
 * @param {any} root
 * @param {import("./translator.js").Data} data
 * @param {{ side: string, at: number } | null} now the token that is pointed at, or chosen
 * @returns {number} the largest share
 */
export function drawMap(root, data, now) {
  const [columns, rows] = [data.source.length, data.written.length];
  const [ground, full] = ["attention-0", "attention-1"].map((name) => palette(root, name));
  root.style.gridTemplateColumns = `max-content repeat(${columns}, minmax(16px, 48px))`;
  root.style.gridTemplateRows = `max-content repeat(${rows}, ${Math.max(18, Math.min(28, ROOM / rows))}px)`;
  const largest = Math.max(...data.cross.flat());
  const on = (side, at) => now?.side === side && now?.at === at;
  const label = (look, side, token, at, stop) => html`
    <button type="button" class="part ${look} ${on(side, at) ? "on" : ""}" tabindex=${stop ? 0 : -1} .side=${side} .at=${at}>${token.text}</button>`;
  const cell = (value, row, column) => html`
    <span class="part cell ${on("target", row) || on("source", column) ? "on" : ""}" style="background: ${mixed(ground, full, value / largest)}"
      title="“${data.written[row].name}” read “${data.source[column].name}”: ${(100 * value).toFixed(1)}%" .side=${"target"} .at=${row}></span>`;
  render(html`
    <span></span>${data.source.map((token, column) => label("across", "source", token, column, false))}
    ${data.written.map((token, row) => html`
      ${label("down", "target", token, row, row === 0)}${data.cross[row].map((value, column) => cell(value, row, column))}`)}`, root);
  return largest;
}
