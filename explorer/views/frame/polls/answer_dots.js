// Answers as dots, one a phone: numbers on the question's scale, with the model's as a line, or in a row for each answer.
// Of a question that was asked twice a dot begins where it was in the first round, leaves a pale one there, and glides.
import { connect } from "../../widgets/connect.js";
import { html, render, svg } from "../../widgets/lit.js";
import { calm } from "../../widgets/motion.js";
import { tooltip } from "../../widgets/tooltip.js";
import { onWidth } from "../../widgets/width.js";

const [EDGE, TOP, GROUND] = [20, 34, 250]; // px
const ROWS = { height: 440, most: 78, name: 0.34, gap: 18, counts: 110, radius: 13 }; // px; the names' share of the width
const LONG = 14; // letters of an answer that is a sentence
const WAIT_MS = 900; // in which a class sees its first round

/** @typedef {[number, number]} Place along the scale and above it; with rows, the row and the place in it */
/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ name: string, counts: string, right: boolean }[]} names of the rows; none for numbers
 * @property {{ at: number, level: number, tip: string, from: Place | null }[]} dots
 * @property {Place[]} pale
 * @property {{ at: number, text: string, look: "tick" | "model" | "right" }[]} lines
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.begins ??= data.pale.length > 0 && !calm();
  root.again = () => redraw(root, data);
  root.again();
  if (root.tip) return;
  root.tip = tooltip(root, { of: "circle", align: "middle" });
  onWidth(root, () => root.again());
  if (root.begins) setTimeout(() => root.again((root.begins = false)), WAIT_MS);
}

function redraw(root, data) {
  const { height, place, radius } = (data.names.length ? inRows : onScale)(root.clientWidth, data);
  const isLong = data.names.some(({ name }) => name.length > LONG);
  const look = (at) => (data.names[at]?.right ? "right" : "");
  const at = ([along, level]) => {
    const [x, y] = place(along, level);
    return `transform: translate(${x}px, ${y}px)`;
  };
  const dot = ({ at: along, level, tip, from }) => svg`
    <circle r=${radius} class=${look(along)} .tip=${tip} style=${at(root.begins && from ? from : [along, level])}></circle>`;
  const pale = (origin) => svg`<circle r=${radius} class="pale ${look(origin[0])}" style=${at(origin)}></circle>`;
  render(html`
    ${data.names.map((row, at) => nameOf(row, at * (height / data.names.length), height / data.names.length, isLong))}
    <svg width=${root.clientWidth} height=${height} role="img" aria-label=${data.label}>
      ${data.names.length ? countsOf(root.clientWidth, data, height) : scaleOf(root.clientWidth, data)}
      ${data.pale.map(pale)}${data.dots.map(dot)}
    </svg>`, root);
}

/** Places of numbers: where the next dot would touch, one stands above the other. */
function onScale(width, data) {
  const radius = (width - 2 * EDGE) / 82;
  const levels = Math.max(1, ...data.dots.map(({ level }) => level), ...data.pale.map(([, level]) => level));
  const step = Math.min(2 * radius + 1, (GROUND - TOP - 2 * radius) / levels);
  return { height: GROUND + 34, radius, place: (at, level) => [EDGE + at * (width - 2 * EDGE), GROUND - radius - 1 - level * step] };
}

/** Places in rows, one for each answer. */
function inRows(width, data) {
  const row = Math.min(ROWS.most, ROWS.height / data.names.length);
  const radius = Math.min(ROWS.radius, row * 0.36);
  const left = width * ROWS.name + ROWS.gap + radius;
  const levels = Math.max(1, ...data.dots.map(({ level }) => level), ...data.pale.map(([, level]) => level));
  const step = Math.min(2 * radius + 4, (width - left - radius - ROWS.counts) / levels);
  return { height: row * data.names.length, radius, place: (at, level) => [left + level * step, row * (at + 0.5)] };
}

function nameOf({ name, right }, top, height, isLong) {
  return html`<div class="name ${right ? "right" : ""} ${isLong ? "long" : ""}" dir="auto"
    style="top: ${top}px; width: ${100 * ROWS.name}%; height: ${height}px">${name}${right ? " ✓" : ""}</div>`;
}

function countsOf(width, { names }, height) {
  const row = height / names.length;
  return names.map(({ counts }, at) => svg`<text class="counts" x=${width} y=${row * (at + 0.5) + 8} text-anchor="end">${counts}</text>`);
}

function scaleOf(width, { lines }) {
  const x = (at) => EDGE + at * (width - 2 * EDGE);
  return svg`<line x1=${EDGE} x2=${width - EDGE} y1=${GROUND} y2=${GROUND}></line>${lines.map(({ at, text, look }) => {
    const [top, bottom, words] = look !== "tick" ? [TOP, GROUND, TOP - 8] : [GROUND, GROUND + 6, GROUND + 28];
    const anchor = at < 0.05 ? "start" : at > 0.95 ? "end" : "middle";
    return svg`<g class=${look}><line x1=${x(at)} x2=${x(at)} y1=${top} y2=${bottom}></line>
      <text x=${x(at)} y=${words} text-anchor=${anchor}>${text}</text></g>`;
  })}`;
}

export default connect(draw);
