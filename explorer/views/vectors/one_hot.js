// The same words twice: as one-hot columns and as dense vectors, cells in colour; below each the cosines
// between the words. Hover tells a cell's number.
import { penOf } from "../widgets/canvas.js";
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { element } from "../widgets/dom.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { tooltip } from "../widgets/tooltip.js";

const CELLS_PX = 224;
const LONG = 5; // letters that a column of a phone has room for

/**
 * @typedef {object} Data
 * @property {string[]} words
 * @property {{ title: string, rows: { word?: string, text?: string, place?: number, cells?: number[] }[], cosines: number[][] }} sparse
 * @property {{ title: string, columns: number[][], most: number, per: number, cosines: number[][] }} dense
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  const ground = getComputedStyle(root).getPropertyValue("--rb-ground");
  const signature = JSON.stringify([data, ground]);
  if (root.signature === signature) return;
  root.signature = signature;
  root.words ??= build(root);
  root.style.setProperty("--words", data.words.length);
  root.classList.toggle("long", data.words.some((word) => word.length > LONG)); // upright heads on a phone
  root.replaceChildren(half(data, data.sparse, sparse(data)), half(data, data.dense, dense(data, root)), root.words.box);
}

function build(root) {
  const words = tooltip(root);
  pointing(root, (event) => words.follow(event, event.target.tell?.(event) ?? event.target.tip), words.hide);
  return words;
}

/**
 * @param {Data} data
 * @param {any} side
 * @param {any} cells
 */
function half(data, side, cells) {
  const section = element("section", "");
  section.setAttribute("aria-label", side.title);
  const heads = element("div", "heads");
  heads.append(element("span", "gutter"), ...data.words.map(named("b")));
  section.append(element("h3", "", side.title), heads, cells, element("p", "below", "cosine"), matrix(data, side));
  return section;
}

/** A word as a head, whole in its tooltip. @param {string} tag */
const named = (tag) => (/** @type {string} */ word) => Object.assign(element(tag, tag === "b" ? "" : "gutter", word), { tip: word });

/**
 * A row for every chosen word of the vocabulary, and one for all those between, which are 0 everywhere.
 * @param {Data} data
 */
function sparse(data) {
  const box = element("div", "rows");
  for (const row of data.sparse.rows) {
    const line = element("div", row.word === undefined ? "between" : "line");
    if (row.word === undefined) line.append(element("span", "gutter", ""), element("span", "zeros", row.text));
    else {
      line.append(named("span")(row.word));
      row.cells?.forEach((value, i) => {
        const cell = element("span", value ? "cell one" : "cell", String(value));
        cell.tip = `${data.words[i]}: ${value} in the place of “${row.word}” (number ${row.place})`;
        line.append(cell);
      });
    }
    box.append(line);
  }
  return box;
}

/**
 * One block of cells for each word, read row by row; a cell's colour is its number.
 * @param {Data} data
 * @param {any} root
 */
function dense(data, root) {
  const { columns, most, per } = data.dense;
  const box = element("div", "blocks");
  box.append(element("span", "gutter"));
  const ramp = [0, 1, 2].map((i) => palette(root, `difference-${i}`));
  columns.forEach((values, column) => {
    const canvas = element("canvas", "");
    const rows = Math.ceil(values.length / per);
    [canvas.width, canvas.height] = [per, rows];
    canvas.style.height = `${CELLS_PX}px`;
    canvas.setAttribute("role", "img");
    canvas.setAttribute("aria-label", `${values.length} numbers of ${data.words[column]}`);
    const pen = penOf(canvas);
    values.forEach((value, k) => {
      const part = Math.max(-1, Math.min(1, value / most));
      const [low, high] = part < 0 ? [ramp[1], ramp[0]] : [ramp[1], ramp[2]];
      pen.fillStyle = mixed(low, high, Math.abs(part));
      pen.fillRect(k % per, Math.floor(k / per), 1, 1);
    });
    canvas.tell = (event) => {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const k = Math.floor(((event.clientY - top) / height) * rows) * per + Math.floor(((event.clientX - left) / width) * per);
      return values[k] === undefined ? "" : `${data.words[column]}, number ${k + 1} of ${values.length}: ${fixed(values[k], 3)}`;
    };
    box.append(canvas);
  });
  const scale = element("div", "scale");
  scale.append(element("span", "", fixed(most, 1)), element("i", "bar"), element("span", "", fixed(-most, 1)));
  box.append(scale);
  return box;
}

/**
 * @param {Data} data
 * @param {any} side
 */
function matrix(data, side) {
  const matrixElement = element("div", "matrix");
  data.words.forEach((word, i) => {
    matrixElement.append(named("span")(word));
    data.words.forEach((other, j) => {
      const value = side.cosines[i][j];
      const cell = element("span", i === j ? "cosine same" : "cosine", fixed(value, 2));
      cell.style.setProperty("--full", `${Math.round(Math.min(Math.abs(value), 1) * 100)}%`);
      cell.tip = `cosine of ${word} and ${other}: ${fixed(value, 4)}`;
      matrixElement.append(cell);
    });
  });
  return matrixElement;
}

export default connect(draw);
