// One token a line: its probability before on the left, after on the right, and how much it changed.
// Bars are updated in place, so that they ease to their new length.
import { connect } from "../widgets/connect.js";
import { element, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} before what each side is called
 * @property {string} after
 * @property {number} scale the probability of a full bar
 * @property {{
 *   token: string, tip: string, state: string, before: number, before_text: string, after: number, after_text: string,
 *   direction: string, change: string,
 *   }[]} rows
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  if (!root.rows) build(root);
  root.setAttribute("aria-label", data.label);
  ["before", "after"].forEach((side, i) => (root.heads[i].textContent = data[side]));
  const lines = resize(root.rows, data.rows.length, newRow);
  data.rows.forEach((row, index) => update(lines[index], row, data.scale));
}

function build(root) {
  root.setAttribute("role", "table");
  const head = element("div", "line head");
  head.setAttribute("role", "row");
  root.heads = [element("span", "left"), element("span", "right")];
  head.append(root.heads[0], element("span", "middle"), root.heads[1], element("span", "change", "change"));
  for (const cell of head.children) cell.setAttribute("role", "columnheader");
  head.children[1].setAttribute("role", "cell"); // nothing stands above the tokens
  root.rows = element("div", "rows");
  root.append(head, root.rows);
  root.tip = tooltip(root, { of: ".line", on: root.rows });
}

function newRow() {
  const line = element("div", "line");
  line.setAttribute("role", "row");
  const side = (name) => {
    const cell = element("span", name);
    const track = element("span", "track");
    const bar = element("span", "bar");
    const number = element("span", "number");
    track.append(bar);
    cell.append(...(name === "left" ? [number, track] : [track, number]));
    cell.setAttribute("role", "cell");
    return { cell, bar, number };
  };
  line.parts = { left: side("left"), token: element("span", "middle"), right: side("right"), change: element("span", "change") };
  for (const cell of [line.parts.token, line.parts.change]) cell.setAttribute("role", "cell");
  line.append(line.parts.left.cell, line.parts.token, line.parts.right.cell, line.parts.change);
  return line;
}

function update(line, row, scale) {
  const { left, token, right, change } = line.parts;
  line.className = `line ${row.state}`;
  line.tip = row.tip;
  token.textContent = row.token;
  for (const [side, value, text] of [[left, row.before, row.before_text], [right, row.after, row.after_text]]) {
    side.bar.style.width = percent(value / scale);
    side.number.textContent = text;
  }
  const arrow = { up: "▲ ", down: "▼ " }[row.direction] ?? "";
  change.replaceChildren(element("span", row.direction, arrow), row.change);
}

export default connect(draw);
