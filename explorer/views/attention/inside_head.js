// One head, step by step, for one pair of tokens: two token vectors, q and k, their products, the score
// among the scores of the row, the weight, and the weighted v. The data has every token of the text, so that
// pointing at one shows its numbers at once; a click selects it.

import { choice } from "../widgets/answers.js";
import { unpack } from "../widgets/buffer.js";
import { penOf } from "../widgets/canvas.js";
import { palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { byKeyboard, partOf, strong, zoomOf } from "../widgets/dom.js";
import { bringIntoView } from "../widgets/into_view.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { fixed, perCent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { filled, t } from "../widgets/translations.js";

// The numbers of one head: read from the buffer that Python sends, and computed from it for a pair of tokens.

// [length of the header, 4 bytes][header][q k v, n times d_head each, float32][x, n times d_model, one byte]
function read(view, data) {
  const { header: head, buffer, start } = unpack(data);
  const count = head.tokens.length * head.size;
  const part = (index) => new Float32Array(buffer, start + 4 * index * count, count);
  view.changed = view.head && JSON.stringify(view.head.tokens) !== JSON.stringify(head.tokens);
  if (view.changed) view.preview = {};
  Object.assign(view, { head, n: head.tokens.length, q: part(0), k: part(1), v: part(2) });
  view.x = new Uint8Array(buffer, start + 12 * count);
  view.names = head.tokens.map((token) => token.name);
  const largest = (list) => list.reduce((most, number) => Math.max(most, Math.abs(number)), 1e-6);
  view.most = { query: largest(view.q), key: largest(view.k), value: largest(view.v) };
}

// Scores, weights and vectors for a pair of tokens, as the head computes them.
function compute(view, query, key) {
  const { n, head } = view;
  const d = head.size;
  const q = view.q.subarray(query * d, query * d + d);
  const k = view.k.subarray(key * d, key * d + d);
  const v = view.v.subarray(key * d, key * d + d);
  // Products and scores share one scale for the whole row: this query with every key.
  let largest = 1e-6;
  const scores = head.tokens.map((_, at) => {
    let sum = 0;
    for (let i = 0; i < d; i++) {
      const product = q[i] * view.k[at * d + i];
      largest = Math.max(largest, Math.abs(product));
      sum += product;
    }
    return sum / head.scale;
  });
  const most = { ...view.most, ink: largest, score: scores.reduce((top, score) => Math.max(top, Math.abs(score)), 1e-6) };
  const open = (at) => !head.causal || at <= query;
  const top = Math.max(...scores.filter((_, at) => open(at)));
  const exponentials = scores.map((score, at) => (open(at) ? Math.exp(score - top) : 0));
  const total = exponentials.reduce((sum, number) => sum + number, 0);
  const weights = exponentials.map((number) => number / total);
  const output = new Float32Array(d);
  for (let at = 0; at < n; at++) for (let i = 0; i < d; i++) output[i] += weights[at] * view.v[at * d + i];
  return {
    scores, weights, open, most,
    bars: { q, k, v, "q × k": q.map((number, i) => number * k[i]), "w × v": v.map((number) => number * weights[key]), "Σ w × v": output },
  };
}

const STEPS = [
  { name: "x", of: "query", height: 16 },
  { name: "q", of: "query", height: 60, hue: "query", title: () => t("query") },
  { name: "x", of: "key", height: 16 },
  { name: "k", of: "key", height: 60, hue: "key", title: () => t("key") },
  { name: "q × k", height: 60, hue: "ink", title: () => t("number by number") },
  { name: "sum" },
  { name: "v", of: "key", height: 48, hue: "value", title: () => t("value") },
  { name: "w × v", height: 48, hue: "value", title: () => t("weight × value") },
  { name: "Σ w × v", height: 48, hue: "value", title: () => t("over all tokens") },
];

/**
 * Its data: a header and the numbers of the head; see inside_head_numbers.js
 * @type {import("../widgets/connect.js").Draw<Uint8Array>}
 */
export function draw(root, data, send) {
  const view = (root.view ??= { root, preview: {}, locked: choice(() => {}), ruled: null });
  read(view, data);
  const { query, key } = view.head;
  view.locked.send = (pair) => send("pick", pair);
  view.locked.answer({ query, key }, view.changed);
  view.pick = ({ query: from, key: to }) => {
    view.preview = {};
    view.locked.choose({ query: from, key: to });
    show(view);
  };
  view.free = () => send("free", true);
  root.style.setProperty("--count", view.n);
  show(view);
  if (!view.strip) {
    for (const part of ["says", "words", "strip", "list", "entries"]) view[part] = root.querySelector(`.${part}`);
    announceChanges(view.says);
    listen(view);
  }
  layOut(view.words, [...view.words.children]);
  fit(view);
  for (const part of [view.words, view.entries]) bringIntoView(part, part.querySelector(".locked"));
}

// In a low or enlarged window the bars are lower, so that all steps are in view.
function fit(view) {
  const { root, strip } = view;
  const heights = STEPS.flatMap(({ hue, height }) => (hue && height ? [height] : []));
  const bars = [...strip.querySelectorAll(".bars")];
  const set = (part) => {
    root.classList.toggle("low", part < 0.8);
    bars.forEach((picture, i) => (picture.style.height = `${heights[i] * part}px`));
  };
  set(1);
  const box = root.getBoundingClientRect();
  const zoom = zoomOf(root);
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
  const room = (innerHeight - box.top - scrolled) / zoom - 12;
  const high = heights.reduce((sum, height) => sum + height, 0);
  const missing = view.list.offsetTop - root.offsetTop + strip.offsetHeight - room;
  set(Math.min(1, Math.max(0.55, (high - missing) / high)));
  root.style.setProperty("--list", `${Math.max(strip.offsetHeight - 28, 200)}px`);
}

function listen(view) {
  const refit = () => view.root.isConnected && fit(view);
  window.addEventListener("resize", refit);
  new ResizeObserver(refit).observe(view.words); // once their font is there, the words may take another line
  const spot = (event) => {
    const token = partOf(event, "button");
    return token && { side: token.parentNode === view.words ? "query" : "key", at: Number(token.dataset.index) };
  };
  const point = (event) => {
    const target = spot(event);
    view.preview = target ? { [target.side]: target.at } : {};
    show(view);
  };
  for (const part of [view.words, view.entries]) {
    pointing(part, point, () => ((view.preview = {}), show(view)), "pointerover");
    part.addEventListener("focusin", (event) => byKeyboard(event) && point(event));
    part.addEventListener("focusout", () => ((view.preview = {}), show(view)));
    part.addEventListener("click", (event) => {
      const target = spot(event);
      if (target && view.head.locked && view.locked.value[target.side] === target.at) view.free();
      else if (target) view.pick({ ...view.locked.value, [target.side]: target.at });
    });
    part.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      view.free();
      event.preventDefault();
      event.stopPropagation();
    });
    roving(part, () => [...part.children], { wrap: true, stops: false });
  }
  const measure = (event) => {
    const picture = partOf(event, ".bars");
    if (!picture) return rule(view, null);
    const box = picture.getBoundingClientRect();
    rule(view, Math.min(view.head.size - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * view.head.size))));
  };
  pointing(view.strip, measure, () => rule(view, null));
}

// Everything that depends on the pair.
function show(view) {
  const { head, root, names } = view;
  const query = view.preview.query ?? view.locked.value.query;
  const key = view.preview.key ?? view.locked.value.key;
  const pair = (view.pair = compute(view, query, key));
  const rows = { query, key };
  render(html`
    <p class="line"><span class="says">${view.ruled === null ? says(view, query, key) : numbers(view)}</span><span class="hint"
      data-save="no">${head.locked ? t("Press what is chosen again to return to the strongest pair") : t("This is the strongest pair. Press any token.")}</span></p>
    <div class="words" role="group" aria-label=${t("{head}: the token that attends", { head: head.name })}>${head.tokens.map((token, at) => html`
      <button type="button" class="word ${look(view, token, at, "query", query)}" data-index=${at} aria-label=${t("from {token}", { token: names[at] })}
        aria-pressed=${at === view.locked.value.query} tabindex=${at === view.locked.value.query ? 0 : -1}><span
        class="token">${token.text}</span></button>`)}
    </div>
    <div class="board">
      <div class="strip">
        ${STEPS.map((step) => drawStep(view, step, names[rows[step.of]], key))}
        <div class="ruler ${view.ruled === null ? "" : "on"}"></div>
      </div>
      <div class="list" role="group" aria-label=${t("{head}: the token that is read", { head: head.name })}>
        <div class="entry heading"><span class="token">${t("attends to")}</span><span class="score">${t("score")}</span><span class="weight">${t("softmax: weight")}</span></div>
        <div class="entries">${head.tokens.map((token, at) => entry(view, token, at, key))}</div>
      </div>
    </div>`, root);
  const cells = [...root.querySelectorAll(".cells")];
  cells.forEach((canvas, i) => paint(view, canvas, i ? key : query));
  return pair;
}

const look = ({ locked }, { quiet }, at, side, chosen) =>
  `${quiet ? "quiet" : ""} ${at === chosen ? "chosen" : ""} ${at === locked.value[side] ? "locked" : ""}`;

function says({ head, names, pair }, query, key) {
  const text = pair.open(key) ? t("“{reader}” attends to “{read}” with weight {share}") : t("“{reader}” attends to “{read}”, which is still to come with weight {share}");
  const fields = { reader: strong(names[query]), read: strong(names[key]), share: perCent(pair.weights[key]) };
  return html`<span class="who">${t("{head}: ", { head: head.name })}</span>${filled(text, fields)}`;
}

function drawStep(view, step, name, key) {
  const { head, pair } = view;
  const vector = step.name === "x";
  const label = (symbol, what) => html`<div class="label"><b class="symbol">${symbol}</b><span class="what">${what}</span></div>`;
  if (vector) {
    return html`<div class="step x">${label(name, t("{count} numbers", { count: head.width }))}<canvas class="cells" width=${head.width} height="1"
      aria-hidden="true"></canvas></div>`;
  }
  if (!step.hue) return html`<div class="step sum">${label(t("sum"), t("and scale"))}<p class="sum">${tally(view, key)}</p></div>`;
  const bar = (number, i) => {
    const size = number / pair.most[step.hue];
    return svg`<rect class="bar" width="0.76" x=${i + 0.12} y=${size > 0 ? -size : 0} height=${Math.abs(size)} />`;
  };
  // The sums and the list say what the bars come to; the line at zero is a pixel, the picture two units high.
  return html`
    <div class="step ${step.hue}">
      ${label(step.name, step.title?.())}
      <svg class="bars" viewBox="0 -1 ${head.size} 2" preserveAspectRatio="none" aria-hidden="true">
        <rect class="zero" width=${head.size} y=${-1 / step.height} height=${2 / step.height} />
        <g class="all">${[...pair.bars[step.name]].map(bar)}</g>
      </svg>
    </div>`;
}

function tally({ head, pair }, key) {
  const score = pair.scores[key];
  return [
    ["ink", `q · k = ${fixed(score * head.scale)}`],
    ["", `÷ √${head.size}`],
    ["ink", t("= score {score} →", { score: fixed(score) })],
    ["attention", pair.open(key) ? t("weight {share}", { share: perCent(pair.weights[key]) }) : t("masked: weight 0")],
  ].map(([kind, text]) => html`<span class=${kind || nothing}>${text}</span>`);
}

function entry(view, token, at, key) {
  const { names, pair, locked } = view;
  const [open, score, weight] = [pair.open(at), fixed(pair.scores[at]), perCent(pair.weights[at])];
  const size = pair.scores[at] / pair.most.score / 2;
  return html`
    <button type="button" class="entry ${look(view, token, at, "key", key)} ${open ? "" : "ahead"}" data-index=${at}
      aria-pressed=${at === locked.value.key} tabindex=${at === locked.value.key ? 0 : -1}
      aria-label=${open ? t("{token}: score {score}, weight {weight}", { token: names[at], score, weight }) : t("{token}: score {score}, weight none, still to come", { token: names[at], score })}>
      <span class="token">${token.text}</span>
      <span class="score"><i class="track"><i class="zero"></i><i class="bar"
        style="left: ${50 + Math.min(size, 0) * 100}%; width: ${Math.abs(size) * 100}%"></i></i><span class="number">${score}</span></span>
      <span class="weight"><i class="track"><i class="bar" style="width: ${pair.weights[at] * 100}%"></i></i><span
        class="number">${open ? weight : t("to come")}</span></span>
    </button>`;
}

// A token vector as shades of the absolute value of each number.
function paint(view, canvas, at) {
  const { width } = view.head;
  const context = penOf(canvas);
  const hue = palette(view.root, "accent");
  const image = context.createImageData(width, 1);
  for (let i = 0; i < width; i++) image.data.set([...hue, view.x[at * width + i]], i * 4);
  context.putImageData(image, 0, 0);
}

// Mark the number under the pointer in every vector, and say its values.
function rule(view, at) {
  view.ruled = at;
  show(view);
  if (at === null) return;
  const box = view.strip.querySelector(".bars").getBoundingClientRect();
  const home = view.strip.getBoundingClientRect();
  const left = (box.left - home.left + ((at + 0.5) / view.head.size) * box.width) / zoomOf(view.strip);
  view.strip.querySelector(".ruler").style.left = `${left}px`;
}

function numbers({ ruled, head, pair: { bars } }) {
  const [q, k, product, v, weighted, output] = ["q", "k", "q × k", "v", "w × v", "Σ w × v"].map((name) => fixed(bars[name][ruled]));
  const fields = { number: ruled + 1, count: head.size, q, k, product, v, weighted, output };
  return t("Number {number} of {count}: q {q} × k {k} = {product}; v {v}, weighted {weighted}, output {output}", fields);
}

export default connect(draw);
