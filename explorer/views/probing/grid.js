// Words across, layers down, from the embedding at the top: in each cell what is read there. Hover and the
// arrow keys tell the numbers. Where layers are played, a row appears when its layer is reached.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { directionOf } from "../widgets/direction.js";
import { add, button, element } from "../widgets/dom.js";
import { iconButton, player, scrubber } from "../widgets/player.js";
import { rovingGrid } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

const REST_MS = 250; // the address follows once the hand rests
const STEP_MS = 1100;
const LETTER_PX = 9.7; // of the code font at 16 px
const NARROWEST = 58;

/**
 * @typedef {object} Cell
 * @property {{ text: string, kind: string, colour?: string, ink?: string }[]} chips
 * @property {string} tip
 * @property {boolean} [fresh] what is read here is not what the layer below it read
 *
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, note: string, chosen: boolean }[]} columns
 * @property {string} ask what a click on a word does; empty where it does nothing
 * @property {{ name: string, kind: string, cells: Cell[] }[]} rows
 * @property {number | null} layer the last row that is shown; null where all are
 * @property {string[]} captions for each row that can be reached
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const fresh = view.text !== JSON.stringify([data.rows, data.columns]);
  if (fresh) view.player.stop();
  view.text = JSON.stringify([data.rows, data.columns]);
  view.data = data;
  view.pick = (word) => send("pick", word);
  view.shown.send = (layer) => send("layer", layer);
  view.shown.answer(data.layer ?? data.rows.length - 1, fresh);
  view.bar.hidden = data.layer === null;
  view.grid.setAttribute("aria-label", data.label);
  if (fresh) lay(view);
  show(view);
  return () => view.player.stop();
}

function build(root) {
  const view = { root, shown: choice(() => {}, REST_MS), cells: [], lines: [] };
  view.player = player({
    root,
    at: () => view.shown.value,
    last: () => last(view),
    go: (layer) => reach(view, layer),
    ms: () => STEP_MS,
    stopped: () => show(view),
  });
  view.bar = add(root, "div", "bar");
  view.bar.dataset.save = "no";
  view.play = iconButton("turn", "play", () => view.player.toggle(), "Play the layers");
  view.slider = scrubber("Layer", (layer) => {
    view.player.stop();
    reach(view, layer);
  });
  view.caption = element("span", "caption");
  view.caption.setAttribute("aria-live", "polite");
  view.bar.append(view.play, view.slider, view.caption);
  view.scroller = add(root, "div", "scroller");
  view.grid = add(view.scroller, "div", "grid");
  view.grid.setAttribute("role", "grid");
  view.tip = tooltip(root, { of: ".cell", on: view.grid, align: "middle", gap: 4 });
  rovingGrid(view.grid, () => view.cells, () => view.data.columns.length);
  return view;
}

function last(view) {
  return view.data.captions.length - 1;
}

function reach(view, layer) {
  view.shown.choose(layer);
  show(view);
}

function lay(view) {
  const { data } = view;
  view.tip.hide();
  const chips = data.rows.flatMap((row) => row.cells.flatMap((cell) => cell.chips.map((chip) => chip.text.length)));
  const words = data.columns.flatMap((column) => [column.text.length * 1.06, column.note.length]);
  const wide = Math.max(NARROWEST, Math.max(...chips, ...words, 1) * LETTER_PX + 8);
  view.grid.style.setProperty("--wide", `${Math.min(wide, 150)}px`);
  view.grid.style.setProperty("--words", String(data.columns.length));
  view.grid.dir = directionOf(data.columns.map(({ text }) => text));
  const head = element("div", "row head");
  head.setAttribute("role", "row");
  add(head, "span", "name");
  data.columns.forEach((column, word) => {
    const item = data.ask ? button("word", column.text, () => view.pick(word)) : element("span", "word", column.text);
    item.setAttribute("role", "columnheader");
    item.classList.toggle("chosen", column.chosen);
    if (data.ask) item.title = data.ask;
    add(item, "span", "note", column.note);
    head.append(item);
  });
  view.cells = [];
  view.lines = data.rows.map((row) => {
    const line = element("div", `row ${row.kind}`);
    line.setAttribute("role", "row");
    add(line, "span", "name", row.name).setAttribute("role", "rowheader");
    for (const cell of row.cells) line.append(itemElement(view, cell));
    return line;
  });
  if (view.cells[0]) view.cells[0].tabIndex = 0;
  view.grid.replaceChildren(head, ...view.lines);
}

function itemElement(view, cell) {
  const place = element("div", cell.fresh ? "cell fresh" : "cell");
  place.setAttribute("role", "gridcell");
  place.setAttribute("aria-label", cell.tip.replaceAll("\n", ", ") || "nothing");
  place.tip = cell.tip;
  place.tabIndex = -1;
  for (const chip of cell.chips) {
    const one = add(place, "span", `chip ${chip.kind}`, chip.text);
    if (chip.colour) one.style.background = chip.colour;
    if (chip.ink) one.style.color = chip.ink;
  }
  view.cells.push(place);
  return place;
}

function show(view) {
  const { data } = view;
  if (data.layer === null) return;
  const at = view.shown.value;
  view.lines.forEach((line, layer) => {
    line.classList.toggle("later", layer > at && layer <= last(view));
    line.classList.toggle("now", layer === at);
  });
  view.slider.max = last(view);
  view.slider.value = at;
  view.caption.textContent = data.captions[at] ?? "";
  view.slider.setAttribute("aria-valuetext", view.caption.textContent);
  view.play.setAttribute("aria-pressed", view.player.playing);
}

export default connect(draw);
