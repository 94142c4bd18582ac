// One layer of a model, step by step: a rail of the steps, the step in view as a figure, its formula and
// its PyTorch, and what made the number that was clicked. All numbers are here, so that walking waits for
// nobody; the page hears where the walk rests. The data are a header in JSON and raw numbers behind it.
import { choice } from "../widgets/answers.js";
import { unpack } from "../widgets/buffer.js";
import { connect } from "../widgets/connect.js";
import { isolated, layOut } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { takeFreeKeys } from "../widgets/free_keys.js";
import { html, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { fixed } from "../widgets/numbers.js";
import { scrubber, setSlider, sign } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { arrow } from "../widgets/roving.js";
import { cellAt, figure, mark } from "./steps_figure.js";
import { formula } from "./steps_formula.js";
import { rail } from "./steps_rail.js";
import { whole } from "./steps_whole.js";
import { drawWhy } from "./steps_why.js";

const REST_MS = 250; // the address follows the walk once it rests
const WHOLE = "whole";
const INVITE = "Press a step, or walk with the arrows. Press another word to follow that one. This number is followed:";

/**
 * Its data: a header and the numbers; see step_data.py
 * @type {import("../widgets/connect.js").Draw<Uint8Array>}
 */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  const { header, buffer, start } = unpack(data);
  const text = JSON.stringify([header.tokens, header.where]);
  const fresh = view.text !== text;
  Object.assign(view, header, { text, send, asked: header.why[0] ?? null });
  for (const array of Object.values(view.arrays)) {
    array.numbers = new Float32Array(buffer, start + 4 * array.at, array.rows * array.columns);
  }
  view.names = view.tokens.map((token) => isolated(token.name));
  view.sourceNames = view.source.map((token) => isolated(token.name));
  view.place.send = (place) => send("place", place);
  view.place.answer({ step: header.step, way: header.way, word: header.word, number: header.number }, fresh);
  rail(view);
  show(view);
}

function build(root) {
  const view = { root, place: choice(() => {}, REST_MS) };
  view.slider = scrubber("Step of the layer", (at) => go(view, { step: stepAt(view, at) }));
  view.picker = scrubber("Number that is followed", (number) => go(view, { number }));
  const turn = (icon, label, by) => html`
    <button type="button" class="turn ${icon}" aria-label=${label} @click=${() => move(view, by)}>${sign(icon)}</button>`;
  render(html`
    <div class="bar" data-save="no"><div class="words" role="group" aria-label="Words"></div><div class="ways"></div></div>
    <div class="board">
      <div class="rail"></div>
      <div class="main" tabindex="0" role="group">
        <div class="top"><div class="turns" data-save="no">${turn("back", "Step back", -1)}${view.slider}${turn("on", "Next step", 1)}</div><h3 class="title"></h3></div>
        <p class="says"></p>
        <label class="follow">${view.picker}<span class="number"></span></label>
        <div class="figure"></div>
        <div class="beside"><p class="formula"></p><pre class="code"></pre></div>
        <div class="why"></div>
      </div>
    </div>`, root);
  const parts = { caption: ".says", numberSays: ".follow .number", answer: ".why" };
  for (const part of ["back", "on", "words", "ways", "rail", "main", "title", "figure", "formula", "code"]) parts[part] = `.${part}`;
  for (const [name, part] of Object.entries(parts)) view[name] = root.querySelector(part);
  announceChanges(view.caption);
  view.go = (place) => go(view, place);
  view.draws = () => show(view);
  listen(view);
  new ResizeObserver(() => view.arrays && mark(view)).observe(view.figure);
  return view;
}

function listen(view) {
  view.root.addEventListener("keydown", (event) => {
    const to = event.target === view.picker ? null : arrow(event);
    if (event.key === "Escape" && view.asked) return view.send("free", true);
    if (event.key === "Enter" && event.target === view.main) return strongest(view);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    if (to[0]) move(view, to[0]);
    else go(view, { word: Math.min(Math.max(view.place.value.word + to[1], 0), view.tokens.length - 1) });
  });
  takeFreeKeys(view.root, (by) => move(view, by));
  pointing(view.figure, (event) => tell(view, cellAt(event), partOf(event, ".circle g")), () => tell(view, null));
  view.figure.addEventListener("click", (event) => {
    const card = partOf(event, ".card");
    if (card) return go(view, { step: card.step });
    const cell = cellAt(event);
    if (cell && !cell.learnt) ask(view, cell);
  });
}

function ask(view, { name, row, column }) {
  view.send("ask", [name, row, column]); // the page takes its word as the chosen one
}

// Without a pointer: the largest number of what the step gives, for the chosen word.
function strongest(view) {
  const step = stepOf(view);
  if (!step) return;
  const { word } = view.place.value;
  const name = step.gives.findLast((one) => !view.arrays[one].ofSource);
  const { numbers, columns } = view.arrays[name];
  const row = [...numbers.subarray(word * columns, (word + 1) * columns)].map((n) => (Number.isFinite(n) ? Math.abs(n) : -1));
  ask(view, { name, row: word, column: row.indexOf(Math.max(...row)) });
}

function stepOf(view) {
  return view.steps.find((step) => step.name === view.place.value.step);
}

function stepAt(view, at) {
  return at ? view.steps[at - 1].name : WHOLE;
}

function indexOf(view) {
  return view.steps.findIndex((step) => step.name === view.place.value.step) + 1;
}

function move(view, by) {
  const to = Math.min(Math.max(indexOf(view) + by, 0), view.steps.length);
  go(view, { step: stepAt(view, to) });
}

function go(view, place) {
  view.place.choose({ ...view.place.value, ...place });
  show(view);
}

function show(view) {
  const { way, word } = view.place.value;
  const [at, step] = [indexOf(view), stepOf(view)];
  setSlider(view.slider, at, view.steps.length, step ? step.title : "The whole layer");
  view.back.disabled = at === 0;
  view.on.disabled = at === view.steps.length;
  render([["one", "One word"], ["all", "All words"]].map(([each, text]) => html`
    <button type="button" class="way" aria-pressed=${each === way} @click=${() => go(view, { way: each })}>${text}</button>`), view.ways);
  words(view, word);
  rest(view);
  view.title.textContent = step ? `${at}  ${step.title}` : `${view.where}: from the word to the guess`;
  view.numberSays.textContent = `number ${view.place.value.number + 1} of ${view.width}`;
  setSlider(view.picker, view.place.value.number, view.width - 1, view.numberSays.textContent);
  view.root.classList.toggle("overview", !step);
  if (step) {
    render(formula(step.formula), view.formula);
    view.code.textContent = step.code;
    figure(view, step);
  } else {
    whole(view);
  }
  view.main.setAttribute("aria-label", view.title.textContent);
  tell(view, null);
  drawWhy(view);
}

// The stop of the step in view is marked; the focus goes with it, if it was on another stop.
function rest(view) {
  const focused = view.rail.getRootNode().activeElement;
  for (const each of view.rail.querySelectorAll(".stop")) {
    const here = each.step === view.place.value.step;
    each.setAttribute("aria-current", here ? "step" : "false");
    if (here && focused?.classList.contains("stop")) each.focus({ preventScroll: true });
  }
}

function words(view, word) {
  render(view.tokens.map((token, at) => html`
    <button type="button" class=${token.quiet ? "word quiet" : "word"} aria-label=${token.name} aria-pressed=${at === word}
      tabindex=${at === word ? 0 : -1} @click=${() => go(view, { word: at })}>${token.text}</button>`), view.words);
  layOut(view.words, [...view.words.children]);
}

/**
 * Tell the number under the pointer, or the two of a rotated pair; without one, a sentence about the step.
 * @param {any} view
 * @param {any} cell
 * @param {any} [pair]
 */
function tell(view, cell, pair) {
  if (!cell) {
    view.caption.textContent = pair?.says ?? stepOf(view)?.caption ?? INVITE;
    return;
  }
  const { name, row, column, number, learnt } = cell;
  const array = view.arrays[name];
  if (learnt) {
    view.caption.textContent = `A learnt matrix of ${array.shape} numbers.`;
    return;
  }
  const what = array.what;
  const reader = (array.ofSource ? view.sourceNames : view.names)[row];
  const written = Number.isFinite(number) ? fixed(number, 3) : "−∞";
  view.caption.textContent = array.square
    ? `${what}: ${reader} reads ${(array.toSource ? view.sourceNames : view.names)[column]}: ${written}`
    : `${what} of ${reader}, ${name === "hidden" ? "unit" : "number"} ${(column + 1).toLocaleString("en")} of ${array.columns.toLocaleString("en")}: ${written}`;
}

export default connect(draw);
