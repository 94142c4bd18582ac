// A model's first guesses, a column for each step of its training. The slider over the columns chooses a step, and
// the sentence above shows the best guess of that step. One word is traced from column to column: hover traces
// another word, a click locks it, Esc releases it. Play walks through the training.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { bringAcross } from "../widgets/into_view.js";
import { html, nothing, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { stepper } from "../widgets/player.js";
import { arrow, stopAt } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

const STEP_MS = 900;

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
  const view = (root.view ??= build(root));
  const other = view.data?.shown !== data.shown;
  view.send = send;
  view.steps.answer(data.point, (point) => send("point", point), other);
  view.data = data;
  view.preview = null;
  root.style.setProperty("--columns", data.columns.length);
  view.steps.slider.hidden = data.columns.length < 2;
  show(view);
  if (!view.table) listen(view);
  if (other) stopAt(cells(view), cells(view)[0]);
}

function build(root) {
  const view = { root };
  view.steps = stepper({ root, label: t("Point of the training"), last: () => view.data.columns.length - 1, ms: () => STEP_MS, show: () => show(view) });
  return view;
}

function listen(view) {
  view.table = view.root.querySelector(".table");
  announceChanges(view.root.querySelector(".sentence"));
  tooltip(view.root, { of: ".cell", on: view.table, align: "left", tell: (cell) => trace(view, cell) });
  view.root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && view.data.locked >= 0) lock(view, -1);
    else walk(view, event);
  });
  new ResizeObserver(() => drawLinks(view)).observe(view.table);
}

const cells = (view) => [...view.root.querySelectorAll(".cell")];

function walk(view, event) {
  const at = event.target;
  const move = at.classList.contains("cell") && arrow(event);
  if (!move) return;
  event.preventDefault();
  const next = cells(view).find((cell) => cell.column === at.column + move[0] && cell.place === at.place + move[1]);
  if (!next) return;
  stopAt(cells(view), next);
  next.focus();
}

function show(view) {
  const { data, root, steps } = view;
  const point = steps.place.value;
  const { before, after, word, probability, when } = data.columns[point];
  steps.mark(when);
  view.traced = view.preview ?? (data.locked >= 0 ? data.locked : data.final);
  render(html`
    <div class="reading">
      <p class="sentence">${before}${word ? html`<b class="guess">${word}</b><span class="sure">${probability}</span>` : nothing}${after}</p>
      <button type="button" class="control play" ?hidden=${data.columns.length < 2} @click=${steps.toggle}>${steps.playing ? t("Pause") : t("Play the training")}</button>
    </div>
    <div class="frame rb-wide">
      <div class=${data.columns.length > 9 ? "inner many" : "inner"}>
        ${steps.slider}
        <div class="table" role="group" aria-label=${data.label}>${data.columns.map((column, i) => drawColumn(view, column, i))}<svg aria-hidden="true"></svg></div>
      </div>
    </div>
    <p class="foot"><span class="when">${when}</span></p>`, root);
  setDirection(root.querySelector(".sentence"), [before, after, word]);
  if (view.seen !== point) bringAcross(root.querySelector(".frame"), root.querySelectorAll(".column")[point]);
  view.seen = point;
  drawLinks(view);
}

function drawColumn(view, column, number) {
  const { words, locked } = view.data;
  const chosen = number === view.steps.place.value;
  return html`
    <div class=${chosen ? "column chosen" : "column"}>
      <button type="button" class="head" tabindex="-1" title=${column.when} aria-pressed=${chosen}
        @click=${() => view.steps.go(number)}>${number ? column.tokens : t("{count} tokens", { count: column.tokens })}</button>
      ${column.cells.map((cell, place) => html`
      <button type="button" class=${cell.word === view.traced ? "cell traced" : "cell"} tabindex="-1" aria-pressed=${cell.word === locked}
        .word=${cell.word} .column=${number} .place=${place} .tip=${cell.tip}
        aria-label="${words[cell.word].text}, ${cell.tip}, ${column.when}" @click=${() => lock(view, cell.word === view.data.locked ? -1 : cell.word)}>
        <span class="word">${words[cell.word].text}</span>
        <span class="track"><span class="bar" style="width: ${cell.width * 100}%"></span></span>
        <span class="number">${cell.number}</span>
      </button>`)}
    </div>`;
}

// A line from a word to its place in the next column, level until the gap between them.
function drawLinks(view) {
  const [table, links] = [".table", ".table > svg"].map((part) => view.root.querySelector(part));
  links.setAttribute("viewBox", `0 0 ${table.clientWidth} ${table.clientHeight}`);
  const all = cells(view);
  const lines = all.flatMap((cell) => {
    const next = all.find((c) => c.word === cell.word && c.column === cell.column + 1);
    if (!next) return [];
    const [one, other] = [cell.firstElementChild, next.firstElementChild];
    const [y1, y2] = [one, other].map((word) => word.offsetTop + word.offsetHeight / 2);
    const [x1, x2] = [one.offsetLeft + one.offsetWidth + 3, other.offsetLeft - 1];
    const bend = Math.max(cell.offsetLeft + cell.offsetWidth - 4, x1);
    const middle = (bend + x2) / 2;
    const path = node("path", { d: `M${x1},${y1} H${bend} C${middle},${y1} ${middle},${y2} ${x2},${y2}` });
    path.classList.toggle("traced", cell.word === view.traced);
    return [path];
  });
  lines.sort((a, b) => a.classList.contains("traced") - b.classList.contains("traced"));
  links.replaceChildren(...lines);
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
