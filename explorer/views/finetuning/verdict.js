// What a head predicts for a text: a bar for each class, with the class's own mark, as on the map beside it.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, element, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";
import { node } from "../widgets/svg.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, rows: { name: string, mark: { colour: number, path: string }, share: number, number: string, first: boolean }[] }[]} texts
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("several", data.texts.length > 1);
  const groups = resize(root, data.texts.length, newGroup);
  data.texts.forEach((verdict, i) => {
    groups[i].text.textContent = verdict.text;
    setDirection(groups[i].text, verdict.text);
    groups[i].text.hidden = !verdict.text;
    const rows = resize(groups[i].rows, verdict.rows.length, newRow);
    verdict.rows.forEach((row, j) => fill(rows[j], row));
  });
}

function fill(item, row) {
  const { shape, name, bar, number } = item.parts;
  item.classList.toggle("first", row.first);
  item.setAttribute("aria-label", `${row.name}: ${row.number}`);
  shape.setAttribute("d", row.mark.path);
  shape.style.fill = `var(--rb-senses-${row.mark.colour})`;
  name.textContent = row.name;
  bar.style.width = percent(row.share);
  number.textContent = row.number;
}

function newGroup() {
  const group = element("div", "group");
  group.text = add(group, "div", "text");
  group.rows = add(group, "div", "rows");
  group.rows.setAttribute("role", "list");
  return group;
}

function newRow() {
  const row = element("div", "row");
  row.setAttribute("role", "listitem");
  const svg = node("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" });
  const shape = node("path");
  svg.append(shape);
  row.append(svg);
  const name = add(row, "span", "name");
  const bar = add(add(row, "span", "track"), "span", "bar");
  row.parts = { shape, name, bar, number: add(row, "span", "number") };
  return row;
}

export default connect(draw);
