// A model's continuations of one beginning, a line for each step of its training; the chosen one stands in large
// letters above. Arrow keys walk through the lines.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, button, element, partOf, resize } from "../widgets/dom.js";
import { announceChanges } from "../widgets/live.js";
import { roving } from "../widgets/roving.js";

const TELL_MS = 250; // the address follows once the keys rest

/**
 * @typedef {object} Data
 * @property {{ tokens: string, text: string, when: string }[]} rows a line for each point of the training
 * @property {string} prompt
 * @property {string} shown what the rows belong to; another one resets the choice
 * @property {string} label
 * @property {number} point
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  view.point.send = (point) => send("point", point);
  view.point.answer(data.point, view.shown !== data.shown);
  view.shown = data.shown;
  view.data = data;
  view.list.setAttribute("aria-label", data.label);
  view.list.classList.toggle("many", data.rows.length > 9);
  const rows = resize(view.list, data.rows.length, newRow);
  data.rows.forEach((each, i) => {
    const row = rows[i];
    row.at = i;
    row.tokens.textContent = i ? each.tokens : `${each.tokens} tokens`;
    row.text.textContent = each.text;
    setDirection(row.text, each.text);
  });
  show(view);
}

function newRow() {
  const row = button("row");
  row.setAttribute("role", "option");
  for (const part of ["tokens", "text"]) row[part] = add(row, "span", part);
  return row;
}

function build(root) {
  const view = { root, point: choice(() => {}, TELL_MS) };
  view.reading = add(root, "p", "reading");
  announceChanges(view.reading);
  view.list = add(root, "div", "list");
  view.list.setAttribute("role", "listbox");
  view.when = add(root, "p", "when");
  view.list.addEventListener("click", (event) => {
    const row = partOf(event, ".row");
    if (row) choose(view, row.at);
  });
  roving(view.list, () => [...view.list.children], { axis: "down", reach: (row) => choose(view, row.at) });
  return view;
}

function choose(view, point) {
  if (point === view.point.value) return;
  view.point.choose(point);
  show(view);
}

function show(view) {
  const { data } = view;
  const point = view.point.value;
  const row = data.rows[point];
  view.reading.replaceChildren(element("span", "prompt", data.prompt), row.text);
  setDirection(view.reading, data.prompt + row.text);
  view.when.textContent = row.when;
  [...view.list.children].forEach((each, i) => {
    each.classList.toggle("chosen", i === point);
    each.setAttribute("aria-selected", i === point);
    each.tabIndex = i === point ? 0 : -1;
  });
}

export default connect(draw);
