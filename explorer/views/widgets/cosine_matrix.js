// Every occurrence or sentence against every other: a square for each cosine. In another order rows glide to their
// new places, at another layer colours fade over. Hover or arrow keys tell two sentences, a click or Enter selects
// them, Esc releases them.

import { oneAtATime } from "./answers.js";
import { penOf } from "./canvas.js";
import { mixed, palette } from "./colours.js";
import { connect } from "./connect.js";
import { byKeyboard, element, partOf } from "./dom.js";
import { html, render } from "./lit.js";
import { announceChanges } from "./live.js";
import { calm, ease } from "./motion.js";
import { fixed } from "./numbers.js";
import { colour, icon, sentence } from "./occurrence.js";
import { scrubber, setSlider } from "./player.js";
import { pointing } from "./pointing.js";
import { arrow } from "./roving.js";
import { t } from "./translations.js";

// Where the rows of a cosine matrix stand: sentences at the side, marks above, names over each sense.

const GAP = 7; // px between two senses
const STRIP = 46; // px above the squares, for names and marks
const LEGEND = 64;
const LEGIBLE = 19; // px of a row that can hold a line of text
const NARROW = "(max-width: 820px)"; // a screen without room for sentences at the side
const SIDE = 56; // px for their marks there
const MARKED = 11; // px of a row that can hold a mark

// Where every row stands now and is going: in the given order, with a gap between senses.
function place(grid, glides) {
  const { rows, order, groups } = grid.data;
  const n = rows.length;
  const [wide, tall] = [grid.stage.clientWidth, grid.stage.clientHeight];
  if (!wide || !n) return;
  const narrow = matchMedia(NARROW).matches;
  const room = Math.min(tall - STRIP, narrow ? wide - LEGEND - SIDE : wide * 0.62);
  const cell = (room - GAP * Math.max(groups.length - 1, 0)) / n;
  Object.assign(grid, { size: room, cell, text: cell >= LEGIBLE && !narrow });
  const left = Math.min(wide - LEGEND - room, (wide - LEGEND) / 2); // low ones stand in the middle
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

// The squares of a cosine matrix on its canvas, and the legend of their colours.

const GLIDE_MS = 450;

// Rows glide to their places, and the shades of one layer into those of another.
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
  render(html`<canvas class="bar" width="1" height="101"></canvas><span class="most">${ends[1]}</span><span class="least">${ends[0]}</span>`, grid.legend);
  const pen = penOf(grid.legend.firstElementChild);
  grid.colours.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 100 - k, 1, 1);
  });
}

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
 * @property {number | null} layer null where there are none: no slider is drawn, and a click locks its row
 * @property {number} last
 * @property {string} [locked] the id of a row
 * @property {string} summary
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const grid = (root.grid ??= build(root));
  grid.send = send;
  take(grid, data);
  grid.layers.answered();
}

function build(root) {
  const grid = {
    root, hover: null, selected: null, labels: new Map(), heads: new Map(),
    layers: oneAtATime((layer) => grid.send("layer", layer)),
  };
  grid.slider = scrubber(t("Layer"), (layer) => {
    tellLayer(grid, layer);
    grid.layers.ask(layer);
  });
  grid.slider.addEventListener("pointerdown", () => (grid.held = true));
  for (const event of ["pointerup", "pointercancel"]) grid.slider.addEventListener(event, () => (grid.held = false));
  render(html`
    <div class="stage">
      <div class="where"></div><div class="names"></div><div class="top"></div><div class="side"></div>
      <div class="field" tabindex="0" role="group"><canvas></canvas></div><div class="legend"></div>
    </div>
    <div class="layers" data-save="no"><span>${t("layer")}</span><div class="track">${grid.slider}<div class="ticks"></div></div></div>
    <div class="told"></div>`, root);
  for (const part of ["stage", "where", "names", "top", "side", "field", "legend", "ticks", "told"]) grid[part] = root.querySelector(`.${part}`);
  [grid.canvas, grid.player] = ["canvas", ".layers"].map((part) => root.querySelector(part));
  announceChanges(grid.told);
  pointing(grid.field, (event) => point(grid, cell(grid, event)), () => point(grid, null));
  grid.field.addEventListener("click", (event) => keep(grid, cell(grid, event)));
  grid.side.addEventListener("click", (event) => {
    const row = grid.data.rows.findIndex(({ id }) => grid.labels.get(id) === partOf(event, ".label"));
    if (row >= 0 && grid.data.layer === null) lock(grid, row);
  });
  grid.field.addEventListener("keydown", (event) => walk(grid, event));
  grid.field.addEventListener("focus", (event) => byKeyboard(event) && point(grid, grid.leftAt ?? null));
  grid.field.addEventListener("blur", () => ((grid.leftAt = grid.hover), point(grid, null)));
  new ResizeObserver(() => grid.data && (place(grid, false), paint(grid))).observe(grid.stage);
  return grid;
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
  if (!same) [grid.selected, grid.hover, grid.leftAt] = [null, null, null];
  grid.colours = ramp(grid);
  grid.stage.style.setProperty("--least", `${data.height}px`);
  grid.field.setAttribute("aria-label", data.label);
  grid.player.hidden = data.layer === null;
  const step = Math.ceil((data.last + 1) / 13);
  render(Array.from({ length: data.last + 1 }, (_, i) => html`<span class="tick">${i % step ? "" : i}</span>`), grid.ticks);
  if (data.layer !== null && !grid.held && !grid.layers.waits) tellLayer(grid, data.layer);
  dress(grid);
  place(grid, same);
  legend(grid);
  tell(grid);
  start(grid, same);
}

function tellLayer(grid, layer) {
  const name = layer === 0 ? t("embedding") : t("layer {layer}", { layer });
  setSlider(grid.slider, layer, grid.data.last, name);
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
    label.classList.toggle("locked", row.id === grid.data.locked);
    labels.set(row.id, label);
    const head = grid.heads.get(row.id) ?? element("div", "head");
    head.replaceChildren(icon(row));
    heads.set(row.id, head);
  });
  grid.side.replaceChildren(...labels.values());
  grid.top.replaceChildren(...heads.values());
  [grid.labels, grid.heads] = [labels, heads];
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
  if (at && grid.data.layer === null) lock(grid, at[0]);
}

// A second click on the locked row releases it.
function lock(grid, row) {
  const { id } = grid.data.rows[row];
  grid.send("lock", id === grid.data.locked ? "" : id);
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
  if (!at) return render(html`<p class="says">${grid.data.summary}</p>`, grid.told);
  const { rows, baseline } = grid.data;
  const value = grid.cosines[at[0] * rows.length + at[1]];
  for (const i of at) grid.labels.get(rows[i].id)?.classList.add("lit");
  return render(html`
    <div class="number">${fixed(value - (baseline ?? 0))}<span>${baseline == null ? t("cosine") : t("of {value}", { value: fixed(value) })}</span></div>
    <div class="both">${at.map((i) => html`
      <div class="line">${icon(rows[i])}${sentence(rows[i].whole)}<span class="name">${rows[i].sense}</span></div>`)}
    </div>`, grid.told);
}

export default connect(draw);
