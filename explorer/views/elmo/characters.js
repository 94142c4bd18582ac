// A word on its way through ELMo's character network: a row for each width of filter, then the highway, then
// the vector. Pointing at a piece marks its letters.
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { isolated, setDirection } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { html, render } from "../widgets/lit.js";
import { fixed, perCent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

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
  root.style.setProperty("--count", String(data.characters.length));
  root.classList.toggle("long", data.characters.length > 18);
  render([
    ...data.widths.map((width) => widthRow(data, width)),
    ...data.highways.map((highway, i) => highwayRow(highway, data.highways.length > 1 ? ` ${i + 1}` : "")),
    vectorRow(root, data.vector),
  ], root);
  for (const letters of root.querySelectorAll(".letters")) setDirection(letters, data.word);
  if (!root.words) build(root);
}

function build(root) {
  root.words = tooltip(root);
  const point = (event) => {
    root.words.follow(event, event.target.tip ?? partOf(event, ".piece")?.tip);
    mark(root, partOf(event, ".piece"));
  };
  const leave = () => {
    root.words.hide();
    mark(root, null);
  };
  pointing(root, point, leave);
}

/** @param {string} name @param {string} count */
function nameOf(name, count) {
  return html`<span class="name">${name}<small>${count}</small></span>`;
}

/**
 * @param {Data} data
 * @param {Width} width
 */
function widthRow({ word, characters }, { width, count, covers, pieces }) {
  const most = Math.max(...covers, 1e-9);
  const tip = (i) => t("{share}% of these filters match best on “{letter}”", { share: Math.round(covers[i] * 100), letter: sign(characters[i]) });
  return html`
    <div class="row">
      ${nameOf(width === 1 ? t("1 letter") : t("{width} letters", { width }), t("{count} filters", { count }))}
      <span class="letters" role="img" aria-label=${t("{word}, as filters of {width} characters see it", { word, width })}>${characters.map((character, i) => html`
        <span class="letter" style="--part: ${Math.round((covers[i] / most) * 100)}%" .tip=${tip(i)}>${sign(character)}</span>`)}
      </span>
      <span class="pieces rb-wide">${pieces.map((piece) => html`
        <span class="piece" .covered=${[piece.start, piece.start + width]}
          .tip=${t("{part} of {count} filters match best here; the strongest reaches {most}", { part: piece.filters, count, most: fixed(piece.strongest, 2) })}
          >${isolated(piece.characters.map(sign).join(""))}<small>${fixed(piece.strongest, 1)}</small></span>`)}
      </span>
    </div>`;
}

/**
 * @param {{ share: number, carried: number[] }} highway
 * @param {string} which
 */
function highwayRow({ share, carried }, which) {
  const last = Math.max(carried.length - 1, 1);
  const line = carried.map((part, i) => `${((i / last) * 100).toFixed(2)},${(40 * (1 - part)).toFixed(2)}`);
  const tip = t("each number from left to right, the largest share first: how much of it passes through unchanged");
  const percent = perCent(share);
  return html`
    <div class="row">
      ${nameOf(t("highway{which}", { which }), t("{count} numbers", { count: carried.length }))}
      <svg viewBox="0 0 100 40" preserveAspectRatio="none" class="highway" role="img" aria-label=${t("{share} passed through unchanged", { share: percent })} .tip=${tip}>
        <rect width="100" height="40" class="replaced" .tip=${tip}></rect>
        <polygon points="0,40 ${line.join(" ")} 100,40" class="carried" .tip=${tip}></polygon>
      </svg>
      <span class="caption"><b>${percent}</b> ${t("passed through unchanged, the rest transformed")}</span>
    </div>`;
}

/**
 * @param {any} root
 * @param {number[]} vector
 */
function vectorRow(root, vector) {
  const [low, middle, high] = [0, 1, 2].map((i) => palette(root, `difference-${i}`));
  const most = Math.max(...vector.map(Math.abs), 1e-9);
  const shade = (value) => mixed(middle, value < 0 ? low : high, Math.abs(value) / most);
  return html`
    <div class="row">
      ${nameOf(t("vector"), t("{count} numbers", { count: vector.length }))}
      <span class="vector" role="img" aria-label=${t("{count} numbers in colour", { count: vector.length })}>${vector.map((value, i) => html`
        <i style="background: ${shade(value)}" .tip=${t("number {i} of {count}: {value}", { i: i + 1, count: vector.length, value: fixed(value, 3) })}></i>`)}
      </span>
    </div>`;
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
  if (piece) [...piece.closest(".row").querySelectorAll(".letter")].slice(...piece.covered).forEach((letter) => letter.classList.add("on"));
}

export default connect(draw);
