// Pieces that are learnt from a text, merge by merge: the text in its pieces, the pairs that compete for the next
// merge, the class's words, and how many characters a token has. Symbols are numbers; merge k makes number `single` + k.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { takeFreeKeys } from "../widgets/free_keys.js";
import { html, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { fixed, grouped, percent } from "../widgets/numbers.js";
import { stepButtons, stepper } from "../widgets/player.js";
import { arrow } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";

const PLAY_MS = { slow: 1400, fast: 120 };
const [WIDE, HIGH] = [420, 90];

/**
 * @typedef {object} Data
 * @property {string} run identifies what is learnt from
 * @property {string[]} names of all symbols
 * @property {number} single how many of them are single ones
 * @property {[number, number][]} pairs of each merge
 * @property {[number, number, number, number][][]} candidates of each merge: left, right, count, score
 * @property {number[][]} text its words as single symbols
 * @property {boolean} more whether the text goes on
 * @property {(number | string)[][]} word the class's words; a symbol that the text does not have is a string
 * @property {boolean} spaced whether spaces are no part of a word
 * @property {number[]} curve characters of a token, before the first merge and after each
 * @property {number} step
 * @property {string} by what pairs are ranked by
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.view ??= build(root);
  const { view } = root;
  const fresh = view.data?.run !== data.run;
  if (fresh || JSON.stringify(view.data.word) !== JSON.stringify(data.word)) view.cut = null;
  view.steps.answer(data.step, (step) => send("step", step), fresh);
  view.data = data;
  show(view);
}

function build(root) {
  const view = { root, fast: false, cut: null };
  const ms = () => (view.fast ? PLAY_MS.fast : PLAY_MS.slow);
  view.steps = stepper({ root, label: t("How many merges have been made"), last: () => view.data.pairs.length, ms, show: () => show(view) });
  const by = (step) => view.steps.go(view.steps.place.value + step);
  root.tabIndex = 0;
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", t("Pieces being learnt; the arrow keys make a merge and take it back"));
  root.addEventListener("keydown", (event) => {
    const [step] = arrow(event) ?? [0];
    if (!step || event.target.matches?.("input")) return;
    by(step);
    event.preventDefault();
  });
  takeFreeKeys(root, by);
  return view;
}

/** The words after some merges; from those before, if they are there. */
function cutAt(view, step) {
  const { text, word, pairs, single } = view.data;
  if (!view.cut || view.cut.step > step) view.cut = { step: 0, text, word };
  for (; view.cut.step < step; view.cut.step++) {
    const [left, right] = pairs[view.cut.step];
    const piece = single + view.cut.step;
    const merged = (symbols) => (symbols.includes(left) ? merge(symbols, left, right, piece) : symbols);
    view.cut.text = view.cut.text.map(merged);
    view.cut.word = view.cut.word.map(merged);
  }
  return view.cut;
}

function merge(symbols, left, right, piece) {
  const pieces = [];
  for (let i = 0; i < symbols.length; i++) {
    const pair = symbols[i] === left && symbols[i + 1] === right;
    pieces.push(pair ? piece : symbols[i]);
    if (pair) i++;
  }
  return pieces;
}

function show(view) {
  const { data } = view;
  const step = view.steps.place.value;
  view.steps.mark(t("{count} merges", { count: step }));
  const cut = cutAt(view, step);
  const newest = step ? data.single + step - 1 : -1;
  const name = (symbol) => (typeof symbol === "string" ? symbol : data.names[symbol]);
  const piece = (symbol) => html`<span class="piece ${symbol === newest ? "new" : ""} ${typeof symbol === "string" ? "unread" : ""}">${name(symbol)}</span>`;
  const words = (list) => list.map((word) => html`<span class="word">${word.map(piece)}</span>${data.spaced ? " " : ""}`);
  render(html`
    <p class="says">${says(data, step, name)}</p>
    <div class="two">
      <div class="text" tabindex="0">${words(cut.text)}${data.more ? html`<span class="more">…</span>` : ""}</div>
      <div class="side">
        <p class="heading"><span>${step < data.pairs.length ? t("merged next") : t("no pair is left")}</span><span>${data.by}</span></p>
        <div role="list">${(data.candidates[step] ?? []).map((pair, i) => row(pair, i, Math.max(...data.candidates[step].map(([, , , score]) => score), 1e-9), name))}</div>
      </div>
    </div>
    <div class="words"><span class="heading">${t("Your words")}</span>${words(cut.word)}</div>
    <div class="below">
      ${curve(data, step)}
      <div class="bar" data-save="no">
        ${stepButtons(view.steps, t("merge"))}
        <label><input type="checkbox" .checked=${view.fast} @change=${(event) => (view.fast = event.target.checked)}>${t("fast")}</label>
      </div>
    </div>`, view.root);
  const line = view.root.querySelector(".says");
  if (!view.announced) announceChanges((view.announced = line));
  setDirection(view.root.querySelector(".text"), data.names.slice(0, data.single));
  setDirection(view.root.querySelector(".words"), cut.word.map((word) => word.map(name).join("")));
  for (const pair of view.root.querySelectorAll(".both")) setDirection(pair, pair.textContent);
}

function says(data, step, name) {
  const size = t("{count} pieces, {characters} characters a token", { count: grouped(data.single + step), characters: fixed(data.curve[step], 1) });
  if (!step) return t("Single symbols: {size}", { size });
  const [left, right] = data.pairs[step - 1];
  return html`${t("Merge {step}:", { step })} <b dir="auto">${name(left)}</b> + <b dir="auto">${name(right)}</b> → <b dir="auto">${name(data.single + step - 1)}</b> · ${size}`;
}

function row([left, right, count, score], index, best, name) {
  return html`<div class="pair ${index ? "" : "next"}" role="listitem" title=${t("stands {count} times in the text", { count })}>
    <span class="both"><span class="piece">${name(left)}</span><span class="piece">${name(right)}</span></span>
    <span class="rail"><span class="fill" style="width: ${percent(score / best)}"></span></span>
    <span class="number">${score === count ? count : score.toPrecision(2).replace(".", t("."))}</span>
  </div>`;
}

function curve({ curve, pairs }, step) {
  const top = Math.max(...curve) * 1.08;
  const x = (at) => 40 + (at / Math.max(pairs.length, 1)) * (WIDE - 52);
  const y = (value) => HIGH - 20 - (value / top) * (HIGH - 30);
  const line = curve.map((value, at) => `${at ? "L" : "M"}${x(at).toFixed(1)},${y(value).toFixed(1)}`).join("");
  return svg`<svg class="curve" viewBox="0 0 ${WIDE} ${HIGH}" role="img" aria-label=${t("Characters a token, over the merges")}>
    <line class="axis" x1="40" x2=${WIDE} y1=${y(0)} y2=${y(0)}></line>
    <path class="line" d=${line}></path>
    <circle class="dot" r="6" cx=${x(step)} cy=${y(curve[step])}></circle>
    <text x="34" y=${y(curve[0]) + 5} text-anchor="end">${curve[0].toFixed(0)}</text>
    <text x="34" y=${y(curve.at(-1)) + 5} text-anchor="end">${fixed(curve.at(-1), 1)}</text>
    <text x=${WIDE} y=${HIGH - 2} text-anchor="end">${t("{count} merges", { count: pairs.length })}</text>
    <text x="40" y=${HIGH - 2}>${t("characters a token")}</text>
  </svg>`;
}

export default connect(draw);
