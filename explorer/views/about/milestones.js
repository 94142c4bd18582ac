// A model's first guesses, a column for each step of its training. The slider over the columns chooses a step, and
// the sentence above shows the best guess of that step. One word is traced from column to column: hover traces
// another word, a click locks it, Esc releases it. Play walks through the training.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, button, element, partOf } from "../widgets/dom.js";
import { bringAcross } from "../widgets/into_view.js";
import { announceChanges } from "../widgets/live.js";
import { player, scrubber } from "../widgets/player.js";
import { arrow, stopAt } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { tooltip } from "../widgets/tooltip.js";

const STEP_MS = 900;
const TELL_MS = 250; // the address follows the slider once it rests

/**
 * @typedef {object} Data
 * @property {{
 *   tokens: string, when: string, word: string, probability: string, before: string, after: string,
 *   cells: { word: number, tip: string, number: string, width: number }[],
 *   }[]} columns
 * @property {{ text: string, token: string }[]} words
 * @property {number} final the word that is traced where none is locked, or -1
 * @property {number} locked a word, or -1
 * @property {string} shown what the columns belong to; another one resets the choice
 * @property {string} label
 * @property {number} point a column
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  const other = view.shown !== data.shown;
  if (other) view.player.stop();
  view.send = send;
  view.point.send = (point) => send("point", point);
  view.point.answer(data.point, other);
  view.data = data;
  view.shown = data.shown;
  view.preview = null;
  fill(view);
  show(view);
  return () => view.player.stop();
}

function build(root) {
  const view = { root, point: choice(() => {}, TELL_MS), cells: [] };
  view.player = player({
    root,
    at: () => view.point.value,
    last: () => view.data.columns.length - 1,
    go: (point) => reach(view, point),
    ms: () => STEP_MS,
    stopped: () => show(view),
  });
  view.reading = add(root, "div", "reading");
  view.sentence = add(view.reading, "p", "sentence");
  announceChanges(view.sentence);
  view.play = button("play", "", () => view.player.toggle());
  view.reading.append(view.play);
  view.frame = add(root, "div", "frame rb-wide");
  view.inner = add(view.frame, "div", "inner");
  view.slider = scrubber("Point of the training", (point) => choose(view, point));
  view.inner.append(view.slider);
  view.table = add(view.inner, "div", "table");
  view.table.setAttribute("role", "group");
  view.links = node("svg", { "aria-hidden": "true" });
  const foot = add(root, "p", "foot");
  view.when = add(foot, "span", "when");
  listen(view);
  new ResizeObserver(() => view.data && drawLinks(view)).observe(view.table);
  return view;
}

function listen(view) {
  tooltip(view.root, { of: ".cell", on: view.table, align: "left", tell: (cell) => trace(view, cell) });
  view.table.addEventListener("click", (event) => {
    const cell = partOf(event, ".cell");
    const head = partOf(event, ".head");
    if (cell) lock(view, cell.word === view.data.locked ? -1 : cell.word);
    if (head) choose(view, head.column);
  });
  view.root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && view.data.locked >= 0) lock(view, -1);
    else walk(view, event);
  });
}

function walk(view, event) {
  const at = event.target;
  if (!at.classList.contains("cell")) return;
  const move = arrow(event);
  if (!move) return;
  event.preventDefault();
  const next = view.cells.find((cell) => cell.column === at.column + move[0] && cell.place === at.place + move[1]);
  if (!next) return;
  stopAt(view.cells, next);
  next.focus();
}

function fill(view) {
  const { columns, words, label } = view.data;
  view.root.style.setProperty("--columns", columns.length);
  view.inner.classList.toggle("many", columns.length > 9);
  view.table.setAttribute("aria-label", label);
  view.slider.max = columns.length - 1;
  view.slider.hidden = view.play.hidden = columns.length < 2;
  if (view.filled === JSON.stringify([columns, words])) return;
  view.filled = JSON.stringify([columns, words]);
  view.cells = [];
  view.table.replaceChildren(
    ...columns.map((column, number) => {
      const box = element("div", "column");
      const head = add(box, "button", "head", number ? column.tokens : `${column.tokens} tokens`);
      Object.assign(head, { type: "button", column: number, tabIndex: -1, title: column.when });
      column.cells.forEach((cell, place) => {
        const guess = add(box, "button", "cell");
        Object.assign(guess, { type: "button", tabIndex: -1, word: cell.word, column: number, place, tip: cell.tip });
        guess.setAttribute("aria-label", `${words[cell.word].text}, ${cell.tip}, ${column.when}`);
        add(guess, "span", "word", words[cell.word].text);
        const bar = add(add(guess, "span", "track"), "span", "bar");
        bar.style.width = `${cell.width * 100}%`;
        add(guess, "span", "number", cell.number);
        view.cells.push(guess);
      });
      return box;
    }),
    view.links,
  );
  if (view.cells.length) view.cells[0].tabIndex = 0;
}

function show(view) {
  const { data } = view;
  const point = view.point.value;
  const column = data.columns[point];
  view.slider.value = point;
  view.slider.setAttribute("aria-valuetext", column.when);
  const guess = element("b", "guess", column.word);
  const sure = element("span", "sure", column.probability);
  setDirection(view.sentence, [column.before, column.after, column.word]);
  view.sentence.replaceChildren(column.before, ...(column.word ? [guess, sure] : []), column.after);
  view.when.textContent = column.when;
  [...view.table.querySelectorAll(".column")].forEach((each, i) => {
    each.classList.toggle("chosen", i === point);
    each.firstChild.setAttribute("aria-pressed", i === point);
  });
  const traced = view.preview ?? (data.locked >= 0 ? data.locked : data.final);
  for (const cell of view.cells) {
    cell.classList.toggle("traced", cell.word === traced);
    cell.setAttribute("aria-pressed", cell.word === data.locked);
  }
  view.traced = traced;
  view.play.textContent = view.player.playing ? "Pause" : "Play the training";
  view.play.setAttribute("aria-pressed", view.player.playing);
  if (view.seen !== point) bringAcross(view.frame, view.table.children[point]);
  view.seen = point;
  drawLinks(view);
}

// A line from a word to its place in the next column, level until the gap between them.
function drawLinks(view) {
  const { clientWidth: width, clientHeight: height } = view.table;
  view.links.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const lines = view.cells.flatMap((cell) => {
    const next = view.cells.find((c) => c.word === cell.word && c.column === cell.column + 1);
    if (!next) return [];
    const [one, other] = [cell.firstChild, next.firstChild];
    const [y1, y2] = [one, other].map((word) => word.offsetTop + word.offsetHeight / 2);
    const [x1, x2] = [one.offsetLeft + one.offsetWidth + 3, other.offsetLeft - 1];
    const bend = Math.max(cell.offsetLeft + cell.offsetWidth - 4, x1);
    const middle = (bend + x2) / 2;
    const path = node("path", { d: `M${x1},${y1} H${bend} C${middle},${y1} ${middle},${y2} ${x2},${y2}` });
    path.classList.toggle("traced", cell.word === view.traced);
    return [path];
  });
  lines.sort((a, b) => a.classList.contains("traced") - b.classList.contains("traced"));
  view.links.replaceChildren(...lines);
}

function choose(view, point) {
  view.player.stop();
  if (point !== view.point.value) reach(view, point);
}

function reach(view, point) {
  view.point.choose(point);
  show(view);
}

function lock(view, word) {
  view.preview = null;
  view.data = { ...view.data, locked: word };
  show(view);
  view.send("word", word < 0 ? "" : view.data.words[word].token);
}

function trace(view, cell) {
  const preview = cell ? cell.word : null;
  if (preview === view.preview) return;
  view.preview = preview;
  show(view);
}

export default connect(draw);
