// Words across, layers down, from the embedding at the top: in each cell what is read there. Hover and the
// arrow keys tell the numbers.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, button, element } from "../widgets/dom.js";
import { rovingGrid } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

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
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const fresh = view.text !== JSON.stringify([data.rows, data.columns]);
  view.text = JSON.stringify([data.rows, data.columns]);
  view.data = data;
  view.pick = (word) => send("pick", word);
  view.grid.setAttribute("aria-label", data.label);
  if (fresh) lay(view);
}

function build(root) {
  const view = { root, cells: [] };
  view.scroller = add(root, "div", "rb-wide");
  view.grid = add(view.scroller, "div", "grid");
  view.grid.setAttribute("role", "grid");
  view.tip = tooltip(root, { of: ".cell", on: view.grid, align: "middle", gap: 4 });
  rovingGrid(view.grid, () => view.cells, () => view.data.columns.length);
  return view;
}

function lay(view) {
  const { data } = view;
  view.tip.hide();
  const chips = data.rows.flatMap((row) => row.cells.flatMap((cell) => cell.chips.map((chip) => chip.text.length)));
  const words = data.columns.flatMap((column) => [column.text.length * 1.06, column.note.length]);
  const wide = Math.max(NARROWEST, Math.max(...chips, ...words, 1) * LETTER_PX + 8);
  view.grid.style.setProperty("--wide", `${Math.min(wide, 150)}px`);
  view.grid.style.setProperty("--words", String(data.columns.length));
  setDirection(view.grid, data.columns.map(({ text }) => text));
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
  const lines = data.rows.map((row) => {
    const line = element("div", `row ${row.kind}`);
    line.setAttribute("role", "row");
    add(line, "span", "name", row.name).setAttribute("role", "rowheader");
    for (const cell of row.cells) line.append(itemElement(view, cell));
    return line;
  });
  if (view.cells[0]) view.cells[0].tabIndex = 0;
  view.grid.replaceChildren(head, ...lines);
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

export default connect(draw);
