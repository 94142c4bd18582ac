// The whole layer as a flow from the word to the guess: a row for each part, a card for each step. One number
// of the chosen word's vector is followed: its value stands below each card that has it.
import { add, button, element } from "../widgets/dom.js";
import { fixed, percent } from "../widgets/numbers.js";
import { paintInto } from "./steps_figure.js";
import { write } from "./steps_formula.js";

const STAGES = { vectors: "Words become vectors", attention: "Attention", cross: "Reading the source", forward: "Feed-forward" };

/** @param {any} view */
export function whole(view) {
  view.figure.className = "figure flow";
  const rows = new Map();
  view.steps.forEach((step, at) => {
    if (!rows.has(step.stage)) rows.set(step.stage, []);
    rows.get(step.stage).push(card(view, step, at + 1));
  });
  const [first, last] = [[...rows.values()][0], [...rows.values()].at(-1)];
  first.unshift(element("span", "token", view.tokens[view.place.value.word].text));
  if (view.above) last.push(element("span", "layers", view.above));
  if (view.guesses.title) last.push(guess(view));
  view.figure.classList.toggle("many", rows.size > 3);
  view.figure.replaceChildren(
    ...[...rows].map(([stage, cards]) => {
      const row = element("div", "stage");
      add(row, "p", "stage-name", STAGES[stage]);
      cards.forEach((one, at) => {
        if (at) add(row, "span", "to", "→");
        row.append(one);
      });
      return row;
    }),
  );
}

function card(view, step, number) {
  const box = button("card");
  Object.assign(box, { step: step.name, tabIndex: -1 });
  const title = step.title.replace(/ \(.*\)$/, "").replace(/^Cross: (.)/, (_, letter) => letter.toUpperCase()); // the row says so
  add(box, "span", "name", title).prepend(element("span", "number", `${number} `));
  const maps = add(box, "span", "maps");
  const three = step.name.endsWith("project") ? -3 : step.gives.includes("q_rot") || step.gives.includes("q_normed") ? -2 : -1;
  const outputs = step.gives.slice(three);
  for (const name of outputs) map(view, maps, name);
  const value = valueOf(view, outputs.at(-1), outputs.length);
  if (value) {
    const below = add(box, "span", value.follows ? "value follows" : "value");
    if (value.of) add(below, "i", "", value.of);
    add(below, "b", "", value.text);
  } else write(add(box, "span", "value symbol"), outputs.map((name) => view.arrays[name].symbol).join(", "));
  return box;
}

// One word's row of a tensor, or all rows with that of the word in a frame; a line marks the followed number.
function map(view, maps, name) {
  const { way, word, number } = view.place.value;
  const array = view.arrays[name];
  const one = way === "one" && !array.ofSource;
  const box = add(maps, "span", "map");
  paintInto(view, add(box, "canvas", ""), name, one ? [word] : null);
  if (!one && !array.ofSource) {
    const frame = add(box, "span", "row");
    Object.assign(frame.style, { top: percent((word + 0.5) / array.rows), height: percent(1 / array.rows) });
  }
  if (isFollowed(view, array)) add(box, "span", "at").style.left = percent((number + 0.5) / array.columns);
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

function guess(view) {
  const box = element("span", "guess");
  add(box, "span", "name", view.guesses.title);
  for (const { text, written, probability } of view.guesses.rows[view.place.value.word]) {
    const line = add(box, "span", "line");
    add(line, "i", "", text);
    add(line, "b", "", written);
    add(line, "span", "bar").style.width = percent(probability);
  }
  return box;
}
