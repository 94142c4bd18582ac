// The same words twice: as one-hot columns and as dense vectors, cells in colour; below each the cosines
// between the words. Hover tells a cell's number.
import { penOf } from "../widgets/canvas.js";
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { html, render } from "../widgets/lit.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

const CELLS_PX = 224;
const LONG = 5; // letters that a column of a phone has room for

/**
 * @typedef {object} Data
 * @property {string[]} words
 * @property {string} measure what is below the columns
 * @property {{ title: string, rows: { word?: string, text?: string, place?: number, cells?: number[] }[], cosines: number[][] }} sparse
 * @property {{ title: string, columns: number[][], most: number, per: number, cosines: number[][] }} dense
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.style.setProperty("--words", data.words.length);
  root.classList.toggle("long", data.words.some((word) => word.length > LONG)); // upright heads on a phone
  const half = ({ title, cosines }, cells) => html`
    <section aria-label=${title}>
      <h3>${title}</h3>
      <div class="heads"><span class="gutter"></span>${data.words.map((word) => html`<b .tip=${word}>${word}</b>`)}</div>
      ${cells}
      <p class="below">${data.measure}</p>
      <div class="matrix">${matrix(data.words, cosines)}</div>
    </section>`;
  render([half(data.sparse, sparse(data)), half(data.dense, dense(data.dense, data.words))], root);
  root.querySelectorAll("canvas").forEach((canvas, i) => paint(root, canvas, data.dense, data.words[i], data.dense.columns[i]));
  if (root.told) return;
  root.told = tooltip(root);
  pointing(root, (event) => root.told.follow(event, event.target.tell?.(event) ?? event.target.tip), root.told.hide);
}

/** A word at the left edge, whole in its tooltip. @param {string | undefined} word */
const named = (word) => html`<span class="gutter" .tip=${word}>${word}</span>`;

/**
 * A row for every chosen word of the vocabulary, and one for all those between, which are 0 everywhere.
 * @param {Data} data
 */
function sparse({ words, sparse: { rows } }) {
  const cell = ({ word, place }) => (value, i) => html`
    <span class="cell ${value ? "one" : ""}" .tip=${t("{word}: {value} in the place of “{other}” (number {place})", { word: words[i], value, other: word, place })}>${value}</span>`;
  const line = (row) => row.word === undefined
    ? html`<div class="between"><span class="gutter"></span><span class="zeros">${row.text}</span></div>`
    : html`<div class="line">${named(row.word)}${row.cells?.map(cell(row))}</div>`;
  return html`<div class="rows">${rows.map(line)}</div>`;
}

/**
 * One block of cells for each word, read row by row.
 * @param {Data["dense"]} dense
 * @param {string[]} words
 */
function dense({ columns, most }, words) {
  const block = (values, i) => html`
    <canvas style="height: ${CELLS_PX}px" role="img" aria-label=${t("{count} numbers of {word}", { count: values.length, word: words[i] })}></canvas>`;
  return html`
    <div class="blocks">
      <span class="gutter"></span>${columns.map(block)}
      <div class="scale"><span>${fixed(most, 1)}</span><i class="bar"></i><span>${fixed(-most, 1)}</span></div>
    </div>`;
}

// A cell's colour is its number.
function paint(root, canvas, { most, per }, word, values) {
  const ramp = [0, 1, 2].map((i) => palette(root, `difference-${i}`));
  const rows = Math.ceil(values.length / per);
  [canvas.width, canvas.height] = [per, rows];
  const pen = penOf(canvas);
  values.forEach((value, k) => {
    const part = Math.max(-1, Math.min(1, value / most));
    pen.fillStyle = mixed(ramp[1], ramp[part < 0 ? 0 : 2], Math.abs(part));
    pen.fillRect(k % per, Math.floor(k / per), 1, 1);
  });
  canvas.tell = (event) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const k = Math.floor(((event.clientY - top) / height) * rows) * per + Math.floor(((event.clientX - left) / width) * per);
    return values[k] === undefined ? "" : t("{word}, number {number} of {count}: {value}", { word, number: k + 1, count: values.length, value: fixed(values[k], 3) });
  };
}

/**
 * @param {string[]} words
 * @param {number[][]} cosines
 */
function matrix(words, cosines) {
  const cell = (value, i, j) => html`
    <span class="cosine ${i === j ? "same" : ""}" style="--full: ${Math.round(Math.min(Math.abs(value), 1) * 100)}%"
      .tip=${t("cosine of {one} and {other}: {value}", { one: words[i], other: words[j], value: fixed(value, 4) })}>${fixed(value, 2)}</span>`;
  return words.map((word, i) => [named(word), cosines[i].map((value, j) => cell(value, i, j))]);
}

export default connect(draw);
