// The layers of a model, the highest on top, each with a bar: how fast it learns, or how much it counts.
// What stands still is pale.
import { connect } from "../widgets/connect.js";
import { add, element, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, lit: boolean }[]} heads what reads the highest layer
 * @property {{ name: string, share: number, number: string, note: string, lit: boolean }[]} rows from the top
 * @property {string} foot what lies below them
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  if (!root.heads) {
    root.heads = add(root, "div", "heads");
    root.rows = add(root, "div", "rows");
    root.rows.setAttribute("role", "list");
    root.foot = add(root, "div", "foot");
  }
  const heads = resize(root.heads, data.heads.length, () => element("div", "head"));
  data.heads.forEach(({ text, lit }, i) => {
    heads[i].textContent = text;
    heads[i].classList.toggle("lit", lit);
  });
  const rows = resize(root.rows, data.rows.length, newRow);
  data.rows.forEach((row, i) => {
    const { name, bar, number, note } = rows[i].parts;
    rows[i].classList.toggle("lit", row.lit);
    rows[i].setAttribute("aria-label", [row.name, row.number, row.note].filter(Boolean).join(", "));
    name.textContent = row.name;
    bar.style.width = percent(row.share);
    number.textContent = row.number;
    note.textContent = row.note;
    note.hidden = !row.note;
  });
  root.foot.textContent = data.foot;
}

function newRow() {
  const row = element("div", "row");
  row.setAttribute("role", "listitem");
  const name = add(row, "span", "name");
  const bar = add(add(row, "span", "track"), "span", "bar");
  row.parts = { name, bar, number: add(row, "span", "number"), note: add(row, "span", "note") };
  return row;
}

export default connect(draw);
