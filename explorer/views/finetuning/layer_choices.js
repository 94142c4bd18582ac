// Choices of layers as rows: which layers are read, and how far a head gets with them, here and in a paper.
import { connect } from "../widgets/connect.js";
import { add } from "../widgets/dom.js";
import { presents } from "../widgets/fill_window.js";
import { percent } from "../widgets/numbers.js";

/**
 * @typedef {{ share: number, number: string, best: boolean }} Bar
 * @typedef {object} Data
 * @property {string} label
 * @property {string[]} heads of the two columns of bars
 * @property {{ name: string, layers: boolean[], sign: string, bars: (Bar | null)[] }[]} rows
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.replaceChildren();
  root.classList.toggle("presented", presents());
  const table = add(root, "div", "table");
  table.setAttribute("role", "table");
  table.setAttribute("aria-label", data.label);
  const head = add(table, "div", "row head");
  head.setAttribute("role", "row");
  for (const text of ["layers", "", ...data.heads]) add(head, "div", "cell", text).setAttribute("role", "columnheader");
  head.children[1].setAttribute("role", "cell"); // the squares have no heading
  for (const { name, layers, sign, bars } of data.rows) {
    const row = add(table, "div", "row");
    row.setAttribute("role", "row");
    add(row, "div", "name", name).setAttribute("role", "cell");
    const squares = add(row, "div", "squares");
    squares.setAttribute("role", "cell");
    const read = layers.flatMap((used, i) => (used ? [i ? `layer ${i}` : "the embedding"] : []));
    squares.setAttribute("aria-label", `reads ${read.join(", ")}`);
    layers.forEach((used, i) => {
      if (i && sign && used && layers[i - 1]) add(squares, "span", "sign", sign);
      add(squares, "span", used ? "square used" : "square");
    });
    bars.forEach((bar, i) => drawBar(row, bar, i));
  }
}

function drawBar(row, bar, column) {
  const cell = add(row, "div", "cell");
  cell.setAttribute("role", "cell");
  if (!bar) {
    add(cell, "span", "number", "–");
    return;
  }
  if (!column) add(add(cell, "span", "track"), "span", "bar").style.width = percent(bar.share); // the paper's are near 1
  add(cell, "span", bar.best ? "number best" : "number", bar.number);
}

export default connect(draw);
