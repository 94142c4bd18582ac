// One layer of a model, step by step: a rail of the steps, the step in view as a figure, its formula and
// its PyTorch, and what made the number that was clicked. All numbers are here, so that walking waits for
// nobody; the page hears where the walk rests. The data are a header in JSON and raw numbers behind it.

import { choice } from "../widgets/answers.js";
import { unpack } from "../widgets/buffer.js";
import { connect } from "../widgets/connect.js";
import { isolated, layOut } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { takeFreeKeys } from "../widgets/free_keys.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { fixed, grouped, percent } from "../widgets/numbers.js";
import { scrubber, setSlider, sign } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { arrow } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";
import { cellAt, figure, mark, paintInto } from "./steps_figure.js";
import { formula } from "./steps_formula.js";

// What made the number that was clicked: each part is a button that follows it back.

/** @param {any} view */
function drawWhy({ asked: why, answer, send, trail }) {
  if (!why) return render(nothing, answer);
  const free = (text, name) => html`<button type="button" class="free" @click=${() => send(name, true)}>${text}</button>`;
  return render(html`
    <p class="heading">
      <span class="how"><b dir="auto">${why.title} = ${why.value}</b> ${why.how}</span>
      <span class="let" data-save="no">${trail > 1 ? free(t("Back"), "back") : nothing}${free(t("Let go"), "free")}</span>
    </p>
    <div class="parts" role="group" aria-label=${t("The numbers that made it")}>${why.parts.map(({ text, times, cell }) => html`
      <button type="button" class="part" @click=${() => send("follow", cell)}>${text}${times ? html`<span class="times"> ${times}</span>` : nothing}</button>`)}
      ${why.rest ? html`<span class="rest">${why.rest}</span>` : nothing}
    </div>`, answer);
}

// The whole layer as a flow from the word to the guess: a row for each part, a card for each step. One number
// of the chosen word's vector is followed: its value stands below each card that has it.

/** @param {any} view */
function whole(view) {
  const stages = { vectors: t("Words become vectors"), attention: t("Attention"), cross: t("Reading the source"), forward: t("Feed-forward") };
  const rows = new Map();
  view.steps.forEach((step, at) => rows.set(step.stage, [...(rows.get(step.stage) ?? []), card(view, step, at + 1)]));
  const [first, last] = [[...rows.values()][0], [...rows.values()].at(-1)];
  first.unshift(html`<span class="token">${view.tokens[view.place.value.word].text}</span>`);
  if (view.above) last.push(html`<span class="layers">${view.above}</span>`);
  if (view.guesses.title) last.push(guess(view));
  view.figure.className = `figure flow ${rows.size > 3 ? "many" : ""}`;
  render([...rows].map(([stage, cards]) => html`
    <div class="stage">
      <p class="stage-name">${stages[stage]}</p>${cards.map((one, at) => html`${at ? html`<span class="to">→</span>` : nothing}${one}`)}
    </div>`), view.figure);
  for (const canvas of view.figure.querySelectorAll("canvas")) paintInto(view, canvas, canvas.drawn, canvas.rows);
}

function card(view, step, number) {
  let title = step.title.replace(/ ?[(（].*[)）]$/, "");
  if (step.stage === "cross") title = title.replace(/^[^:：]*[:：]\s*(.)/, (_, letter) => letter.toUpperCase()); // the row says so
  const three = step.name.endsWith("project") ? -3 : step.gives.includes("q_rot") || step.gives.includes("q_normed") ? -2 : -1;
  const outputs = step.gives.slice(three);
  const value = valueOf(view, outputs.at(-1), outputs.length);
  const symbols = () => html`<span class="value symbol">${formula(outputs.map((name) => view.arrays[name].symbol).join(", "))}</span>`;
  return html`
    <button type="button" class="card" tabindex="-1" .step=${step.name}>
      <span class="name"><span class="number">${number} </span>${title}</span>
      <span class="maps">${outputs.map((name) => map(view, name))}</span>
      ${value ? html`<span class=${value.follows ? "value follows" : "value"}>${value.of ? html`<i>${value.of}</i>` : nothing}<b>${value.text}</b></span>` : symbols()}
    </button>`;
}

// One word's row of a tensor, or all rows with that of the word in a frame; a line marks the followed number.
function map(view, name) {
  const { way, word, number } = view.place.value;
  const array = view.arrays[name];
  const one = way === "one" && !array.ofSource;
  const frame = () => html`<span class="row" style="top: ${percent((word + 0.5) / array.rows)}; height: ${percent(1 / array.rows)}"></span>`;
  return html`
    <span class="map">
      <canvas .drawn=${name} .rows=${one ? [word] : null}></canvas>${one || array.ofSource ? nothing : frame()}
      ${isFollowed(view, array) ? html`<span class="at" style="left: ${percent((number + 0.5) / array.columns)}"></span>` : nothing}
    </span>`;
}

function isFollowed(view, array) {
  return array.role === "stream" && array.columns === view.width && !array.ofSource;
}

// What stands below a card: the followed number, or the largest weight, score or hidden unit.
function valueOf(view, name, maps) {
  const { word, number } = view.place.value;
  const array = view.arrays[name];
  if (isFollowed(view, array)) return { follows: true, text: fixed(array.numbers[word * array.columns + number]) };
  if (maps > 1 || array.ofSource || !(array.square || array.role === "hidden")) return null;
  const row = array.numbers.subarray(word * array.columns, (word + 1) * array.columns);
  const most = row.reduce((best, value, at) => (value > row[best] ? at : best), 0);
  const reads = array.toSource ? view.source : view.tokens;
  return { of: array.square ? reads[most].text : t("unit {n}", { n: most + 1 }), text: fixed(row[most]) };
}

function guess({ guesses, place }) {
  return html`
    <span class="guess">
      <span class="name">${guesses.title}</span>${guesses.rows[place.value.word].map(({ text, written, probability }) => html`
      <span class="line"><i>${text}</i><b>${written}</b><span class="bar" style="width: ${percent(probability)}"></span></span>`)}
    </span>`;
}

// The steps of the layer from top to bottom; lines beside them are the residual connections.

const [ROW, HEIGHT] = [30, 430]; // px from one step to the next, if all fit so
const WIDE = 22; // px that the lines take

/** @param {any} view */
function rail(view) {
  const stops = [{ name: "whole", title: t("The whole layer") }, ...view.steps];
  const row = Math.min(ROW, Math.floor(HEIGHT / stops.length));
  view.rail.style.setProperty("--row", `${row}px`);
  const line = (ends) => {
    const [y1, y2] = ends.map((at) => (at + 1.5) * row);
    return svg`
      <path d="M0 ${y1 + 4} h${WIDE - 10} q6 0 6 6 V${y2 - 10} q0 6 -6 6 H5"></path>
      <path class="tip" d="M8 ${y2 - 9} L1 ${y2 - 4} L8 ${y2 + 1}"></path>`;
  };
  // The arrow keys walk, and not the Tab key.
  render(html`
    <div class="stops">${stops.map(({ name, title }) => html`
      <button type="button" class="stop" tabindex="-1" .step=${name} @click=${() => view.go({ step: name })}><span>${title}</span></button>`)}
    </div>
    <svg class="residual" width=${WIDE} height=${row * stops.length} role="img" aria-label=${t("Residual connections")}>${view.residual.map(line)}</svg>`, view.rail);
}

const REST_MS = 250; // the address follows the walk once it rests
const WHOLE = "whole";

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
  view.slider = scrubber(t("Step of the layer"), (at) => go(view, { step: stepAt(view, at) }));
  view.picker = scrubber(t("Number that is followed"), (number) => go(view, { number }));
  const turn = (icon, label, by) => html`
    <button type="button" class="turn ${icon}" aria-label=${label} @click=${() => move(view, by)}>${sign(icon)}</button>`;
  render(html`
    <div class="bar" data-save="no"><div class="words" role="group" aria-label=${t("Words")}></div><div class="ways"></div></div>
    <div class="board">
      <div class="rail"></div>
      <div class="main" tabindex="0" role="group">
        <div class="top"><div class="turns" data-save="no">${turn("back", t("Step back"), -1)}${view.slider}${turn("on", t("Next step"), 1)}</div><h3 class="title"></h3></div>
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
  setSlider(view.slider, at, view.steps.length, step ? step.title : t("The whole layer"));
  view.back.disabled = at === 0;
  view.on.disabled = at === view.steps.length;
  render([["one", t("One word")], ["all", t("All words")]].map(([each, text]) => html`
    <button type="button" class="way" aria-pressed=${each === way} @click=${() => go(view, { way: each })}>${text}</button>`), view.ways);
  words(view, word);
  rest(view);
  view.title.textContent = step ? `${at}  ${step.title}` : t("{place}: from the word to the guess", { place: view.where });
  view.numberSays.textContent = t("number {n} of {count}", { n: view.place.value.number + 1, count: view.width });
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
    const invitation = t("Press a step, or walk with the arrows. Press another word to follow that one. This number is followed:");
    view.caption.textContent = pair?.says ?? stepOf(view)?.caption ?? invitation;
    return;
  }
  const { name, row, column, number, learnt } = cell;
  const array = view.arrays[name];
  if (learnt) {
    view.caption.textContent = t("A learnt matrix of {shape} numbers.", { shape: array.shape });
    return;
  }
  const what = array.what;
  const reader = (array.ofSource ? view.sourceNames : view.names)[row];
  const written = Number.isFinite(number) ? fixed(number, 3) : "−∞";
  if (array.square) {
    const read = (array.toSource ? view.sourceNames : view.names)[column];
    view.caption.textContent = t("{what}: {reader} reads {read}: {written}", { what, reader, read, written });
    return;
  }
  const fields = { what, token: reader, n: grouped(column + 1), count: grouped(array.columns), written };
  view.caption.textContent = name === "hidden"
    ? t("{what} of {token}, unit {n} of {count}: {written}", fields)
    : t("{what} of {token}, number {n} of {count}: {written}", fields);
}

export default connect(draw);
