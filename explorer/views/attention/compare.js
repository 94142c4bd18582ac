// Two patterns and their difference as three maps with the same words; rows read columns. Pointing at a
// cell gives all three numbers; a click locks it, Esc releases it, arrow keys walk. A word that only one
// text has is hatched in the other's map. In presenter mode the two texts themselves stand there instead, with
// what one word of each reads.
import { choice } from "../widgets/answers.js";
import { penOf } from "../widgets/canvas.js";
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { strong } from "../widgets/dom.js";
import { headName } from "../widgets/layer_names.js";
import { html, nothing, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { fixed, signed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { arrow } from "../widgets/roving.js";
import { filled, t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";
import { tint } from "./head_paint.js";

const SIDE = { most: 292, least: 160 }; // px of a map
const LEAST_ROW = 19;
const BESIDE = 196; // px that three maps leave for the words and the gaps
const ALONE = { beside: 136, row: 24 }; // on a narrow screen: px that one map leaves for the words, and of the smallest row
const LEAST_COLUMN = 15; // px of a column with room for its name
const HEAD = { most: 118, least: 84 }; // px of height for the names of columns; a pair of words needs more
const TURN = (64 * Math.PI) / 180; // the angle of these names
const LETTER = 9.6; // px of width of a letter in them
const SPECIAL = /^\[(CLS|SEP)\]$/; // not drawn for a class
const WRITTEN = 0.05; // a smaller weight is not written under its word
const DOT = 8; // px of a cell on the canvas: enough for hatching
const STEPS = [0.1, 0.2, 0.5, 1];

/**
 * @typedef {object} Data
 * @property {{ text: string, name: string, first: string, second: string, alike: boolean }[]} words
 * @property {(number | null)[][]} first weights [query, key]; null where a text has no such word
 * @property {(number | null)[][]} second
 * @property {{ first: string, second: string, difference: string }} titles
 * @property {string[]} notes
 * @property {{ layer: number, head: number, moved: number, chosen: boolean }[]} heads
 * @property {[number, number] | null} locked a cell
 * @property {string} summary
 * @property {[number, number] | null} most the cell that differs most
 * @property {boolean} presenting
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  const changed = view.data && JSON.stringify(view.data.words) !== JSON.stringify(data.words);
  if (changed) view.preview = null;
  view.locked.send = (cell) => send("lock", { cell });
  view.locked.answer(data.locked, changed);
  view.data = data;
  view.lock = (cell) => {
    view.preview = null;
    view.locked.choose(cell);
    show(view);
  };
  view.pick = (head) => send("head", head);
  drawMaps(view);
}

function build(root) {
  /** @type {any} */
  const view = { root, preview: null, locked: choice(() => {}), maps: [] };
  render(html`
    <p class="line"><span class="says"></span><span class="hint" data-save="no"></span></p>
    <div class="text"></div>
    <div class="text"></div>
    <div class="board rb-wide">
      <div class="rows"></div>
      ${["first", "difference", "second"].map((kind) => html`
      <div class="map ${kind}" .kind=${kind}>
        <p class="title"></p>
        <div class="columns" aria-hidden="true"></div>
        <div class="stage" role="group" tabindex=${kind === "difference" ? 0 : -1}>
          <canvas class="cells"></canvas><i class="band row"></i><i class="band column"></i>
        </div>
        <p class="legend"></p>
      </div>`)}
    </div>
    <div class="heads" role="group"></div>`, root);
  for (const part of ["says", "hint", "rows", "heads"]) view[part] = root.querySelector(`.${part}`);
  announceChanges(view.says);
  view.texts = [...root.querySelectorAll(".text")];
  view.maps = [...root.querySelectorAll(".map")];
  view.texts.forEach((text, i) => (text.side = ["first", "second"][i]));
  for (const map of view.maps) {
    const parts = { heading: ".title", columns: ".columns", stage: ".stage", canvas: ".cells", row: ".row", column: ".column", legend: ".legend" };
    for (const [name, part] of Object.entries(parts)) map[name] = map.querySelector(part);
  }
  listen(view);
  onWidth(root, () => view.data && drawMaps(view));
  return view;
}

function listen(view) {
  const cell = (event, map) => {
    const box = map.canvas.getBoundingClientRect();
    const n = view.n;
    const at = (offset, size) => Math.min(n - 1, Math.max(0, Math.floor((offset / size) * n)));
    return [at(event.clientY - box.top, box.height), at(event.clientX - box.left, box.width)];
  };
  const preview = (cellAt) => {
    if (String(cellAt) === String(view.preview)) return;
    view.preview = cellAt;
    show(view);
  };
  for (const map of view.maps) {
    pointing(map.stage, (event) => preview(cell(event, map)), () => preview(null));
    map.stage.addEventListener("click", (event) => {
      const cellAt = cell(event, map);
      view.lock(String(cellAt) === String(view.locked.value) ? null : cellAt);
    });
    map.stage.addEventListener("keydown", (event) => {
      const step = arrow(event);
      const [row, column] = view.preview ?? view.locked.value ?? [0, 0];
      if (step) preview([(row + step[1] + view.n) % view.n, (column + step[0] + view.n) % view.n]);
      else if (event.key === "Enter" || event.key === " ") view.lock([row, column]);
      else if (event.key === "Escape") view.lock(null);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
}

function drawMaps(view) {
  const { words, first, second, titles, heads, presenting } = view.data;
  const n = (view.n = words.length);
  const room = view.root.offsetWidth;
  const alone = room - BESIDE < 3 * SIDE.least;
  const last = words.at(-1)?.second || words.at(-1)?.first || "";
  const lean = Math.min(last.length * LETTER * Math.cos(TURN), HEAD.most); // px by which the last name leans over the edge
  const side = Math.min(SIDE.most, Math.max(SIDE.least, alone ? room - ALONE.beside : (room - BESIDE - lean) / 3));
  view.root.classList.toggle("alone", alone);
  const row = Math.min(Math.max(side / Math.max(n, 1), alone ? ALONE.row : LEAST_ROW), 44);
  view.root.style.setProperty("--row", `${row}px`);
  view.root.style.setProperty("--side", `${row * n}px`);
  view.root.classList.toggle("presenting", presenting);
  const width = Math.max(Math.min(side, Math.max(44 * n, 156)), alone ? LEAST_COLUMN * n : 0);
  view.root.style.setProperty("--width", `${width}px`);
  view.root.classList.toggle("many", width / n < LEAST_COLUMN);
  const longest = words.reduce((most, { first, second }) => Math.max(most, first.length, second.length), 0);
  const head = Math.min(Math.max(longest * LETTER * Math.sin(TURN) + 11, HEAD.least), HEAD.most);
  view.root.style.setProperty("--head", `${head}px`);
  view.difference = first.map((line, i) => line.map((a, j) => (a === null || second[i][j] === null ? null : second[i][j] - a)));
  const numbers = view.difference.flat().filter((value) => value !== null);
  const most = numbers.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
  view.full = STEPS.find((step) => step >= most) ?? 1;
  render(words.map((word) => html`<p class=${word.alike ? "word" : "word unlike"} dir="auto" title=${word.text}>${word.text}</p>`), view.rows);
  for (const map of view.maps) {
    const values = map.kind === "difference" ? view.difference : view.data[map.kind];
    map.heading.textContent = titles[map.kind];
    map.stage.setAttribute("aria-label", t("{title}. Arrow keys walk from cell to cell.", { title: titles[map.kind] }));
    render(words.map((word, i) => html`
      <span class=${word.alike ? "slot" : "slot unlike"} style="left: ${((i + 0.5) * width) / n}px"><i dir="auto">${map.kind === "difference" ? word.second || word.first : word[map.kind]}</i></span>`), map.columns);
    paint(view, map, values);
    legend(view, map);
  }
  view.heads.hidden = !heads.length;
  render(html`
    <span class="heading">${t("The heads that change most:")}</span>
    ${heads.map(({ layer, head, moved, chosen }) => html`
    <button type="button" class=${chosen ? "head chosen" : "head"} aria-pressed=${chosen} @click=${() => view.pick({ layer, head })}>
      <b>${headName(layer, head)}</b><span>${fixed(moved)}</span>
    </button>`)}`, view.heads);
  show(view);
}

function legend(view, map) {
  if (map.kind !== "difference") return render(view.data.notes[map.kind === "first" ? 0 : 1], map.legend);
  const full = `${view.full}`.replace(".", t("."));
  render(html`<span>−${full}</span><canvas class="ramp" width="101" height="1"></canvas><span>+${full}</span>`, map.legend);
  const context = penOf(map.legend.querySelector(".ramp"));
  for (let i = 0; i <= 100; i++) {
    context.fillStyle = shadeOf(view, i / 50 - 1);
    context.fillRect(i, 0, 1, 1);
  }
  return undefined;
}

// Purple for less in the second, orange for more, grey for no difference; the ends are at ±full.
function shadeOf(view, part) {
  const grey = palette(view.root, "difference-1");
  return mixed(grey, palette(view.root, part < 0 ? "difference-0" : "difference-2"), Math.min(Math.abs(part), 1));
}

function paint(view, map, values) {
  const { n } = view;
  const { canvas, kind } = map;
  canvas.width = canvas.height = Math.max(n, 1) * DOT;
  const context = penOf(canvas);
  const from = palette(view.root, "attention-0");
  const to = palette(view.root, "attention-1");
  const quiet = palette(view.root, "quiet");
  const line = mixed(quiet, quiet, 0);
  const shade = kind === "difference" ? (value) => shadeOf(view, value / view.full) : (value) => mixed(from, to, value);
  values.forEach((row, i) =>
    row.forEach((value, j) => {
      if (value !== null) {
        context.fillStyle = shade(value);
        context.fillRect(j * DOT, i * DOT, DOT, DOT);
        return;
      }
      context.strokeStyle = line;
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(j * DOT + 1, i * DOT + DOT - 1);
      context.lineTo(j * DOT + DOT - 1, i * DOT + 1);
      context.stroke();
    }),
  );
}

// The two texts, each word in the shade of how much the chosen one reads it; a click chooses another.
function showTexts(view, row) {
  if (!view.data.presenting) return;
  view.ramp = [0, 1].map((end) => palette(view.root, `attention-${end}`));
  for (const text of view.texts) {
    render(view.data.words.map((word, i) => {
      if (!word[text.side] || SPECIAL.test(word[text.side])) return nothing;
      const weight = row === undefined ? 0 : view.data[text.side][row][i];
      const { ground, ink } = tint(view, weight);
      return html`
        <button type="button" class=${i === row ? "token reader" : "token"} @click=${() => view.lock([i, i])}>
          <span style=${weight < WRITTEN ? nothing : `background: ${ground}; color: ${ink}`}>${word[text.side]}</span>
          <small ?hidden=${weight < WRITTEN}>${Math.round(weight * 100)}%</small>
        </button>`;
    }), text);
    layOut(text, [...text.querySelectorAll(".token > span")]);
  }
}

function show(view) {
  const { data, n, says, hint } = view;
  const cell = view.preview ?? view.locked.value;
  showTexts(view, (cell ?? data.most)?.[0]);
  [...view.rows.children].forEach((word, i) => word.classList.toggle("pointed", cell?.[0] === i));
  for (const map of view.maps) {
    for (const [band, at] of [[map.row, cell?.[0]], [map.column, cell?.[1]]]) {
      band.hidden = at === undefined;
      band.style[band === map.row ? "top" : "left"] = `${((at ?? 0) * 100) / n}%`;
      band.style[band === map.row ? "height" : "width"] = `${100 / n}%`;
    }
    [...map.columns.children].forEach((slot, i) => slot.classList.toggle("pointed", cell?.[1] === i));
  }
  hint.textContent = view.locked.value ? t("a second press releases it") : t("press a cell to lock it");
  if (!cell) {
    says.textContent = data.summary;
    return;
  }
  const [i, j] = cell;
  const numbers = [data.first[i][j], data.second[i][j], view.difference[i][j]];
  const [first, second] = numbers.slice(0, 2).map((value) => (value === null ? t("not there") : fixed(value, 3)));
  const fields = { reader: strong(data.words[i].name), read: strong(data.words[j].name), first, second };
  if (numbers[2] === null) says.replaceChildren(...filled(t("“{reader}” attends to “{read}”: {first}, then {second}"), fields));
  else {
    const difference = strong(signed(numbers[2], 3));
    says.replaceChildren(...filled(t("“{reader}” attends to “{read}”: {first}, then {second}: {difference}"), { ...fields, difference }));
  }
}

export default connect(draw);
