// ELMo's two LSTMs over a sentence: the words in the middle, the forward states above and the backward ones
// below, each row two layers deep, and at both ends what the last states predict. A click shows what a state
// has read.

import { connect } from "../widgets/connect.js";
import { partOf } from "../widgets/dom.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { pointing } from "../widgets/pointing.js";
import { roving, stopAt } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";

// What each state of the two LSTMs has read, and the sentence that says it.

// The place that follows in the reading direction (by 1), or that was read before (by -1).
function nextTo(side, at, by) {
  return side === "forward" ? at + by : at - by;
}

/**
 * A function that says whether a state or word, or a line that leads to it, is among what the state at a place has
 * read; for a word, whether it is part of ELMo's vector.
 * @param {[string, number, number]} place
 * @param {any} data
 */
function readBy([side, layer, at], data) {
  const upTo = (place) => (side === "forward" ? place <= at : place >= at);
  if (!side) return ([, to, place], line = false) => !line && (Number(to) === 0 || to > 0) && Number(place) === at;
  return ([from, to, place], line = false) => {
    if (to === "guess") return from === side && layer === data.layers && Number(place) === at;
    if (!from) return upTo(Number(place));
    if (line && Number(to) > data.layers) return from === side && layer === data.layers && Number(place) === at;
    const here = Number.parseInt(place);
    if (line && String(place).endsWith("<")) return from === side && to <= layer && upTo(here);
    return from === side && to <= layer && upTo(here);
  };
}

/**
 * The sentence below the picture, and the place of the word that both LSTMs are asked for; none for a lower layer,
 * whose states predict nothing.
 * @param {[string, number, number]} place
 * @param {any} data
 */
function describe([side, layer, at], data) {
  const word = data.words[at];
  if (!side)
    return {
      sentence: t("ELMo’s vector of “{word}” is the weighted sum of its {count} layers: layer 0 from the letters of the word, and the two states of each layer above, side by side. In its place, from the other words, the LSTMs expect:", { word, count: data.layers + 1 }),
      asked: at,
    };
  const inside = (places) => places.map((i) => data.words[i]).filter((token) => token !== "<S>" && token !== "</S>");
  const all = data.words.map((_, i) => i);
  const read = inside(side === "forward" ? all.slice(0, at + 1) : all.slice(at)).join(" ");
  const what = { side: nameOf(side), layer, read };
  const start = read ? t("The {side} LSTM, layer {layer}, has read “{read}”.", what) : t("The {side} LSTM, layer {layer}, has read nothing yet.", what);
  if (layer < data.layers) {
    const passes = t("It passes its {size} numbers on to the next word and to layer {layer}.", { size: data.size, layer: layer + 1 });
    return { sentence: `${start} ${passes}`, asked: -1 };
  }
  const asked = nextTo(side, at, 1);
  if (!data.words[asked]) return { sentence: start, asked: -1 };
  const expect = side === "forward" ? t("As the next word, the LSTMs expect:") : t("As the previous word, the LSTMs expect:");
  return { sentence: `${start} ${expect}`, asked };
}

const nameOf = (side) => (side === "forward" ? t("forward") : t("backward"));

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
 * @property {Record<string, { word: string, probability: number, number: string }[][]>} guesses by direction and place
 * @property {Record<string, ({ probability: number, number: string, rank: number } | null)[]>} actual each word in its place, by direction
 * @property {[string, number, number]} locked direction, layer, place
 */

const SIDES = ["forward", "backward"];

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.data = data;
  root.send = send;
  const narrow = root.clientWidth < NARROW;
  const longest = Math.max(...data.words.map((word) => word.length)) * WORD.letter + 6;
  const step = narrow ? Math.min(Math.max(longest, WORD.least), WORD.most) : (WIDE - LEFT) / data.words.length;
  const plan = { step, wide: Math.min(step - 14, BOX.most), ...rows(data.layers) };
  const wide = LEFT + step * data.words.length;
  render(html`
    <div class="rb-wide">
      <svg role="group" aria-label=${t("The two LSTMs: press a state or a word")} viewBox="0 0 ${wide} ${plan.high}"
        style=${narrow ? `width: ${wide}px` : nothing}>
        ${names(data, plan)}${lines(data, plan)}${words(root, data, plan)}${states(root, data, plan)}${guesses(data, plan)}
      </svg>
    </div>
    <div class="panel"></div>`, root);
  if (!root.svg) build(root);
  const places = [...root.svg.querySelectorAll("[data-at]")];
  stopAt(places, places[0]);
  show(root, data.locked);
  if (narrow) bringToCentre(root.querySelector(".rb-wide"), root.svg.querySelector(".chosen"));
}

// What is chosen, if it is not in view.
function bringToCentre(frame, part) {
  if (!part) return;
  const [inner, outer] = [part.getBoundingClientRect(), frame.getBoundingClientRect()];
  if (inner.left < outer.left || inner.right > outer.right) frame.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2;
}

function build(root) {
  root.svg = root.querySelector("svg");
  root.panel = root.querySelector(".panel");
  announceChanges(root.panel);
  const point = (event) => show(root, partOf(event, "[data-at]")?.place ?? root.data.locked);
  pointing(root.svg, point, () => show(root, root.data.locked), "pointerover");
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

/** Something for each direction and layer. */
const each = (data, draw) => SIDES.map((side) => Array.from({ length: data.layers }, (_, i) => draw(side, i + 1)));

function names(data, plan) {
  const row = (text, y) => svg`<text class="row" x="0" y=${y}>${text}</text>`;
  return [
    row(t("next word"), plan.guess.forward), row(t("previous word"), plan.guess.backward), row(t("words"), plan.words + 5),
    each(data, (side, layer) => row(`${nameOf(side)} ${layer} ${side === "forward" ? "→" : "←"}`, plan.box(side, layer) + 22)),
  ];
}

function lines(data, plan) {
  const line = (side, layer, at, d) => svg`<path class="line ${side}" d=${d} data-line="${side},${layer},${at}" />`;
  return each(data, (side, layer) => data.words.map((_, at) => {
    const up = side === "forward" ? -1 : 1;
    const [cx, y] = [x(plan, at), plan.box(side, layer)];
    const [near, far] = side === "forward" ? [y + BOX.high, y] : [y, y + BOX.high];
    const below = layer === 1 ? plan.words + up * 16 : near - up * BOX.gap;
    const parts = [line(side, layer, at, `M${cx} ${below}L${cx} ${near}`)];
    if (layer === data.layers && data.guesses[side][at].length) parts.push(line(side, layer + 1, at, `M${cx} ${far}L${cx} ${far + up * 12}`));
    const before = nextTo(side, at, -1);
    if (before < 0 || before >= data.words.length) return parts;
    const [from, to] = [x(plan, before) - (up * plan.wide) / 2, cx + (up * plan.wide) / 2];
    const [cy, tip] = [y + BOX.high / 2, up * 6];
    return [...parts, line(side, layer, `${at}<`, `M${from} ${cy}L${to} ${cy}m${tip} -4l${-tip} 4l${tip} 4`)];
  }));
}

/** Letters that shrink where a word has no room, down to 12 px. */
const fitted = (word, room, size) => (word.length > room ? `font-size:${Math.max((size * room) / word.length, 12)}px` : nothing);

function words(root, data, plan) {
  return data.words.map((word, at) => part(root, ["", 0, at], "pick", t("the word {word}", { word }), svg`
    <rect class="frame" x=${x(plan, at) - plan.step / 2 + 2} y=${plan.words - 16} width=${plan.step - 4} height="32" rx="5" />
    <text class=${at === 0 || at === data.words.length - 1 ? "word mark" : "word"} x=${x(plan, at)} y=${plan.words + 6}
      style=${fitted(word, Math.floor((plan.step - 6) / 11.5), 19)}>${word}</text>`));
}

function states(root, data, plan) {
  return each(data, (side, layer) => data.words.map((word, at) => {
    const [left, top] = [x(plan, at) - plan.wide / 2, plan.box(side, layer)];
    const values = data.states[side][layer][at];
    const cell = (plan.wide - 10) / values.length;
    return part(root, [side, layer, at], `state ${side}`, t("{side} LSTM, layer {layer}, at {word}", { side: nameOf(side), layer, word }), svg`
      <rect class="box" x=${left} y=${top} width=${plan.wide} height=${BOX.high} rx="6" />
      ${values.map((value, i) => svg`<rect class=${value > 0 ? "more" : "less"} x=${left + 5 + i * cell} y=${top + 5} width=${cell - 1}
        height=${BOX.high - 10} opacity=${Math.min(Math.abs(value), 1)} />`)}`);
  }));
}

function part(root, place, className, label, content) {
  const press = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      root.send("pick", place);
    }
    if (event.key === "Escape") root.send("pick", null);
  };
  return svg`<g class=${className} tabindex="0" role="button" aria-label=${label} data-at=${place.join()} .place=${place}
    @click=${() => root.send("pick", place)} @keydown=${press}>${content}</g>`;
}

function guesses(data, plan) {
  return SIDES.map((side) => data.guesses[side].map(([first], at) => {
    if (!first) return nothing;
    const right = data.words[nextTo(side, at, 1)] === first.word;
    return svg`<text class="guess" x=${x(plan, at)} y=${plan.guess[side]} data-line="${side},guess,${at}"
      style=${fitted(first.word, Math.floor(plan.step / 9.5), 16)} font-weight=${right ? 700 : nothing}>${first.word}</text>`;
  }));
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
  const actual = (side) => {
    const word = data.actual[side][asked];
    return guess(`${word ? `${word.rank}.` : t("unknown:")} ${data.words[asked]}`, word ?? { probability: 0, number: "" }, "actual");
  };
  const asks = SIDES.filter((side) => asked >= 0 && data.guesses[side][nextTo(side, asked, -1)]?.length);
  render(html`
    <p>${sentence}</p>
    ${asks.map((side) => html`
      <div class="guesses"><span class="side">${side === "forward" ? t("from the left") : t("from the right")}</span>${data.guesses[side][nextTo(side, asked, -1)]
        .map((one) => guess(one.word, one))}${actual(side)}</div>`)}`, panel);
}

// A word with its probability as a number and as a bar.
function guess(word, { probability, number }, className = "") {
  return html`<div class=${className || nothing}><b>${word}</b><span>${number}</span><div
    class="track"><i style="width: ${100 * probability}%"></i></div></div>`;
}

export default connect(draw);
