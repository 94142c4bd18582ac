// ELMo's two LSTMs over a sentence: the words in the middle, the forward states above and the backward ones
// below, each row two layers deep, and at both ends what the last states predict. A click shows what a state
// has read.
import { connect } from "../widgets/connect.js";
import { add } from "../widgets/dom.js";
import { announceChanges } from "../widgets/live.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { roving, stopAt } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { onWidth } from "../widgets/width.js";
import { describe, nextTo, readBy } from "./bilm_states.js";

const WIDE = 1080;
const NARROW = 860; // px of a screen on which the picture scrolls, at its full size
const WORD = { least: 84, most: 140, letter: 11.5 }; // px for a word there
const LEFT = 128; // for the names of the rows
const BOX = { high: 34, gap: 26, most: 66 };
const GUESS = 26;
const WORDS = 40;

/**
 * @typedef {object} Data
 * @property {string[]} words with the marks of the beginning and the end
 * @property {number} layers
 * @property {number} size of a state
 * @property {Record<string, number[][][]>} states by direction, layer and place: the first numbers, from −1 to 1
 * @property {Record<string, { word: string, probability: number }[][]>} guesses by direction and place
 * @property {Record<string, ({ probability: number, rank: number } | null)[]>} actual each word in its place, by direction
 * @property {[string, number, number]} locked direction, layer, place
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  if (!root.svg) build(root);
  root.data = data;
  root.send = send;
  const narrow = root.clientWidth < NARROW;
  const longest = Math.max(...data.words.map((word) => word.length)) * WORD.letter + 6;
  const step = narrow ? Math.min(Math.max(longest, WORD.least), WORD.most) : (WIDE - LEFT) / data.words.length;
  const plan = { step, wide: Math.min(step - 14, BOX.most), ...rows(data.layers) };
  const wide = LEFT + step * data.words.length;
  root.svg.setAttribute("viewBox", `0 0 ${wide} ${plan.high}`);
  root.svg.style.width = narrow ? `${wide}px` : "";
  root.svg.replaceChildren(...names(data, plan), ...lines(data, plan), ...words(root, data, plan), ...states(root, data, plan), ...guesses(data, plan));
  const places = [...root.svg.querySelectorAll("[data-at]")];
  stopAt(places, places[0]);
  show(root, data.locked);
  if (narrow) bringToCentre(root.frame, root.svg.querySelector(".chosen"));
}

// What is chosen, if it is not in view.
function bringToCentre(frame, part) {
  if (!part) return;
  const [inner, outer] = [part.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

function build(root) {
  root.frame = add(root, "div", "rb-wide");
  root.svg = node("svg", { role: "group", "aria-label": "The two LSTMs: click a state or a word" });
  root.panel = document.createElement("div");
  root.panel.className = "panel";
  announceChanges(root.panel);
  root.frame.append(root.svg);
  root.append(root.panel);
  onWidth(root, () => draw(root, root.data, root.send));
  roving(root.svg, () => [...root.svg.querySelectorAll("[data-at]")], { scroll: false });
}

// Where each row is: y of a box by direction and layer, of the words, and of the guesses.
function rows(layers) {
  const deep = layers * (BOX.high + BOX.gap);
  const middle = GUESS + deep + 8;
  return {
    high: 2 * middle + WORDS,
    words: middle + WORDS / 2,
    box: (side, layer) => (side === "forward" ? middle - layer * (BOX.high + BOX.gap) + 8 : middle + WORDS - 8 + layer * (BOX.high + BOX.gap) - BOX.high),
    guess: { forward: 18, backward: 2 * middle + WORDS - 6 },
  };
}

const x = (plan, at) => LEFT + plan.step * (at + 0.5);

function names(data, plan) {
  const row = (text, y) => node("text", { class: "row", x: 0, y }, text);
  const all = [row("next word", plan.guess.forward), row("previous word", plan.guess.backward), row("words", plan.words + 5)];
  for (const side of ["forward", "backward"])
    for (let layer = 1; layer <= data.layers; layer++)
      all.push(row(`${side} ${layer} ${side === "forward" ? "→" : "←"}`, plan.box(side, layer) + 22));
  return all;
}

function lines(data, plan) {
  const all = [];
  const line = (side, layer, at, d) => all.push(node("path", { class: `line ${side}`, d, "data-line": [side, layer, at] }));
  for (const side of ["forward", "backward"]) {
    const up = side === "forward" ? -1 : 1;
    for (let layer = 1; layer <= data.layers; layer++)
      data.words.forEach((_, at) => {
        const [cx, y] = [x(plan, at), plan.box(side, layer)];
        const [near, far] = side === "forward" ? [y + BOX.high, y] : [y, y + BOX.high];
        const below = layer === 1 ? plan.words + up * 16 : near - up * BOX.gap;
        line(side, layer, at, `M${cx} ${below}L${cx} ${near}`);
        if (layer === data.layers && data.guesses[side][at].length) line(side, layer + 1, at, `M${cx} ${far}L${cx} ${far + up * 12}`);
        const before = nextTo(side, at, -1);
        if (before < 0 || before >= data.words.length) return;
        const [from, to] = [x(plan, before) - (up * plan.wide) / 2, cx + (up * plan.wide) / 2];
        const [cy, tip] = [y + BOX.high / 2, up * 6];
        line(side, layer, `${at}<`, `M${from} ${cy}L${to} ${cy}m${tip} -4l${-tip} 4l${tip} 4`);
      });
  }
  return all;
}

function words(root, data, plan) {
  return data.words.map((word, at) => {
    const mark = at === 0 || at === data.words.length - 1;
    const group = part(root, ["", 0, at], "pick", `the word ${word}`);
    group.append(node("rect", { class: "frame", x: x(plan, at) - plan.step / 2 + 2, y: plan.words - 16, width: plan.step - 4, height: 32, rx: 5 }));
    const text = node("text", { class: mark ? "word mark" : "word", x: x(plan, at), y: plan.words + 6 }, word);
    const room = Math.floor((plan.step - 6) / 11.5);
    if (word.length > room) text.setAttribute("style", `font-size:${Math.max((19 * room) / word.length, 12)}px`);
    group.append(text);
    return group;
  });
}

function states(root, data, plan) {
  const all = [];
  for (const side of ["forward", "backward"])
    for (let layer = 1; layer <= data.layers; layer++)
      data.words.forEach((word, at) => {
        const group = part(root, [side, layer, at], `state ${side}`, `${side} LSTM, layer ${layer}, at ${word}`);
        const [left, top] = [x(plan, at) - plan.wide / 2, plan.box(side, layer)];
        group.append(node("rect", { class: "box", x: left, y: top, width: plan.wide, height: BOX.high, rx: 6 }));
        const values = data.states[side][layer][at];
        const cell = (plan.wide - 10) / values.length;
        values.forEach((value, i) =>
          group.append(
            node("rect", { class: value > 0 ? "more" : "less", x: left + 5 + i * cell, y: top + 5, width: cell - 1, height: BOX.high - 10, opacity: Math.min(Math.abs(value), 1) })
          )
        );
        all.push(group);
      });
  return all;
}

function part(root, place, className, label) {
  const group = node("g", { class: className, tabindex: 0, role: "button", "aria-label": label, "data-at": place });
  group.place = place;
  group.addEventListener("click", () => root.send("pick", place));
  group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      root.send("pick", place);
    }
    if (event.key === "Escape") root.send("pick", null);
  });
  pointing(group, () => show(root, place), () => show(root, root.data.locked), "pointerover");
  return group;
}

function guesses(data, plan) {
  const all = [];
  for (const side of ["forward", "backward"])
    data.guesses[side].forEach(([first], at) => {
      if (!first) return;
      const right = data.words[nextTo(side, at, 1)] === first.word;
      const text = node("text", { class: "guess", x: x(plan, at), y: plan.guess[side], "data-line": [side, "guess", at] }, first.word);
      const room = Math.floor(plan.step / 9.5);
      if (first.word.length > room) text.setAttribute("style", `font-size:${Math.max((16 * room) / first.word.length, 12)}px`);
      if (right) text.setAttribute("font-weight", "700");
      all.push(text);
    });
  return all;
}

// Light what the state at a place has read, and say it below.
function show(root, place) {
  const { data, svg, panel } = root;
  const reads = readBy(place, data);
  for (const group of svg.querySelectorAll("[data-at]")) {
    const on = reads(group.place);
    group.classList.toggle("on", on);
    group.classList.toggle("faint", !on);
    group.classList.toggle("chosen", String(group.place) === String(place));
    group.setAttribute("aria-pressed", String(group.place) === String(data.locked));
  }
  for (const line of svg.querySelectorAll("[data-line]")) {
    const on = reads(line.dataset.line.split(","), true);
    line.classList.toggle("on", on);
    line.classList.toggle("faint", !on);
  }
  const { sentence, asked } = describe(place, data);
  panel.replaceChildren();
  add(panel, "p", "", sentence);
  for (const side of ["forward", "backward"]) {
    const row = data.guesses[side][nextTo(side, asked, -1)] ?? [];
    if (asked < 0 || !row.length) continue;
    const list = add(panel, "div", "guesses");
    add(list, "span", "side", side === "forward" ? "from the left" : "from the right");
    for (const { word, probability } of row) guess(list, word, probability);
    const actual = data.actual[side][asked];
    guess(list, `${actual ? `${actual.rank}.` : "unknown:"} ${data.words[asked]}`, actual?.probability ?? 0).className = "actual";
  }
}

// A word with its probability as a number and as a bar.
function guess(list, word, probability) {
  const one = add(list, "div");
  add(one, "b", "", word);
  add(one, "span", "", fixed(probability, probability < 0.01 ? 4 : 2));
  add(add(one, "div", "track"), "i").style.width = `${100 * probability}%`;
  return one;
}

export default connect(draw);
