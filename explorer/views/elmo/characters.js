// A word on its way through ELMo's character network: a row for each width of filter, then the highway, then
// the vector. Pointing at a piece marks its letters.
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { isolated, setDirection } from "../widgets/direction.js";
import { add, element, partOf } from "../widgets/dom.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { node } from "../widgets/svg.js";
import { tooltip } from "../widgets/tooltip.js";

const SIGNS = { begin: "‹", end: "›" };
const sign = (character) => SIGNS[character] ?? character;

/**
 * @typedef {{ start: number, characters: string[], strongest: number, filters: number }} Piece
 * @typedef {{ width: number, count: number, covers: number[], pieces: Piece[] }} Width
 * @typedef {object} Data
 * @property {string} word
 * @property {string[]} characters
 * @property {Width[]} widths
 * @property {{ share: number, carried: number[] }[]} highways
 * @property {number[]} vector
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  const signature = JSON.stringify([data, getComputedStyle(root).getPropertyValue("--rb-ground")]);
  if (root.signature === signature) return;
  root.signature = signature;
  root.replaceChildren();
  root.style.setProperty("--count", String(data.characters.length));
  root.classList.toggle("long", data.characters.length > 18);
  data.widths.forEach((width) => root.append(widthRow(data, width)));
  data.highways.forEach((highway, i) => root.append(highwayRow(highway, data.highways.length > 1 ? ` ${i + 1}` : "")));
  root.append(vectorRow(root, data.vector));
  root.words ??= build(root);
  root.append(root.words.box);
}

function build(root) {
  const words = tooltip(root);
  const point = (event) => {
    words.follow(event, event.target.tip ?? partOf(event, ".piece")?.tip);
    mark(root, partOf(event, ".piece"));
  };
  const leave = () => {
    words.hide();
    mark(root, null);
  };
  pointing(root, point, leave);
  return words;
}

/**
 * @param {Data} data
 * @param {Width} width
 */
function widthRow(data, width) {
  const row = element("div", "row");
  const name = add(row, "span", "name", width.width === 1 ? "1 letter" : `${width.width} letters`);
  add(name, "small", "", `${width.count} filters`);
  const letters = add(row, "span", "letters");
  letters.setAttribute("role", "img");
  setDirection(letters, data.word);
  letters.setAttribute("aria-label", `${data.word}, as filters of ${width.width} characters see it`);
  const most = Math.max(...width.covers, 1e-9);
  data.characters.forEach((character, i) => {
    const cell = add(letters, "span", "letter", sign(character));
    cell.style.setProperty("--part", `${Math.round((width.covers[i] / most) * 100)}%`);
    cell.tip = `${Math.round(width.covers[i] * 100)}% of these filters match best on “${sign(character)}”`;
  });
  const pieces = add(row, "span", "pieces rb-wide");
  for (const piece of width.pieces) {
    const chip = add(pieces, "span", "piece", isolated(piece.characters.map(sign).join("")));
    add(chip, "small", "", fixed(piece.strongest, 1));
    chip.cells = [...letters.children].slice(piece.start, piece.start + width.width);
    chip.tip = `${piece.filters} of ${width.count} filters match best here; the strongest reaches ${fixed(piece.strongest, 2)}`;
  }
  return row;
}

/**
 * @param {{ share: number, carried: number[] }} highway
 * @param {string} which
 */
function highwayRow(highway, which) {
  const row = element("div", "row");
  const name = add(row, "span", "name", `highway${which}`);
  add(name, "small", "", `${highway.carried.length} numbers`);
  const picture = node("svg", { viewBox: "0 0 100 40", preserveAspectRatio: "none", class: "highway", role: "img" });
  picture.setAttribute("aria-label", `${Math.round(highway.share * 100)}% passed through unchanged`);
  const last = Math.max(highway.carried.length - 1, 1);
  const line = highway.carried.map((part, i) => `${((i / last) * 100).toFixed(2)},${(40 * (1 - part)).toFixed(2)}`);
  picture.append(node("rect", { width: 100, height: 40, class: "replaced" }));
  picture.append(node("polygon", { points: `0,40 ${line.join(" ")} 100,40`, class: "carried" }));
  picture.tip = "each number from left to right, the largest share first: how much of it passes through unchanged";
  for (const part of picture.children) part.tip = picture.tip;
  row.append(picture);
  const caption = add(row, "span", "caption");
  add(caption, "b", "", `${Math.round(highway.share * 100)}%`);
  add(caption, "span", "", " passed through unchanged, the rest transformed");
  return row;
}

/**
 * @param {any} root
 * @param {number[]} vector
 */
function vectorRow(root, vector) {
  const row = element("div", "row");
  const name = add(row, "span", "name", "vector");
  add(name, "small", "", `${vector.length} numbers`);
  const cells = add(row, "span", "vector");
  cells.setAttribute("role", "img");
  cells.setAttribute("aria-label", `${vector.length} numbers in colour`);
  const [low, middle, high] = [0, 1, 2].map((i) => palette(root, `difference-${i}`));
  const most = Math.max(...vector.map(Math.abs), 1e-9);
  vector.forEach((value, i) => {
    const cell = add(cells, "i");
    cell.style.background = mixed(middle, value < 0 ? low : high, Math.abs(value) / most);
    cell.tip = `number ${i + 1} of ${vector.length}: ${fixed(value, 3)}`;
  });
  return row;
}

/**
 * Mark the letters of one piece.
 * @param {any} root
 * @param {any} piece
 */
function mark(root, piece) {
  if (root.marked === piece) return;
  root.marked = piece;
  for (const letter of root.querySelectorAll(".letter.on")) letter.classList.remove("on");
  for (const letter of piece?.cells ?? []) letter.classList.add("on");
}

export default connect(draw);
