// Heads in order, a bar each; a tick in every bar stands at what would be had for nothing.
// Hover gives the full numbers, click picks, arrow keys walk.
import { connect } from "../widgets/connect.js";
import { button, element, partOf, resize } from "../widgets/dom.js";
import { readAloud } from "../widgets/names.js";
import { percent } from "../widgets/numbers.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} heading
 * @property {{ name: string, note: string, value: number, number: string, tip: string, chosen: boolean }[]} rows
 * @property {number | null} tick a value that is marked in every bar
 * @property {number} scale the value of a full bar
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.rows) build(root);
  root.pick = (index) => send("pick", index);
  root.setAttribute("aria-label", data.label);
  root.heading.textContent = data.heading;
  root.heading.hidden = !data.heading;
  const buttons = resize(root.rows, data.rows.length, newRow);
  data.rows.forEach((row, index) => update(buttons[index], row, index, data));
  if (buttons.length && !buttons.some((each) => each.tabIndex === 0)) buttons[0].tabIndex = 0;
}

function build(root) {
  root.setAttribute("role", "group");
  root.heading = element("p", "heading");
  root.rows = element("div", "rows");
  root.append(root.heading, root.rows);
  root.tip = tooltip(root, { of: "button" });
  root.addEventListener("click", (event) => {
    const row = partOf(event, "button");
    if (row) root.pick(Number(row.dataset.index));
  });
  roving(root, () => [...root.rows.children], { axis: "down" });
}

function newRow() {
  const row = button("row");
  row.tabIndex = -1;
  const track = element("span", "track");
  row.parts = { name: element("b", "name"), note: element("span", "note"), bar: element("span", "bar"), tick: element("i", "tick"), number: element("span", "number") };
  track.append(row.parts.bar, row.parts.tick);
  row.append(row.parts.name, row.parts.note, track, row.parts.number);
  return row;
}

function update(line, row, index, data) {
  const { name, note, bar, tick, number } = line.parts;
  line.className = `row ${row.chosen ? "chosen" : ""}`;
  line.dataset.index = index;
  line.setAttribute("aria-pressed", Boolean(row.chosen));
  const told = row.tip.startsWith(row.name) ? [row.tip] : [row.name, row.note, row.number, row.tip];
  line.setAttribute("aria-label", readAloud(told.filter(Boolean).join(", ").replaceAll("\n", ", ")));
  line.tip = row.tip;
  name.textContent = row.name;
  note.textContent = row.note;
  number.textContent = row.number;
  const at = (value) => percent(value / data.scale);
  bar.style.width = at(row.value);
  tick.hidden = data.tick === null;
  if (data.tick !== null) tick.style.left = at(data.tick);
}

export default connect(draw);
