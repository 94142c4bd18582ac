// Names beside the dots they stand for: where nothing else is, as near to their own dots as can be.
import { node } from "../widgets/svg.js";
import { colour } from "../widgets/occurrence.js";
import { sized } from "./sense_map_dots.js";
import { locate, places } from "./sense_map_motion.js";
import { join, keep, move, renew } from "./sense_map_nodes.js";

const CELL = 6; // px of the grid that knows which places are taken
const FAR = 44; // px from a name to its nearest dot beyond which a line joins them
const SAMPLE = 24; // dots of a group that a name's place is measured against
const AROUND = around();
const NAME_PX = 28;
const BOTH_PX = 48; // the name, and its words below

export function takeNames(map) {
  const { names } = map.data;
  const elements = new Map(map.labels.map((label) => [label.key, label.element]));
  keep(map.layer.names, elements, names.map((name, i) => `${i} ${name.text}`), () => {
    const element = node("g", { class: "label" });
    element.append(node("text", { class: "name" }), node("text", { class: "words" }));
    return element;
  });
  const sampled = names.map(({ members }) => members.filter((_, i) => i % Math.ceil(members.length / SAMPLE) === 0));
  map.labels = [...elements].map(([key, element], i) => {
    const [title, words] = element.children;
    element.classList.toggle("unknown", names[i].mark < 0); // as its dots are
    title.textContent = names[i].text;
    words.textContent = names[i].words;
    title.style.fill = colour(map.data.marks.at(names[i].mark).colour);
    return { key, element, title, words, own: sampled[i], others: sampled.filter((_, j) => j !== i).flat() };
  });
}

// The places of all names at a stop, kept until the picture changes.
function layoutAt(map, stop) {
  if (!map.layouts.has(stop)) {
    const at = places(map.size);
    map.layouts.set(stop, locate(map, stop, at) ? arrange(map, at) : null);
  }
  return map.layouts.get(stop);
}

// One place per name. The largest groups choose first.
function arrange(map, at) {
  const grid = occupied(map, at);
  const spots = [];
  const order = [...map.labels.keys()];
  order.sort((i, j) => map.data.names[j].members.length - map.data.names[i].members.length);
  for (const n of order) {
    const label = map.labels[n];
    const wide = (text) => (text.textContent ? (text.getComputedTextLength() || text.textContent.length * 9) + 10 : 0);
    const [name, words] = [wide(label.title), wide(label.words)];
    // With its words if they have room, else the name alone, else where it covers the least.
    spots[n] = (words && search(map, at, label, grid, Math.max(name, words), BOTH_PX, false))
      || search(map, at, label, grid, name, NAME_PX, false)
      || search(map, at, label, grid, name, NAME_PX, true);
    const { x, y, w, h } = spots[n];
    fill(grid, x - w / 2, y - h / 2, x + w / 2, y + h / 2);
  }
  return spots;
}

// The best place for a box, looked for from the middle of its dots outwards until no better one can come.
function search(map, at, { own, others }, grid, w, h, anywhere) {
  const clip = (value, half, most) => Math.min(Math.max(value, half + 4), Math.max(most - half - 4, half + 4));
  const cx = clip(median(own.map((i) => at.x[i])), w / 2, map.width);
  const cy = clip(median(own.map((i) => at.y[i])), h / 2, map.height);
  let best = null;
  for (const [dx, dy, far] of AROUND) {
    if (best && 0.25 * far >= best.cost) break;
    const [x, y] = [cx + dx, cy + dy];
    if (x < w / 2 + 4 || x > map.width - w / 2 - 4 || y < h / 2 + 4 || y > map.height - h / 2 - 4) continue;
    const covered = count(grid, x - w / 2, y - h / 2, x + w / 2, y + h / 2);
    if (covered && !anywhere) continue;
    const [near, dot] = nearest(at, own, x, y, w, h);
    const rival = nearest(at, others, x, y, w, h)[0];
    const cost = 0.25 * far + 40 * covered + near + (rival < near ? 1.5 * (near - rival) + 12 : 0);
    if (!best || cost < best.cost) best = { x, y, w, h, cost, dot, line: near > FAR };
  }
  // A picture too small for any name has it in the middle.
  const spots = best ?? (anywhere ? { x: cx, y: cy, w, h, dot: own[0], line: false } : null);
  return spots && { ...spots, from: [at.x[spots.dot], at.y[spots.dot]] };
}

// Steps of the grid with their lengths, the nearest first.
function around() {
  /** @type {[number, number, number][]} */
  const steps = [];
  for (let dx = -1200; dx <= 1200; dx += CELL) {
    for (let dy = -600; dy <= 600; dy += CELL) steps.push([dx, dy, Math.hypot(dx, dy)]);
  }
  return steps.sort((a, b) => a[2] - b[2]);
}

// How far a box is from the nearest of some dots, and which one that is.
function nearest(at, dots, x, y, w, h) {
  let [best, spots] = [Infinity, -1];
  for (const i of dots) {
    const away = Math.hypot(
      Math.max(Math.abs(at.x[i] - x) - w / 2, 0),
      Math.max(Math.abs(at.y[i] - y) - h / 2, 0),
    );
    if (away < best) [best, spots] = [away, i];
  }
  return [best, spots];
}

// Names follow their dots: between two stops they are on the way between their two places, and while
// the picture turns each stays beside the dot that it was nearest to.
export function drawNames(map) {
  const low = Math.floor(map.stop);
  const part = map.stop - low;
  const [a, b] = [layoutAt(map, low), part ? layoutAt(map, low + 1) : layoutAt(map, low)];
  if (!a || !b) return;
  const beside = ({ x, y, dot, from }) =>
    map.turned ? [x + map.at.x[dot] - from[0], y + map.at.y[dot] - from[1]] : [x, y];
  const lines = [];
  map.labels.forEach((label, n) => {
    const [[ax, ay], [bx, by]] = [beside(a[n]), beside(b[n])];
    const [x, y] = [ax + (bx - ax) * part, ay + (by - ay) * part];
    move(label.element, `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`);
    const place = part < 0.5 ? a[n] : b[n];
    const both = place.h === BOTH_PX;
    if (label.both !== both) label.element.classList.toggle("both", (label.both = both));
    if (place.line) lines.push([x, y, place]);
  });
  renew(map, "leaders", lines, ([x, y, { w, h, dot }]) => {
    const [dx, dy] = [map.at.x[dot] - x, map.at.y[dot] - y];
    const out = Math.min(w / 2 / Math.abs(dx), (h / 2 - 4) / Math.abs(dy));
    return join(x + dx * out, y + dy * out, x + dx * 0.97, y + dy * 0.97);
  });
}

// Which cells of the picture are taken.
function occupied(map, at) {
  const [columns, rows] = [Math.ceil(map.width / CELL) + 1, Math.ceil(map.height / CELL) + 1];
  const grid = { columns, rows, cells: new Uint8Array(columns * rows) };
  const r = 12 * sized(map.size) + 4;
  for (let i = 0; i < map.size; i++) fill(grid, at.x[i] - r, at.y[i] - r, at.x[i] + r, at.y[i] + r);
  fill(grid, 0, 0, 190, 44); // where the layer's name is
  return grid;
}

function fill(grid, ...box) {
  const [left, top, right, bottom] = cells(grid, ...box);
  for (let row = top; row < bottom; row++) {
    grid.cells.fill(1, row * grid.columns + left, row * grid.columns + right);
  }
}

// How many cells of a box are taken.
function count(grid, ...box) {
  const [left, top, right, bottom] = cells(grid, ...box);
  let total = 0;
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) total += grid.cells[row * grid.columns + column];
  }
  return total;
}

function cells({ columns, rows }, x0, y0, x1, y1) {
  const clip = (value, most) => Math.min(Math.max(value, 0), most);
  return [
    clip(Math.floor(x0 / CELL), columns), clip(Math.floor(y0 / CELL), rows),
    clip(Math.ceil(x1 / CELL), columns), clip(Math.ceil(y1 / CELL), rows),
  ];
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
