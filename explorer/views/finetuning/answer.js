// A passage with two small bars under every token: how probable an answer starts there, and that it ends
// there. The best pair is framed; pointing at a runner-up, or walking to it, frames that instead.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element, partOf, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
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
    root.tokens = data.tokens.map(token);
    root.passage.replaceChildren(...words(root.tokens));
    layOut(root.passage, root.tokens.map((item) => item.querySelector(".text")));
  }
  data.tokens.forEach((chance, i) => {
    const element = root.tokens[i];
    element.tip = chance.tip;
    element.start.style.height = percent(chance.start);
    element.end.style.height = percent(chance.end);
  });
  const rows = resize(root.answers, data.answers.length, newRow);
  data.answers.forEach((answer, i) => {
    const { name, bar, number } = rows[i].parts;
    rows[i].classList.toggle("nothing", answer.nothing);
    rows[i].setAttribute("aria-label", `${answer.text}: ${answer.number}`);
    name.textContent = answer.text;
    bar.style.width = percent(answer.share);
    number.textContent = answer.number;
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
    const entry = add(root.legend, "span", kind, kind === "start" ? "starts here" : "ends here");
    entry.prepend(element("i"));
  }
  root.answers = add(root, "div", "answers");
  root.tip = tooltip(root, { of: ".token", on: root.passage, align: "middle", gap: 2 });
  roving(root.answers, () => [...root.answers.children], { axis: "down", reach: (row) => frame(root, at(root, row)) });
  const frameRow = (event) => {
    const row = partOf(event, "button");
    if (row) frame(root, at(root, row));
  };
  pointing(root.answers, frameRow, () => frame(root, 0), "pointerover");
  root.answers.addEventListener("click", frameRow);
}

function at(root, row) {
  return [...root.answers.children].indexOf(row);
}

function frame(root, number) {
  const answer = root.data.answers[number];
  [...root.answers.children].forEach((row, i) => row.setAttribute("aria-pressed", i === number));
  root.tokens.forEach((element, i) => {
    const inside = Boolean(answer) && !answer.nothing && answer.from <= i && i <= answer.to;
    element.classList.toggle("inside", inside);
    element.classList.toggle("first", inside && i === answer.from);
    element.classList.toggle("last", inside && i === answer.to);
  });
}

// The tokens of a word in one box each, so that no word is torn at the end of a line.
function words(tokens) {
  const boxes = [];
  for (const item of tokens) {
    if (!boxes.length || item.classList.contains("space")) boxes.push(element("span", "word"));
    boxes.at(-1)?.append(item);
  }
  return boxes;
}

function token({ text, space }) {
  const item = element("span", space ? "token space" : "token");
  add(item, "span", "text", text);
  const bars = add(item, "span", "bars");
  item.start = add(bars, "i", "start");
  item.end = add(bars, "i", "end");
  return item;
}

function newRow() {
  const row = button("row");
  const name = add(row, "span", "name");
  const bar = add(add(row, "span", "track"), "span", "bar");
  row.parts = { name, bar, number: add(row, "span", "number") };
  return row;
}

export default connect(draw);
