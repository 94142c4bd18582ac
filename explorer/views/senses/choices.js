// Ways to one thing, each with a figure as a bar: a click, or the arrow keys, choose one of them.
import { connect } from "../widgets/connect.js";
import { button, element, partOf, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";
import { roving, stopAt } from "../widgets/roving.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string[]} headings
 * @property {{ name: string, text: string, number: string, aside?: string, value?: number, chosen: boolean, label: string }[]} rows
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  const list = (root.list ??= build(root));
  list.setAttribute("aria-label", data.label);
  root.head.replaceChildren(...data.headings.map((text) => element("span", "", text)));
  list.style.setProperty("--text", `${Math.max(...data.rows.map((each) => each.text.length), 0) * 0.47}em`);
  const rows = resize(list, data.rows.length, row);
  data.rows.forEach((item, i) => fill(rows[i], item));
  stopAt(rows, rows.find((each) => each.ariaChecked === "true") ?? rows[0]);
  list.choose = (each) => each.ariaChecked !== "true" && send("choose", each.dataset.name);
}

function build(root) {
  root.head = element("div", "head");
  const list = element("div", "list");
  list.setAttribute("role", "radiogroup");
  list.onclick = (event) => {
    const each = partOf(event, "button");
    if (each) list.choose(each);
  };
  roving(list, () => [...list.children], { wrap: true, stops: false, reach: (each) => list.choose(each) });
  root.append(root.head, list);
  return list;
}

function row() {
  const control = button("row");
  control.setAttribute("role", "radio");
  const track = element("span", "track");
  track.append(element("span", "bar"));
  control.append(element("span", "knob"), element("span", "text"), track, element("span", "number"), element("span", "aside"));
  return control;
}

function fill(each, item) {
  const [, text, track, number, aside] = each.children;
  each.dataset.name = item.name;
  each.setAttribute("aria-checked", item.chosen);
  each.ariaChecked = String(item.chosen);
  text.textContent = item.text;
  track.firstElementChild.style.width = percent(item.value ?? 0);
  number.textContent = item.number;
  aside.textContent = item.aside ?? "";
  each.setAttribute("aria-label", item.label);
}

export default connect(draw);
