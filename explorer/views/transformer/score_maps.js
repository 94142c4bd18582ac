// Tables of scores or weights with their numbers: a row asks, a column is asked. Where the rows come one
// by one, a slider and the arrow keys say how many there are.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { add, element } from "../widgets/dom.js";
import { fixed } from "../widgets/numbers.js";
import { iconButton, player, scrubber } from "../widgets/player.js";
import { arrow } from "../widgets/roving.js";
import { write } from "./steps_formula.js";

const REST_MS = 250; // the address follows once the hand rests
const STEP_MS = 900;
const FULLEST = 55; // percent of the hue: ink stays legible on it

/**
 * @typedef {object} Map
 * @property {string} title
 * @property {string} formula
 * @property {string} note
 * @property {string[]} rows
 * @property {string[]} columns
 * @property {(number | null)[][]} numbers
 * @property {number} most
 * @property {number} digits
 */

/**
 * @param {any} root
 * @param {{ maps: Map[], rows: number }} data `rows` are shown; 0 where all are, and none comes later
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  const fresh = view.text !== JSON.stringify(data.maps);
  if (fresh) view.player.stop();
  view.text = JSON.stringify(data.maps);
  view.data = data;
  view.shown.send = (rows) => send("rows", rows);
  view.shown.answer(data.rows, fresh);
  view.bar.hidden = data.rows === 0;
  if (fresh) view.maps.replaceChildren(...data.maps.map(table));
  show(view);
  return () => view.player.stop();
}

function build(root) {
  const view = { root, shown: choice(() => {}, REST_MS) };
  view.player = player({
    root,
    at: () => view.shown.value - 1,
    last: () => count(view) - 1,
    go: (at) => reach(view, at + 1),
    ms: () => STEP_MS,
    stopped: () => show(view),
  });
  view.bar = add(root, "div", "bar");
  view.bar.dataset.save = "no";
  view.play = iconButton("turn", "play", () => view.player.toggle(), "Play");
  view.slider = scrubber("Tokens read so far", (at) => move(view, at + 1));
  view.status = element("span", "status");
  view.status.setAttribute("aria-live", "polite");
  view.bar.append(view.play, view.slider, view.status);
  view.maps = add(root, "div", "maps");
  root.addEventListener("keydown", (event) => {
    const to = arrow(event);
    if (!to || view.data.rows === 0) return;
    event.preventDefault();
    move(view, Math.min(Math.max(view.shown.value + to[0] + to[1], 1), count(view)));
  });
  return view;
}

function count(view) {
  return view.data.maps[0].rows.length;
}

function move(view, rows) {
  view.player.stop();
  reach(view, rows);
}

function reach(view, rows) {
  view.shown.choose(rows);
  show(view);
}

function show(view) {
  const rows = view.shown.value;
  if (rows === 0) return;
  for (const each of view.maps.querySelectorAll("tbody tr")) {
    each.classList.toggle("later", each.place >= rows);
    each.classList.toggle("newest", each.place === rows - 1);
  }
  view.slider.max = count(view) - 1;
  view.slider.value = rows - 1;
  view.status.textContent = `${rows} of ${count(view)} tokens read`;
}

function table(map) {
  const figure = element("figure", "map");
  add(figure, "h3", "title", map.title);
  write(add(figure, "p", "formula"), map.formula);
  const grid = add(figure, "table", "");
  const top = add(add(grid, "thead", ""), "tr", "");
  add(top, "td", "");
  for (const name of map.columns) add(add(top, "th", ""), "span", "", name);
  const body = add(grid, "tbody", "");
  map.rows.forEach((name, place) => {
    const row = add(body, "tr", "");
    row.place = place;
    add(row, "th", "", name);
    map.numbers[place].forEach((number) => {
      const cell = add(row, "td", number === null ? "masked" : "", number === null ? "" : fixed(number, map.digits));
      const full = number === null ? 0 : Math.min(Math.abs(number) / map.most, 1) * FULLEST;
      const hue = Number(number) < 0 ? "quiet" : "attention-1";
      cell.style.background = `color-mix(in srgb, var(--rb-${hue}) ${full.toFixed(1)}%, transparent)`;
    });
  });
  add(figure, "p", "note", map.note);
  return figure;
}

export default connect(draw);
