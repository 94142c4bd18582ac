// Which of two sets of words a sentence prefers: a dot for each word of the slot, on an axis of ratios with
// “equal” in the middle. A dashed line marks the sentence with no word in the slot. Hovering shows the
// probabilities; a click opens the sentence.
import { connect } from "../widgets/connect.js";
import { add, button, element, partOf, resize } from "../widgets/dom.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} one the first set's name
 * @property {string} other the second set's name
 * @property {number} limit bits at either end of the axis
 * @property {{ bits: number, text: string }[]} ticks
 * @property {{ bits: number } | null} bare the sentence with no word in the slot
 * @property {{ name: string, ratio: string, tip: string, bits: number | null }[]} rows
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.parts ??= build(root);
  const { axis, rows, bare, tip } = root.parts;
  const place = (bits) => 50 - (50 * Math.max(Math.min(bits, data.limit), -data.limit)) / data.limit;
  root.setAttribute("aria-label", data.label);
  const outermost = Math.max(...data.ticks.map((tick) => tick.bits));
  axis.replaceChildren(
    ...data.ticks.map((tick) => {
      const between = tick.bits && Math.abs(tick.bits) < outermost; // left out where there is no room
      const mark = element("span", between ? "tick between" : "tick", tick.text);
      mark.style.left = `${place(tick.bits)}%`;
      return mark;
    }),
  );
  root.parts.one.textContent = `← ${data.one}`;
  root.parts.other.textContent = `${data.other} →`;
  bare.hidden = data.bare === null;
  if (data.bare !== null) bare.style.left = `${place(data.bare.bits)}%`;
  root.parts.grid.replaceChildren(
    ...data.ticks.map((tick) => {
      const line = element("i", tick.bits ? "" : "even");
      line.style.left = `${place(tick.bits)}%`;
      return line;
    }),
    bare,
  );
  const elements = resize(rows, data.rows.length, newRow);
  data.rows.forEach((row, index) => {
    const { name, stem, dot, ratio } = elements[index].parts;
    Object.assign(elements[index], { index, tip: row.tip, tabIndex: index ? -1 : 0 });
    elements[index].className = `row ${(row.bits ?? 0) > 0 ? "one" : "other"}${row.bits === null ? " unknown" : ""}`;
    elements[index].setAttribute("aria-label", `${row.name}, ${row.ratio}, ${row.tip}`);
    name.textContent = row.name;
    ratio.textContent = row.ratio;
    const at = place(row.bits ?? 0);
    stem.style.left = `${Math.min(at, 50)}%`;
    stem.style.width = `${Math.abs(at - 50)}%`;
    dot.style.left = `${at}%`;
  });
  tip.refresh();
  root.onclick = (event) => {
    const row = partOf(event, "button");
    if (row) send("click", row.index);
  };
}

function build(root) {
  root.setAttribute("role", "group");
  const head = add(root, "div", "head");
  const parts = { one: add(head, "b", "end one"), other: add(head, "b", "end other") };
  parts.rows = add(root, "div", "rows");
  parts.grid = add(root, "div", "grid");
  parts.bare = element("i", "bare");
  parts.axis = add(root, "div", "axis");
  parts.tip = tooltip(root, { of: "button", gap: 0 });
  roving(root, () => [...parts.rows.children], { axis: "down" });
  return parts;
}

function newRow() {
  const row = button("row");
  const name = add(row, "span", "name");
  const plot = add(row, "span", "plot");
  row.parts = { name, stem: add(plot, "span", "stem"), dot: add(plot, "span", "dot"), ratio: add(row, "span", "ratio") };
  return row;
}

export default connect(draw);
