// The whole layer as a flow from the word to the guess: a row for each part, a card for each step. One number
// of the chosen word's vector is followed: its value stands below each card that has it.
import { html, nothing, render } from "../widgets/lit.js";
import { fixed, percent } from "../widgets/numbers.js";
import { paintInto } from "./steps_figure.js";
import { formula } from "./steps_formula.js";

const STAGES = { vectors: "Words become vectors", attention: "Attention", cross: "Reading the source", forward: "Feed-forward" };

/** @param {any} view */
export function whole(view) {
  const rows = new Map();
  view.steps.forEach((step, at) => rows.set(step.stage, [...(rows.get(step.stage) ?? []), card(view, step, at + 1)]));
  const [first, last] = [[...rows.values()][0], [...rows.values()].at(-1)];
  first.unshift(html`<span class="token">${view.tokens[view.place.value.word].text}</span>`);
  if (view.above) last.push(html`<span class="layers">${view.above}</span>`);
  if (view.guesses.title) last.push(guess(view));
  view.figure.className = `figure flow ${rows.size > 3 ? "many" : ""}`;
  render([...rows].map(([stage, cards]) => html`
    <div class="stage">
      <p class="stage-name">${STAGES[stage]}</p>${cards.map((one, at) => html`${at ? html`<span class="to">→</span>` : nothing}${one}`)}
    </div>`), view.figure);
  for (const canvas of view.figure.querySelectorAll("canvas")) paintInto(view, canvas, canvas.drawn, canvas.rows);
}

function card(view, step, number) {
  const title = step.title.replace(/ \(.*\)$/, "").replace(/^Cross: (.)/, (_, letter) => letter.toUpperCase()); // the row says so
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
  return { of: array.square ? reads[most].text : `unit ${most + 1}`, text: fixed(row[most]) };
}

function guess({ guesses, place }) {
  return html`
    <span class="guess">
      <span class="name">${guesses.title}</span>${guesses.rows[place.value.word].map(({ text, written, probability }) => html`
      <span class="line"><i>${text}</i><b>${written}</b><span class="bar" style="width: ${percent(probability)}"></span></span>`)}
    </span>`;
}
