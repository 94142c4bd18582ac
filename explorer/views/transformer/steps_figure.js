// The figure of one step: tensors as maps of coloured cells, side by side and below each other.

import { penOf } from "../widgets/canvas.js";
import { palette } from "../widgets/colours.js";
import { add, partOf } from "../widgets/dom.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { fixed, grouped } from "../widgets/numbers.js";
import { scrubber, setSlider } from "../widgets/player.js";
import { t } from "../widgets/translations.js";
import { formula } from "./steps_formula.js";

// The rotation of one pair of numbers, of the chosen word's query and key: before and after, and the angle.

const [SIZE, RADIUS] = [160, 58]; // px of a circle's square, and of the circle
const ARC = 24; // px from the middle

/** @param {any} view */
function rotation(view) {
  const { turned, frequencies } = view.rotation;
  const question = view.asked && turned.flat().includes(view.asked.cell[0]) ? JSON.stringify(view.asked.cell) : "";
  if (question && question !== view.pairAsked) view.pair = view.asked.cell[2] % frequencies.length;
  view.pairAsked = question;
  view.pair = Math.min(view.pair ?? 0, frequencies.length - 1);
  view.pairs ??= scrubber(t("Pair of numbers"), (pair) => {
    view.pair = pair;
    view.draws();
  });
  const { word } = view.place.value;
  const turn = word * frequencies[view.pair];
  const called = t("Pair {n} of {count}", { n: view.pair + 1, count: frequencies.length });
  setSlider(view.pairs, view.pair, frequencies.length - 1, called);
  return html`
    <div class="rotation">
      <div class="pairs" data-save="no"><span>${called}</span>${view.pairs}</div>
      <div class="circles">${turned.map((names) => circle(view, names, view.pair, turn))}</div>
      <p class="angle">φ = ${word} × ${short(frequencies[view.pair])} = ${short(turn)} rad</p>
    </div>`;
}

function short(number) {
  const text = number === 0 || number >= 0.001 ? String(Number(number.toPrecision(3))) : number.toExponential(1);
  return text.replace(".", t("."));
}

function circle(view, [name, after], pair, turn) {
  const { role, columns } = view.arrays[name];
  const row = view.place.value.word * columns;
  const half = view.rotation.frequencies.length;
  const pairOf = (of) => [pair, pair + half].map((at) => view.arrays[of].numbers[row + at]);
  const edge = -SIZE / 2;
  const [start, end] = [pairOf(name), pairOf(after)];
  const hands = [["before", start], ["after", end]].map(([kind, [a, b]]) => {
    const length = Math.hypot(a, b) || 1;
    const [x, y] = [(a / length) * RADIUS, (-b / length) * RADIUS];
    const fields = { what: view.arrays[name].what, n: pair + 1, m: pair + 1 + half, a: fixed(a, 3), b: fixed(b, 3) };
    const says = kind === "before" ? t("{what}, numbers {n} and {m}, before: {a} and {b}", fields) : t("{what}, numbers {n} and {m}, after: {a} and {b}", fields);
    return { kind, x, y, says };
  });
  const hand = ({ kind, x, y, says }) => svg`
    <g class=${kind} .says=${says}><line x2=${x} y2=${y}></line><circle cx=${x} cy=${y} r="8"></circle></g>`;
  // As one image its parts have no names of their own.
  return html`
    <svg class="circle ${role}" width=${SIZE} height=${SIZE} viewBox="${edge} ${edge} ${SIZE} ${SIZE}" role="img"
      aria-label=${hands.map(({ says }) => says).join("; ")}>
      <circle class="round" r=${RADIUS}></circle>
      <path class="arc" d=${arc(Math.atan2(start[1], start[0]), turn)}></path>
      ${hands.map(hand)}<text x=${edge + 2} y=${edge + 18}>${name[0].toUpperCase()}</text>
    </svg>`;
}

// From an angle on by a turn, of which whole rounds are not drawn; counter-clockwise is up on the screen.
function arc(from, turn) {
  const left = turn % (2 * Math.PI);
  const at = (angle) => `${ARC * Math.cos(angle)} ${-ARC * Math.sin(angle)}`;
  return `M${at(from)} A${ARC} ${ARC} 0 ${left > Math.PI ? 1 : 0} 0 ${at(from + left)}`;
}

const SIGNS = ["+", "=", "@", "⊙", "→", "/ √d", "softmax"];
const HUES = { stream: "accent", query: "query", key: "key", value: "value", score: "attention-1", attention: "attention-1", hidden: "accent", learnt: "quiet" };
const HEIGHT = 226; // px for a figure's maps
const [HEAD, STRIP, LARGEST, TALL] = [27, 30, 24, 96]; // px: a caption, a single row, a row, a learnt matrix
const [WIDEST, SHARED] = [36, 64]; // px of a score between two words, and of what says which heads share a key
const FEW_UNITS = 8; // hidden units that are named for one word
const LABELLED = 18; // px of a row that has room for its word
const NAMED = 16; // heads whose boxes have room for a name

/**
 * @param {any} view
 * @param {any} step
 */
export function figure(view, step) {
  const one = view.place.value.way === "one";
  const lines = one ? step.one : step.all;
  const turns = step.name === "rotate";
  view.figure.className = `figure rb-wide ${turns ? "aside" : ""}`;
  const height = (HEIGHT - 6 * (lines.length - 1)) / lines.length - HEAD;
  const leads = lines.map((names) => names.slice(0, names.findIndex((name) => !SIGNS.includes(name))));
  const lead = Math.max(...leads.map((signs) => signs.join(" ").length)) * 12; // px, so that columns stand below each other
  const shape = lines.map((names, at) => line(view, names, { height, one, lead, signs: leads[at].length, step: step.name }));
  render(turns ? html`<div class="strips">${shape}</div>${rotation(view)}` : shape, view.figure);
  for (const item of view.figure.querySelectorAll(".item")) {
    Object.assign(item, item.map, { canvas: item.querySelector("canvas") });
    paint(view, item, item.array);
  }
  mark(view);
}

function line(view, names, { height, one, lead, signs, step }) {
  const sign = (words, look) => html`<span class="sign" style=${look}>${words}</span>`;
  return html`
    <div class="line">
      ${lead ? sign(names.slice(0, signs).map(written).join(" "), `width: ${lead}px`) : nothing}${names.slice(signs).map((name, at) => {
        if (SIGNS.includes(name)) return sign(written(name), nothing);
        const all = view.arrays[name]?.ofSource || name.endsWith("^T") || (name === "v" && step === "weighted-sum");
        const shared = step === "heads" && view.kvHeads < view.heads;
        return map(view, name, shared ? height - SHARED : height, !one || all, shared, at === 0); // one word reads these of all
      })}
    </div>`;
}

function written(sign) {
  return sign === "@" ? "×" : sign;
}

function map(view, shape, height, ofAll, shared, first) {
  const turned = shape.endsWith("^T");
  const name = turned ? shape.slice(0, -2) : shape;
  const units = shape === "top" ? (ofAll ? view.units : mostActive(view)) : null;
  const array = units ? ofUnits(view, units) : view.arrays[name];
  const learnt = array.role === "learnt";
  const { square } = array;
  const single = !ofAll && !learnt;
  const rows = single ? [view.place.value.word] : [...Array(array.rows).keys()];
  const room = Math.min(height / array.rows, LARGEST);
  const each = room < 4 ? room : Math.floor(room);
  const tall = learnt || turned ? Math.min(height, turned ? Math.max(each * array.rows, 64) : ofAll ? TALL : STRIP) : single ? Math.min(STRIP, height) : each * rows.length;
  const item = { drawn: shape, source: name === "top" ? "hidden" : name, rows, turned, learnt, array, units };
  const wide = square && !single ? `max-width: ${WIDEST * array.columns}px` : "";
  const below = !single ? null : square ? (array.toSource ? view.source : view.tokens) : units?.map((unit) => ({ text: t("unit {n}", { n: unit + 1 }) }));
  return html`
    ${first && !single && !learnt && !turned && each >= LABELLED ? labels(view, array, each) : nothing}
    <div class="item ${array.role}" .map=${item} style="flex: ${flexOf(array, { square, learnt, turned, single, each })}; ${wide}">
      <div class="head"><span class="symbol">${formula(turned ? `${array.symbol}^{T}` : array.symbol)}</span><span class="shape">${shapeOf(item, array)}</span></div>
      ${shared ? groups(view) : nothing}
      <div class="cells" style="height: ${tall}px"><canvas></canvas></div>
      ${below ? numbers(below, array, rows[0], square ? [] : factors(view, units)) : nothing}
    </div>`;
}

// Which heads share a key and a value, above the heads' results side by side.
function groups({ heads, kvHeads, head }) {
  const group = heads / kvHeads;
  const own = Math.floor(head / group);
  const called = (at) => (kvHeads > NAMED ? "" : group > 1 && kvHeads <= 4 ? t("key and value {n}", { n: at + 1 }) : at + 1);
  const upTo = (count) => [...Array(count).keys()];
  return html`
    <div class="groups" style="grid-template-columns: repeat(${heads}, minmax(0, 1fr))">
      ${upTo(kvHeads).map((at) => html`<span class="shared ${at === own ? "chosen" : ""}" style="grid-column: span ${group}">${called(at)}</span>`)}
      ${upTo(heads).map((at) => html`<span class="asks ${at === head ? "chosen" : ""}">${heads <= NAMED ? `Q ${at + 1}` : ""}</span>`)}
    </div>`;
}

// The hidden units that are most active for the chosen word, the most active first.
function mostActive(view) {
  const { numbers, columns } = view.arrays.hidden;
  const row = numbers.subarray(view.place.value.word * columns, (view.place.value.word + 1) * columns);
  return [...row.keys()].sort((a, b) => Math.abs(row[b]) - Math.abs(row[a])).slice(0, FEW_UNITS);
}

// What the chosen word's units are products of, where a gate opens them: the gate, and what it lets through.
function factors(view, units) {
  return ["gate", "wide"].filter((name) => view.arrays.gate && view.arrays[name]).map((name) => {
    const { numbers, columns } = view.arrays[name];
    return units.map((unit) => numbers[view.place.value.word * columns + unit]);
  });
}

// Some columns of the hidden units as a tensor of their own.
function ofUnits(view, units) {
  const { hidden } = view.arrays;
  const numbers = new Float32Array(hidden.rows * units.length);
  for (let row = 0; row < hidden.rows; row++) {
    units.forEach((unit, at) => (numbers[row * units.length + at] = hidden.numbers[row * hidden.columns + unit]));
  }
  const most = numbers.reduce((top, number) => Math.max(top, Math.abs(number)), 1e-9);
  return { ...hidden, columns: units.length, numbers, most };
}

function flexOf(array, { square, learnt, turned, single, each }) {
  if (square) return single ? "1 1 0" : `1 1 ${each * array.columns}px`;
  if (turned) return `0 0 ${Math.max(each * array.rows, 208)}px`;
  if (learnt) return "0 0 120px";
  return array.columns > 64 ? "3 1 0" : "1 1 0";
}

function shapeOf(item, array) {
  if (item.drawn === "top") return t("the {count} most active units", { count: array.columns });
  if (item.turned) return `${array.columns} × ${array.rows}`;
  return item.rows.length === array.rows ? array.shape : `1 × ${grouped(array.columns)}`;
}

function labels(view, { ofSource }, each) {
  const look = ({ quiet }, at) => `${quiet ? "quiet" : ""} ${!ofSource && at === view.place.value.word ? "chosen" : ""}`;
  return html`
    <div class="labels">${(ofSource ? view.source : view.tokens).map((token, at) => html`
      <span class=${look(token, at)} style="height: ${each}px; line-height: ${each}px">${token.text}</span>`)}
    </div>`;
}

// Under a row of scores, weights or hidden units: whom it reads or which unit it is, and the number; before it
// its factors, where it is a product.
function numbers(columns, array, row, factors) {
  const letters = columns.length * (Math.max(...columns.map(({ text }) => text.length)) + 1);
  const write = (number) => (Number.isFinite(number) ? fixed(number) : "−∞");
  const each = (token, at) => html`
    <span class=${token.quiet ? "quiet" : ""}>
      <i>${token.text}</i>${factors.map((factor, place) => html`<b class="factor">${place ? "× " : ""}${write(factor[at])}</b>`)}
      <b>${factors.length ? "= " : ""}${write(array.numbers[row * array.columns + at])}</b>
    </span>`;
  return html`<div class="numbers" style="--letters: ${letters}">${columns.map(each)}</div>`;
}

/**
 * A tensor as a small map, with these of its rows, or all.
 * @param {any} view
 * @param {any} canvas
 * @param {string} name
 * @param {number[] | null} rows
 */
export function paintInto(view, canvas, name, rows = null) {
  const array = view.arrays[name];
  paint(view, { canvas, rows: rows ?? [...Array(array.rows).keys()], turned: false }, array);
}

function paint(view, item, array) {
  const { canvas, rows, turned } = item;
  const [across, down] = turned ? [rows.length, array.columns] : [array.columns, rows.length];
  Object.assign(canvas, { width: across, height: down });
  const pen = penOf(canvas);
  const image = pen.createImageData(across, down);
  const [above, below] = [palette(view.root, HUES[array.role]), palette(view.root, "quiet")];
  rows.forEach((row, y) => {
    for (let x = 0; x < array.columns; x++) {
      const number = array.numbers[row * array.columns + x];
      const at = 4 * (turned ? x * across + y : y * across + x);
      if (!Number.isFinite(number)) continue; // masked: nothing is drawn
      const full = array.role === "attention" ? number : Math.min(Math.abs(number) / array.most, 1);
      image.data.set([...(number < 0 ? below : above), Math.round(255 * full)], at);
    }
  });
  pen.putImageData(image, 0, 0);
}

/**
 * The number under the pointer, or null.
 * @param {PointerEvent | MouseEvent} event
 */
export function cellAt(event) {
  const canvas = partOf(event, ".item canvas");
  if (!canvas) return null;
  const item = canvas.closest(".item");
  const box = canvas.getBoundingClientRect();
  const part = (at, from, size, count) => Math.min(Math.max(Math.floor(((at - from) / size) * count), 0), count - 1);
  let [column, row] = [part(event.clientX, box.left, box.width, canvas.width), part(event.clientY, box.top, box.height, canvas.height)];
  if (item.turned) [column, row] = [row, column];
  row = item.rows[row];
  const number = item.array.numbers[row * item.array.columns + column];
  if (item.units) column = item.units[column];
  return { name: item.source, row, column, number, learnt: item.learnt };
}

/**
 * Frames around the number that was clicked, and around those that made it.
 * @param {any} view
 */
export function mark(view) {
  for (const old of view.figure.querySelectorAll(".mark")) old.remove();
  const why = view.asked;
  if (!why) return;
  const box = why.parts.flatMap((part) => [part.cell, part.other]).filter((cell) => cell && cell[3] === null && cell[4] === null);
  for (const item of view.figure.querySelectorAll(".item")) {
    for (const cell of box) frame(item, cell, "mark from");
    frame(item, why.cell, "mark");
  }
}

function frame(item, [name, row, column], kind) {
  const down = item.rows.indexOf(row);
  const across = item.units ? item.units.indexOf(column) : column;
  if (name !== item.source || down < 0 || across < 0) return;
  const { width, height } = item.canvas;
  const [x, y] = item.turned ? [down, across] : [across, down];
  const box = add(item.canvas.parentElement, "span", kind);
  const [least, wide, tall] = [7, item.canvas.offsetWidth / width, item.canvas.offsetHeight / height];
  const [w, h] = [Math.max(wide, least), Math.max(tall, least)];
  box.style.cssText = `left:${(x + 0.5) * wide - w / 2}px;top:${(y + 0.5) * tall - h / 2}px;width:${w}px;height:${h}px`;
}
