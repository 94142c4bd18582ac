// One head, step by step, for one pair of tokens: two token vectors, q and k, their products, the score
// among the scores of the row, the weight, and the weighted v. The data has every token of the text, so that
// pointing at one shows its numbers at once; a click selects it.
import { choice } from "../widgets/answers.js";
import { penOf } from "../widgets/canvas.js";
import { palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, byKeyboard, element, partOf, resize, strong, zoomOf } from "../widgets/dom.js";
import { make } from "../widgets/drawn.js";
import { bringIntoView } from "../widgets/into_view.js";
import { announceChanges } from "../widgets/live.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { compute, read } from "./inside_head_numbers.js";

const STEPS = [
  { name: "x", of: "query", height: 16 },
  { name: "q", of: "query", height: 60, hue: "query", title: "query" },
  { name: "x", of: "key", height: 16 },
  { name: "k", of: "key", height: 60, hue: "key", title: "key" },
  { name: "q × k", height: 60, hue: "ink", title: "number by number" },
  { name: "sum" },
  { name: "v", of: "key", height: 48, hue: "value", title: "value" },
  { name: "w × v", height: 48, hue: "value", title: "weight × value" },
  { name: "Σ w × v", height: 48, hue: "value", title: "over all tokens" },
];

/**
 * Its data: a header and the numbers of the head; see inside_head_numbers.js
 * @type {import("../widgets/connect.js").Draw<Uint8Array>}
 */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
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
  drawTokens(view);
  show(view);
  fit(view);
  for (const part of [view.words, view.entries]) bringIntoView(part, part.querySelector(".locked"));
}

function build(root) {
  /** @type {any} */
  const view = { root, preview: {}, locked: choice(() => {}), rows: [] };
  const line = make(root, "p", "line");
  view.says = make(line, "span", "says");
  announceChanges(view.says);
  view.hint = make(line, "span", "hint");
  view.hint.dataset.save = "no";
  view.words = make(root, "div", "words");
  view.words.setAttribute("role", "group");
  const board = make(root, "div", "board");
  view.board = board;
  view.strip = make(board, "div", "strip");
  for (const step of STEPS) {
    const row = make(view.strip, "div", `step ${step.hue ?? step.name}`);
    row.label = make(row, "div", "label");
    row.symbol = make(row.label, "b", "symbol");
    row.what = make(row.label, "span", "what");
    if (step.name === "x") row.picture = make(row, "canvas", "cells");
    else if (step.height) {
      row.picture = make(row, "svg", "bars");
      row.zero = make(row.picture, "rect", "zero");
      row.bars = make(row.picture, "g", "all");
    } else row.sum = make(row, "p", "sum");
    row.step = step;
    view.rows.push(row);
  }
  view.ruler = make(view.strip, "div", "ruler");
  view.list = make(board, "div", "list");
  view.list.setAttribute("role", "group");
  const heading = make(view.list, "div", "entry heading");
  for (const [name, text] of [["token", "attends to"], ["score", "score"], ["weight", "softmax: weight"]]) make(heading, "span", name, text);
  view.entries = make(view.list, "div", "entries");
  listen(view);
  return view;
}

// In a low or enlarged window the bars are lower, so that all steps are in view.
function fit(view) {
  const { root, rows, strip } = view;
  const set = (part) => {
    root.classList.toggle("low", part < 0.8);
    for (const row of rows)
      if (row.bars) row.picture.style.height = `${row.step.height * part}px`;
  };
  set(1);
  const box = root.getBoundingClientRect();
  const zoom = zoomOf(root);
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
  const room = (innerHeight - box.top - scrolled) / zoom - 12;
  const bars = rows.reduce((sum, row) => sum + (row.bars ? row.step.height : 0), 0);
  const missing = view.list.offsetTop - root.offsetTop + strip.offsetHeight - room;
  set(Math.min(1, Math.max(0.55, (bars - missing) / bars)));
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
      if (target) view.pick({ ...view.locked.value, [target.side]: target.at });
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

function drawTokens(view) {
  const { head, n } = view;
  view.root.style.setProperty("--count", n);
  view.words.setAttribute("aria-label", `${head.name}: the token that attends`);
  view.list.setAttribute("aria-label", `${head.name}: the token that is read`);
  for (const [part, side] of [[view.words, "query"], [view.entries, "key"]]) {
    const items = resize(part, n, side === "key" ? newEntry : newWord);
    head.tokens.forEach((token, index) => {
      const item = items[index];
      item.dataset.index = index;
      item.label.textContent = token.text;
      item.classList.toggle("quiet", token.quiet);
    });
  }
  layOut(view.words, [...view.words.children]);
  for (const row of view.rows) {
    const { step, picture, bars, zero } = row;
    if (step.name === "x") {
      picture.width = head.width;
      picture.height = 1;
      picture.setAttribute("aria-hidden", "true");
    } else if (picture) {
      picture.setAttribute("viewBox", `0 -1 ${head.size} 2`);
      picture.setAttribute("preserveAspectRatio", "none");
      picture.setAttribute("aria-hidden", "true"); // the sums and the list say what they come to
      zero.setAttribute("width", head.size);
      zero.setAttribute("y", -1 / step.height);
      zero.setAttribute("height", 2 / step.height); // a pixel: the picture is two units high
      resize(bars, head.size, (i) => node("rect", { class: "bar", width: 0.76, x: i + 0.12 }));
    }
  }
}

function newWord() {
  const item = button("word");
  item.label = add(item, "span", "token");
  return item;
}

function newEntry() {
  const item = button("entry");
  item.label = add(item, "span", "token");
  for (const kind of ["score", "weight"]) {
    const cell = add(item, "span", kind);
    const track = add(cell, "i", "track");
    if (kind === "score") add(track, "i", "zero");
    item[kind] = { bar: add(track, "i", "bar"), number: add(cell, "span", "number") };
  }
  return item;
}

// Everything that depends on the pair: cheap, and no node is created.
function show(view) {
  const { head } = view;
  const query = view.preview.query ?? view.locked.value.query;
  const key = view.preview.key ?? view.locked.value.key;
  const target = (view.pair = compute(view, query, key));
  const names = { query: view.names[query], key: view.names[key] };
  for (const row of view.rows) {
    const { step } = row;
    if (step.name === "x") paint(view, row.picture, step.of === "query" ? query : key);
    else if (row.picture) {
      const numbers = target.bars[step.name];
      [...row.bars.children].forEach((bar, i) => {
        const size = numbers[i] / target.most[step.hue];
        bar.setAttribute("y", size > 0 ? -size : 0);
        bar.setAttribute("height", Math.abs(size));
      });
    }
    if (row.sum) tally(view, row, target, key);
    else {
      row.symbol.textContent = step.name === "x" ? names[step.of] : step.name;
      row.what.textContent = step.name === "x" ? `${head.width} numbers` : step.title;
    }
  }
  list(view, target, query, key);
  const ahead = target.open(key) ? "" : ", which is still to come";
  view.says.replaceChildren(`${head.name}: “`, strong(names.query), "” attends to “", strong(names.key), `”${ahead} with weight ${target.weights[key].toFixed(4)}`);
  view.hint.textContent = view.head.locked ? "Press Esc to return to the strongest pair" : "This is the strongest pair. Click any token.";
}

function tally(view, row, target, key) {
  const { head } = view;
  const score = target.scores[key];
  const parts = [
    ["ink", `q · k = ${fixed(score * head.scale)}`],
    ["", `÷ √${head.size}`],
    ["ink", `= score ${fixed(score)} →`],
    ["attention", target.open(key) ? `weight ${target.weights[key].toFixed(3)}` : "masked: weight 0"],
  ];
  row.symbol.textContent = "sum";
  row.what.textContent = "and scale";
  row.sum.replaceChildren(
    ...parts.map(([kind, text]) => element("span", kind, text)),
  );
}

function list(view, target, query, key) {
  const side = (part, at, locked) =>
    [...part.children].forEach((token, index) => {
      token.classList.toggle("chosen", index === at);
      token.classList.toggle("locked", index === locked);
      token.tabIndex = index === locked ? 0 : -1; // one stop; the arrow keys walk inside
      token.setAttribute("aria-pressed", index === locked);
    });
  side(view.words, query, view.locked.value.query);
  side(view.entries, key, view.locked.value.key);
  [...view.words.children].forEach((word, index) => word.setAttribute("aria-label", `from ${view.names[index]}`));
  [...view.entries.children].forEach((entry, index) => {
    const open = target.open(index);
    const size = target.scores[index] / target.most.score / 2;
    entry.classList.toggle("ahead", !open);
    entry.score.bar.style.left = `${50 + Math.min(size, 0) * 100}%`;
    entry.score.bar.style.width = `${Math.abs(size) * 100}%`;
    entry.score.number.textContent = fixed(target.scores[index]);
    entry.weight.bar.style.width = `${target.weights[index] * 100}%`;
    entry.weight.number.textContent = open ? target.weights[index].toFixed(3) : "to come";
    entry.setAttribute("aria-label", `${view.names[index]}: score ${fixed(target.scores[index])}, weight ${open ? target.weights[index].toFixed(3) : "none, still to come"}`);
  });
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
  view.ruler.classList.toggle("on", at !== null);
  if (at === null) return show(view);
  const picture = view.rows[1].picture;
  const box = picture.getBoundingClientRect();
  const home = view.strip.getBoundingClientRect();
  const zoom = zoomOf(view.strip);
  view.ruler.style.left = `${(box.left - home.left + ((at + 0.5) / view.head.size) * box.width) / zoom}px`;
  const { bars } = view.pair;
  view.says.textContent =
    `Number ${at + 1} of ${view.head.size}: q ${fixed(bars.q[at])} × k ${fixed(bars.k[at])} = ${fixed(bars["q × k"][at])}` +
    `; v ${fixed(bars.v[at])}, weighted ${fixed(bars["w × v"][at])}, output ${fixed(bars["Σ w × v"][at])}`;
}

export default connect(draw);
