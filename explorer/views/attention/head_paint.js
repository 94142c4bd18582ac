// The map and the lines. Marks of one shade form one path, so that sixty tokens need a hundred nodes, not
// thousands, and a saved picture still consists of lines. A change of head is animated; one of text is not.
import { mixed } from "../widgets/colours.js";
import { calm } from "../widgets/motion.js";
import { node } from "../widgets/svg.js";
import { passes } from "./head_data.js";

export const FAINTEST = 0.01; // a line of less weight would be too thin and pale to see
const PALEST = 0.004; // a cell of less weight looks like the background
const SHADES = { line: 24, cell: 64 };
const GLIDE = 220; // ms
const GLIDES_TO = 64; // tokens of the longest text that is animated
const FAINT = 0.07; // opacity of a line while another token is selected
const WIDTH = [0.8, 5.2]; // px of a line of weight 0, and the px that a weight of 1 adds
export const shade = (share) => share ** 0.7; // darker than the weight itself: a projector loses pale lines

export function paint(view) {
  const target = drawable(view);
  const still = calm() || view.n > GLIDES_TO;
  const before = view.weights;
  cancelAnimationFrame(view.frame);
  if (still || !view.glides || before?.length !== target.length) {
    view.weights = target;
    paintNow(view);
  } else if (target.some((share, cell) => share !== before[cell])) {
    const start = performance.now();
    const step = (now) => {
      const part = Math.min(1, Math.max(0, (now - start) / GLIDE));
      const eased = 1 - (1 - part) ** 3;
      view.weights = part === 1 ? target : target.map((share, i) => before[i] + (share - before[i]) * eased);
      paintNow(view);
      if (part < 1) view.frame = requestAnimationFrame(step);
    };
    view.frame = requestAnimationFrame(step);
  } else paintNow(view);
  view.glides = true;
}

// The weights, with 0 for those that are not drawn.
function drawable(view) {
  const { n, state } = view;
  const weights = new Float32Array(n * n);
  view.visible = 0;
  for (let from = 0, cell = 0; from < n; from++) {
    for (let to = 0; to < n; to++, cell++) {
      if (!passes(view, from, to, state.least)) continue;
      weights[cell] = view.mean[cell];
      view.visible += weights[cell] >= FAINTEST;
    }
  }
  return weights;
}

function paintNow(view) {
  paintMap(view);
  paintLines(view);
}

function paintMap(view) {
  const { n, weights } = view;
  const side = view.row > 12 ? 0.95 : 1; // a hairline between cells, if there is room for it
  const cells = shades(SHADES.cell);
  for (let from = 0, cell = 0; from < n; from++) {
    for (let to = 0; to < n; to++, cell++) {
      if (weights[cell] < PALEST) continue;
      const step = Math.min(SHADES.cell, Math.ceil(weights[cell] * SHADES.cell));
      cells[step].push(`M${to} ${from}h${side}v${side}h-${side}z`);
    }
  }
  fill(view.cells, cells, (path, step) => path.setAttribute("fill-opacity", shade((step - 0.5) / SHADES.cell)));
}

export function paintLines(view) {
  const { n, weights, row, wires } = view;
  const focus = view.preview ?? view.state.locked;
  const width = wires.clientWidth || 300;
  const [faint, lines] = [shades(SHADES.line), shades(SHADES.line)];
  let count = 0;
  for (let from = 0, cell = 0; from < n; from++) {
    const y = (from + 0.5) * row;
    for (let to = 0; to < n; to++, cell++) {
      if (weights[cell] < FAINTEST) continue;
      const bold = !focus || isFocused(focus, from, to);
      const end = (to + 0.5) * row;
      const step = Math.min(SHADES.line, Math.ceil(weights[cell] * SHADES.line));
      (bold ? lines : faint)[step].push(
        `M3 ${y}C${0.45 * width} ${y} ${0.55 * width} ${end} ${width - 3} ${end}`,
      );
      count += Number(bold);
    }
  }
  const stroke = (strength) => (path, step) => {
    path.setAttribute("stroke-width", WIDTH[0] + (WIDTH[1] * (step - 0.5)) / SHADES.line);
    path.setAttribute("stroke-opacity", strength * shade((step - 0.5) / SHADES.line));
  };
  fill(view.faint, faint, stroke(FAINT));
  fill(view.lines, lines, stroke(1));
  wires.dataset.lines = count;
}

/**
 * Empty lists of marks for the shades 1 to count; shade i is for weights up to i / count.
 * @param {number} count
 * @returns {string[][]}
 */
const shades = (count) => Array.from({ length: count + 1 }, () => []);

// One path for each shade, created once; the strongest is last, so that it lies on top.
function fill(group, shades, style) {
  shades.slice(1).forEach((marks, at) => {
    let path = group.children[at];
    if (!path) {
      path = group.appendChild(node("path"));
      style(path, at + 1);
    }
    const d = marks.join("");
    if (path.getAttribute("d") !== d) path.setAttribute("d", d);
  });
}

// Whether a line belongs to the focus: a token on one side, or a pair.
function isFocused(focus, from, to) {
  const [at, other] = focus.side === "from" ? [from, to] : [to, from];
  return at === focus.at && (focus.other === undefined || other === focus.other);
}

// The background of a token of some weight, and black or white on it, whichever contrasts more (WCAG 2).
export function tint(view, amount) {
  const [low, high] = view.ramp;
  const ground = low.map((channel, i) => channel + (high[i] - channel) * amount);
  const linear = ground.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  return { ground: mixed(low, high, amount), ink: light > 0.179 ? "#000000" : "#FFFFFF" };
}
