// Every occurrence against every other: a square for each cosine. In another order rows glide to their new
// places, at another layer colours fade over. Hover or arrow keys tell two sentences, a click or Enter selects
// them, Esc releases them.
import { oneAtATime } from "../widgets/answers.js";
import { penOf } from "../widgets/canvas.js";
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { element } from "../widgets/dom.js";
import { calm, ease } from "../widgets/motion.js";
import { fixed } from "../widgets/numbers.js";
import { arrow } from "../widgets/roving.js";
import { colour, icon, sentence } from "./mark.js";

const GLIDE_MS = 450;
const GAP = 7; // px between two senses
const STRIP = 46; // px above the squares, for names and marks
const LEGEND = 64;
const LEGIBLE = 19; // px of a row that can hold a line of text
const MARKED = 11; // px of a row that can hold a mark

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} height
 * @property {string} theme
 * @property {{
 *   id: string, sense: string, parts: [string, string, string], whole: [string, string, string], colour: number, path: string,
 *   }[]} rows
 * @property {number[]} order rows from top to bottom
 * @property {{ name: string, size: number, colour: number }[]} groups in that order
 * @property {number[]} cosines of each row with those before it, in thousandths
 * @property {number[]} shades how strong each is drawn, in thousandths
 * @property {number} itself the shade of a row with itself
 * @property {number | null} baseline what is taken off every cosine
 * @property {[string, string]} ends what the palest and the strongest colour stand for
 * @property {number} layer
 * @property {number} last
 * @property {string} says
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  const grid = (root.grid ??= build(root));
  grid.send = (layer) => send("layer", layer);
  take(grid, data);
  grid.layers.answered();
}

function build(root) {
  const grid = {
    root, rows: [], hover: null, selected: null, labels: new Map(), heads: new Map(),
    layers: oneAtATime((layer) => grid.send(layer)),
  };
  grid.stage = element("div", "stage");
  grid.where = element("div", "where");
  grid.names = element("div", "names");
  grid.side = element("div", "side");
  grid.top = element("div", "top");
  grid.field = element("div", "field");
  grid.field.tabIndex = 0;
  grid.field.setAttribute("role", "group");
  grid.canvas = element("canvas", "");
  grid.field.append(grid.canvas);
  grid.legend = element("div", "legend");
  grid.stage.append(grid.where, grid.names, grid.top, grid.side, grid.field, grid.legend);
  grid.told = element("div", "told");
  grid.told.setAttribute("aria-live", "polite");
  root.append(grid.stage, layers(grid), grid.told);
  grid.field.addEventListener("pointermove", (event) => point(grid, cell(grid, event)));
  grid.field.addEventListener("pointerleave", () => point(grid, null));
  grid.field.addEventListener("click", (event) => keep(grid, cell(grid, event)));
  grid.field.addEventListener("keydown", (event) => walk(grid, event));
  grid.field.addEventListener("blur", () => point(grid, null));
  new ResizeObserver(() => grid.data && (place(grid, false), paint(grid))).observe(grid.stage);
  return grid;
}

function layers(grid) {
  const line = element("div", "layers");
  line.dataset.save = "no";
  grid.slider = element("input", "");
  grid.slider.type = "range";
  grid.slider.setAttribute("aria-label", "Layer");
  grid.slider.addEventListener("input", () => {
    tellLayer(grid, Number(grid.slider.value));
    grid.layers.ask(Number(grid.slider.value));
  });
  grid.slider.addEventListener("pointerdown", () => (grid.held = true));
  for (const event of ["pointerup", "pointercancel"]) grid.slider.addEventListener(event, () => (grid.held = false));
  grid.ticks = element("div", "ticks");
  const track = element("div", "track");
  track.append(grid.slider, grid.ticks);
  line.append(element("span", "", "layer"), track);
  return line;
}

/**
 * Another layer of the same rows fades over from the one before; other rows are simply there.
 * @param {any} grid
 * @param {Data} data
 */
function take(grid, data) {
  const same = grid.data && grid.data.rows.length === data.rows.length && grid.data.rows.every((row, i) => row.id === data.rows[i].id);
  const signature = JSON.stringify(data);
  if (signature === grid.signature) return;
  grid.signature = signature;
  const from = same ? grid.shade : null;
  grid.data = data;
  grid.target = square(data.rows.length, data.shades, data.itself);
  grid.cosines = square(data.rows.length, data.cosines, 1);
  grid.from = from && from.slice();
  grid.shade = from ? from.slice() : grid.target.slice();
  if (!same) [grid.selected, grid.hover] = [null, null];
  grid.colours = ramp(grid);
  grid.stage.style.setProperty("--least", `${data.height}px`);
  grid.field.setAttribute("aria-label", data.label);
  grid.slider.max = data.last;
  if (grid.ticks.children.length !== data.last + 1) {
    const step = Math.ceil((data.last + 1) / 13);
    grid.ticks.replaceChildren(...Array.from({ length: data.last + 1 }, (_, i) => element("span", "tick", i % step ? "" : String(i))));
  }
  if (!grid.held && !grid.layers.waits) tellLayer(grid, data.layer);
  dress(grid);
  place(grid, same);
  legend(grid);
  tell(grid);
  start(grid, same);
}

function tellLayer(grid, layer) {
  grid.slider.value = layer;
  const name = layer === 0 ? "embedding" : `layer ${layer}`;
  grid.slider.setAttribute("aria-valuetext", name);
  grid.slider.style.setProperty("--done", layer / Math.max(grid.data.last, 1));
  grid.where.textContent = name;
  [...grid.ticks.children].forEach((tick, i) => tick.classList.toggle("here", i === layer));
}

// The lower triangle, row by row, as a whole square.
function square(n, lower, itself) {
  const whole = new Float32Array(n * n).fill(itself);
  let k = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) whole[i * n + j] = whole[j * n + i] = lower[k++] / 1000;
  return whole;
}

function dress(grid) {
  const { rows } = grid.data;
  const [labels, heads] = [new Map(), new Map()];
  rows.forEach((row) => {
    const label = grid.labels.get(row.id) ?? element("div", "label");
    label.replaceChildren(sentence(row.parts), icon(row));
    labels.set(row.id, label);
    const head = grid.heads.get(row.id) ?? element("div", "head");
    head.replaceChildren(icon(row));
    heads.set(row.id, head);
  });
  grid.side.replaceChildren(...labels.values());
  grid.top.replaceChildren(...heads.values());
  [grid.labels, grid.heads] = [labels, heads];
}

// Where every row stands now and is going: in the given order, with a gap between senses.
function place(grid, glides) {
  const { rows, order, groups } = grid.data;
  const n = rows.length;
  const [wide, tall] = [grid.stage.clientWidth, grid.stage.clientHeight];
  if (!wide || !n) return;
  const room = Math.min(tall - STRIP, wide * 0.62);
  const cell = (room - GAP * Math.max(groups.length - 1, 0)) / n;
  Object.assign(grid, { size: room, cell, text: cell >= LEGIBLE });
  const left = wide - LEGEND - room;
  const to = new Float32Array(n);
  let [at, rank] = [0, 0];
  grid.names.replaceChildren();
  for (const group of groups.length ? groups : [{ size: n }]) {
    const begin = at;
    for (let k = 0; k < group.size; k++) {
      to[order[rank++]] = at;
      at += cell;
    }
    if (group.name) name(grid, group, left + begin, at - begin);
    at += GAP;
  }
  Object.assign(grid, { to, start: glides && grid.here?.length === n ? grid.here.slice() : to.slice(), left });
  grid.here = grid.start.slice();
  grid.root.classList.toggle("small", !grid.text);
  grid.root.classList.toggle("bare", cell < MARKED);
  grid.field.style.cssText = `left:${left}px;top:${STRIP}px;width:${room}px;height:${room}px`;
  grid.side.style.width = `${left - 6}px`;
  grid.top.style.left = `${left}px`;
  grid.legend.style.left = `${left + room + 14}px`;
  const still = !glides || calm();
  rows.forEach((row, i) => {
    for (const [kind, axis] of [["labels", "Y"], ["heads", "X"]]) {
      const item = grid[kind].get(row.id);
      item.style.transition = still ? "none" : "";
      item.style.transform = `translate${axis}(${to[i].toFixed(2)}px)`;
      item.style[axis === "Y" ? "height" : "width"] = `${cell.toFixed(2)}px`;
    }
  });
  const ratio = (window.devicePixelRatio || 1);
  const side = Math.round(room * ratio);
  if (grid.canvas.width !== side) grid.canvas.width = grid.canvas.height = side;
}

function name(grid, group, x, width) {
  const label = element("span", "sense", group.name);
  label.style.cssText = `left:${x + width / 2}px;max-width:${Math.max(width + GAP, 24)}px;color:${colour(group.colour)}`;
  grid.names.append(label);
}

function start(grid, glides) {
  cancelAnimationFrame(grid.frame);
  let began = null;
  const step = (time) => {
    began ??= time;
    const part = !glides || calm() ? 1 : Math.min((time - began) / GLIDE_MS, 1);
    const eased = ease(part);
    grid.here = grid.to?.map((to, i) => grid.start[i] + (to - grid.start[i]) * eased);
    if (grid.from) grid.shade.forEach((_, k) => (grid.shade[k] = grid.from[k] + (grid.target[k] - grid.from[k]) * eased));
    paint(grid);
    if (part < 1) grid.frame = requestAnimationFrame(step);
  };
  step(performance.now());
}

function paint(grid) {
  if (!grid.here || !grid.size) return;
  const n = grid.data.rows.length;
  const pen = penOf(grid.canvas);
  const ratio = grid.canvas.width / grid.size;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, grid.size, grid.size);
  const line = grid.cell > 8 ? 1 : 0;
  const side = line ? grid.cell - line : grid.cell + 0.5;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      pen.fillStyle = grid.colours[Math.max(0, Math.min(100, Math.round(grid.shade[i * n + j] * 100)))];
      pen.fillRect(grid.here[j], grid.here[i], side, side);
    }
  }
  const at = grid.hover ?? grid.selected;
  if (!at) return;
  pen.strokeStyle = grid.ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(-2, grid.here[at[0]] - 0.5, grid.size + 4, grid.cell + 0.5);
  pen.strokeRect(grid.here[at[1]] - 0.5, -2, grid.cell + 0.5, grid.size + 4);
}

// From the lowest cosine to the highest, in a hundred steps.
function ramp(grid) {
  const [none, full] = ["panel", "accent"].map((name) => palette(grid.root, name));
  grid.ink = getComputedStyle(grid.root).getPropertyValue("--rb-ink").trim();
  return Array.from({ length: 101 }, (_, k) => mixed(none, full, k / 100));
}

function legend(grid) {
  const { ends } = grid.data;
  const bar = element("canvas", "bar");
  [bar.width, bar.height] = [1, 100];
  const pen = penOf(bar);
  for (let y = 0; y < 100; y++) {
    pen.fillStyle = grid.colours[100 - y];
    pen.fillRect(0, y, 1, 1);
  }
  grid.legend.replaceChildren(bar, element("span", "most", ends[1]), element("span", "least", ends[0]));
}

function cell(grid, event) {
  const box = grid.field.getBoundingClientRect();
  const zoom = box.width / grid.size;
  const find = (where) => grid.here.findIndex((at) => where >= at && where < at + grid.cell);
  const at = [find((event.clientY - box.top) / zoom), find((event.clientX - box.left) / zoom)];
  return at.includes(-1) ? null : at;
}

function point(grid, at) {
  if (String(at) === String(grid.hover)) return;
  grid.hover = at;
  tell(grid);
  paint(grid);
}

function keep(grid, at) {
  grid.selected = String(at) === String(grid.selected) ? null : at;
  tell(grid);
  paint(grid);
}

function walk(grid, event) {
  const { order, rows } = grid.data;
  const rank = (index) => order.indexOf(index);
  const at = grid.hover ?? grid.selected ?? [order[0], order[Math.min(1, rows.length - 1)]];
  const move = arrow(event);
  if (move) {
    const fresh = !grid.hover && !grid.selected;
    const next = at.map((index, axis) => order[Math.min(Math.max(rank(index) + (fresh ? 0 : move[1 - axis]), 0), rows.length - 1)]);
    point(grid, next);
  } else if (event.key === "Enter" || event.key === " ") keep(grid, at);
  else if (event.key === "Escape") [grid.hover, grid.selected] = [null, null], tell(grid), paint(grid);
  else return;
  event.preventDefault();
}

// Two sentences and their cosine, or what the picture says as a whole.
function tell(grid) {
  const at = grid.hover ?? grid.selected;
  grid.side.querySelectorAll(".lit").forEach((label) => label.classList.remove("lit"));
  if (!at) return void grid.told.replaceChildren(element("p", "says", grid.data.says));
  const { rows, baseline } = grid.data;
  const value = grid.cosines[at[0] * rows.length + at[1]];
  const number = element("div", "number", fixed(value - (baseline ?? 0)));
  number.append(element("span", "", baseline == null ? "cosine" : `of ${fixed(value)}`));
  const both = element("div", "both");
  both.append(...at.map((i) => {
    const line = element("div", "line");
    line.append(icon(rows[i]), sentence(rows[i].whole), element("span", "name", rows[i].sense));
    return line;
  }));
  grid.told.replaceChildren(number, both);
  for (const i of at) grid.labels.get(rows[i].id)?.classList.add("lit");
}

export default connect(draw);
