// The Transformer, ELMo, BERT and GPT as drawings side by side, in several rows where the page is narrow. Every part is a link: point at it to read what
// it does, click it to open the view that explains it.
import { connect } from "../widgets/connect.js";
import { add, partOf } from "../widgets/dom.js";
import { announceChanges } from "../widgets/live.js";
import { pointing } from "../widgets/pointing.js";
import { roving, stopAt } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";

const WIDTHS = { encoder: 172, decoder: 192, elmo: 206, bert: 172, gpt: 192 };
const GAPS = { encoder: 54, decoder: 30, elmo: 26, bert: 20, gpt: 0 };
const MARGIN = 12;
const LETTERS = 6; // px from a box's middle to its letters' foot
const LOW = { attention: 34, forward: 34, norm: 24, base: 30, output: 32 }; // px of height
const FINGER = { attention: 52, forward: 52, norm: 52, base: 52, output: 52 };
// From a page of this width: how many drawings stand in each row, how high it is, and how high their parts are.
const LAYOUTS = [
  { from: 900, rows: [5], heights: [478], parts: LOW },
  { from: 600, rows: [3, 2], heights: [478, 430], parts: LOW },
  { from: 0, rows: [2, 2, 1], heights: [640, 550, 550], parts: FINGER },
];
const [GAP, INSET, SLAB] = [5, 7, 11]; // px between parts, around a layer's parts, and of a layer that is closed
const ARROW = 13;

/**
 * @typedef {[name: string, does: string, kind: string, page: string, link: object]} Part
 * @typedef {{name: string, title: string, size: string, input: string, base: Part[], block: Part[],
 *   output: Part | null, layers: number}} Drawing
 */

/** @type {import("../widgets/connect.js").Draw<{drawings: Drawing[]}>} */
export function draw(root, data, send) {
  if (root.says) return;
  const stage = add(root, "div", "stage");
  const invitation = t("Point at a part to read what it does. Press it to open the view that explains it.");
  root.says = add(root, "p", "says", invitation);
  announceChanges(root.says);
  let layout;
  const fit = () => {
    const fitting = LAYOUTS.findIndex(({ from }) => root.clientWidth >= from);
    if (fitting === layout) return;
    layout = fitting;
    stage.replaceChildren(drawings(data.drawings, LAYOUTS[layout]));
    stopAt(parts(), parts()[0]);
  };
  const parts = () => [...stage.querySelectorAll(".part")];
  fit();
  onWidth(root, fit);
  roving(stage, parts);
  const tell = (part) => (root.says.textContent = part ? t("{label}: {text}", { label: part.called, text: part.does }) : invitation);
  const open = (part) => part && send("open", part.place);
  pointing(stage, (event) => tell(partOf(event, ".part")), () => tell(null), "pointerover");
  stage.addEventListener("focusin", (event) => tell(partOf(event, ".part")));
  stage.addEventListener("click", (event) => open(partOf(event, ".part")));
  stage.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      open(partOf(event, ".part"));
    }
  });
}

function drawings(all, { rows, heights, parts }) {
  const before = (list, row) => list.slice(0, row).reduce((sum, each) => sum + each, 0);
  const starts = rows.map((_, row) => before(rows, row));
  const groups = rows.map((count, row) => all.slice(starts[row], starts[row] + count));
  const widthOf = (row) => row.reduce((sum, { name }, at) => sum + WIDTHS[name] + (at < row.length - 1 ? GAPS[name] : 0), 2 * MARGIN);
  const width = Math.max(...groups.map(widthOf));
  const svg = node("svg", { viewBox: `0 0 ${width} ${before(heights, rows.length)}`, class: "drawings", role: "group", "aria-label": t("Overview") });
  groups.forEach((row, line) => {
    const group = node("g", { transform: `translate(${(width - widthOf(row)) / 2} ${before(heights, line)})` });
    svg.append(group);
    let x = MARGIN;
    const tops = {};
    row.forEach((drawing, at) => {
      const own = group.appendChild(node("g", { class: drawing.name }));
      stack({ svg: own, drawing, at: starts[line] + at, x, width: WIDTHS[drawing.name], number: 0, tops, height: heights[line], parts });
      x += WIDTHS[drawing.name] + GAPS[drawing.name];
    });
    if (tops.encoder) cross(group, tops);
  });
  return svg;
}

// One drawing, from the words at the bottom to the output at the top.
function stack(column) {
  const { drawing, x, width, height, parts } = column;
  text(column, x + width / 2, 20, drawing.title, "title");
  text(column, x + width / 2, 42, drawing.size, "size");
  text(column, x + width / 2, height - 8, drawing.input, "words");
  let y = height - 26;
  arrow(column, y, (y -= ARROW));
  y -= parts.base;
  const each = (width - GAP * (drawing.base.length - 1)) / drawing.base.length;
  drawing.base.forEach((one, at) => part(column, one, x + at * (each + GAP), y, each));
  arrow(column, y, (y -= ARROW));
  y = drawing.name === "elmo" ? readers(column, y) : layers(column, y);
  column.tops[drawing.name] = { x, width, y };
  if (!drawing.output) return;
  arrow(column, y, (y -= ARROW));
  part(column, drawing.output, x, y - parts.output, width);
}

// The first layer with its parts, and the others closed above it; returns where the stack ends.
function layers(column, y) {
  const { svg, drawing, x, width, parts } = column;
  const height = drawing.block.reduce((sum, [, , kind]) => sum + parts[kind] + GAP, 2 * INSET - GAP);
  svg.append(node("rect", { class: "layer", x, y: y - height, width, height, rx: 7 }));
  let at = y - INSET;
  for (const one of drawing.block) {
    at -= parts[one[2]];
    part(column, one, x + INSET, at, width - 2 * INSET);
    if (one[4].view === "translator") column.tops.cross = { x: x + INSET, y: at + parts.attention / 2 };
    at -= GAP;
  }
  y -= height;
  column.tops[`${drawing.name}-slabs`] = [];
  for (let layer = 1; layer < drawing.layers; layer++) {
    y -= SLAB + 3;
    column.tops[`${drawing.name}-slabs`].push(y + SLAB / 2);
    svg.append(node("rect", { class: "layer", x, y, width, height: SLAB, rx: 4 }));
  }
  return y;
}

// ELMo's two readers: rows of states, each of which waits for the one before it or after it.
function readers(column, y) {
  const { drawing, x, width } = column;
  const half = (width - 14) / 2;
  const [rows, step, count] = [drawing.layers, 62, 3];
  drawing.block.forEach((one, side) => {
    const left = x + side * (half + 14);
    const group = part(column, one, left, y - (rows * step + 40), half, rows * step + 40);
    group.querySelector("text").setAttribute("y", String(y - (rows * step + 40) + 24));
    for (let row = 0; row < rows; row++) {
      for (let at = 0; at < count; at++) {
        const cell = { x: left + 8 + at * ((half - 16 - 20) / (count - 1)), y: y - (row + 1) * step + 16 };
        group.append(node("rect", { class: "cell", x: cell.x, y: cell.y, width: 20, height: 26, rx: 4 }));
        const next = (half - 16 - 20) / (count - 1);
        if (at < count - 1) {
          const [from, to] = [cell.x + 21, cell.x + next - 1];
          group.append(line(side ? to : from, cell.y + 13, side ? from : to, cell.y + 13));
        }
        if (row) group.append(line(cell.x + 10, cell.y + step - 1, cell.x + 10, cell.y + 28));
      }
    }
  });
  return y - (rows * step + 40);
}

// Keys and values: from the top of the encoder into the cross-attention of every layer of the decoder.
function cross(svg, tops) {
  const { encoder, decoder, cross: into } = tops;
  const start = { x: encoder.x + encoder.width / 2, y: encoder.y };
  const gap = decoder.x - (encoder.x + encoder.width);
  ["key", "value"].forEach((kind, at) => {
    const [side, high] = [encoder.x + encoder.width + gap * (at ? 0.55 : 0.3), start.y - 14 - 9 * (1 - at)];
    const from = start.x + (at ? 8 : -8);
    const end = into.y + (at ? 7 : -7);
    const top = Math.min(...tops["decoder-slabs"]) + (at ? 2.5 : -2.5);
    svg.append(node("path", { class: `wire ${kind}`, d: `M${from} ${start.y} V${high} H${side} M${side} ${top} V${end} H${into.x - 8}` }));
    svg.append(node("path", { class: `tip ${kind}`, d: `M${into.x - 9} ${end - 5} L${into.x} ${end} L${into.x - 9} ${end + 5} Z` }));
    for (const slab of tops["decoder-slabs"]) {
      svg.append(node("path", { class: `wire thin ${kind}`, d: `M${side} ${slab + (at ? 2.5 : -2.5)} H${decoder.x}` }));
    }
  });
  svg.append(node("text", { class: "words", x: encoder.x + encoder.width / 2, y: start.y - 32 }, t("keys and values")));
}

function part(column, [name, does, kind], x, y, width, height = column.parts[kind]) {
  const group = node("g", { class: `part ${kind}`, role: "link", tabindex: -1 });
  Object.assign(group, { called: name, does, place: [column.at, column.number++] });
  group.setAttribute("aria-label", `${column.drawing.title}, ${name}. ${does}`);
  group.append(node("rect", { class: "box", x, y, width, height, rx: 5 }));
  const label = node("text", { class: "name", x: x + width / 2, y: y + height / 2 + LETTERS }, name);
  group.append(label);
  column.svg.append(group);
  return group;
}

function text(column, x, y, says, className) {
  column.svg.append(node("text", { class: className, x, y }, says));
}

function arrow({ svg, x, width }, from, to) {
  svg.append(line(x + width / 2, from - 1, x + width / 2, to + 2));
}

function line(x1, y1, x2, y2) {
  const group = node("g", { class: "arrow" });
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const wing = (turn) => `${x2 - 6 * Math.cos(angle + turn)} ${y2 - 6 * Math.sin(angle + turn)}`;
  group.append(node("path", { d: `M${x1} ${y1} L${x2} ${y2} M${wing(0.6)} L${x2} ${y2} L${wing(-0.6)}` }));
  return group;
}

export default connect(draw);
