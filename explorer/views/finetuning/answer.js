// A passage with two small bars under every token: how probable an answer starts there, and that it ends
// there. The best pair is framed; pointing at a runner-up, or walking to it, frames that instead.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, space: boolean, start: number, end: number, tip: string }[]} tokens shares of the largest
 * @property {{ text: string, number: string, share: number, from: number, to: number, nothing: boolean }[]} answers
 *   the best first; an answer that is `nothing` is that of no answer
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  if (!root.passage) build(root);
  root.data = data;
  root.setAttribute("aria-label", data.label);
  const signature = JSON.stringify(data.tokens.map(({ text, space }) => [text, space]));
  if (signature !== root.signature) {
    root.signature = signature;
    root.tip.hide();
    root.passage.replaceChildren(...data.tokens.map(token));
    layOut(root.passage, [...root.passage.querySelectorAll(".text")]);
  }
  data.tokens.forEach((told, i) => {
    const drawn = root.passage.children[i];
    drawn.tip = told.tip;
    drawn.start.style.height = percent(told.start);
    drawn.end.style.height = percent(told.end);
  });
  const rows = resize(root.answers, data.answers.length, newRow);
  data.answers.forEach((told, i) => {
    const { name, bar, number } = rows[i].parts;
    rows[i].classList.toggle("nothing", told.nothing);
    rows[i].setAttribute("aria-label", `${told.text}: ${told.number}`);
    name.textContent = told.text;
    bar.style.width = percent(told.share);
    number.textContent = told.number;
  });
  rows.forEach((row, i) => (row.tabIndex = i ? -1 : 0));
  frame(root, 0);
}

function build(root) {
  root.setAttribute("role", "group");
  const left = add(root, "div", "left-side");
  root.passage = add(left, "div", "passage");
  root.legend = add(left, "div", "legend");
  for (const kind of ["start", "end"]) {
    const said = add(root.legend, "span", kind, kind === "start" ? "starts here" : "ends here");
    said.prepend(element("i"));
  }
  root.answers = add(root, "div", "answers");
  root.tip = tooltip(root, { of: ".token", on: root.passage, align: "middle", gap: 2 });
  roving(root.answers, () => [...root.answers.children], { axis: "down", reach: (row) => frame(root, at(root, row)) });
  root.answers.addEventListener("pointerover", (event) => {
    const row = event.target instanceof Element ? event.target.closest("button") : null;
    if (row) frame(root, at(root, row));
  });
  root.answers.addEventListener("pointerleave", () => frame(root, 0));
  root.answers.addEventListener("click", (event) => {
    const row = event.target instanceof Element ? event.target.closest("button") : null;
    if (row) frame(root, at(root, row));
  });
}

function at(root, row) {
  return [...root.answers.children].indexOf(row);
}

function frame(root, number) {
  const told = root.data.answers[number];
  [...root.answers.children].forEach((row, i) => row.setAttribute("aria-pressed", i === number));
  [...root.passage.children].forEach((drawn, i) => {
    const inside = Boolean(told) && !told.nothing && told.from <= i && i <= told.to;
    drawn.classList.toggle("inside", inside);
    drawn.classList.toggle("first", inside && i === told.from);
    drawn.classList.toggle("last", inside && i === told.to);
  });
}

function token({ text, space }) {
  const made = element("span", space ? "token space" : "token");
  add(made, "span", "text", text);
  const bars = add(made, "span", "bars");
  made.start = add(bars, "i", "start");
  made.end = add(bars, "i", "end");
  return made;
}

function newRow() {
  const row = button("row");
  const name = add(row, "span", "name");
  const bar = add(add(row, "span", "track"), "span", "bar");
  row.parts = { name, bar, number: add(row, "span", "number") };
  return row;
}

export default connect(draw);
