// A sentence with two trees: above it the one marked by hand, below it the one that a layer's probe finds.
// The layers stand in a row, each with a bar for its share of right arcs; a click or an arrow key goes there.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element, partOf, resize } from "../widgets/dom.js";
import { announceChanges } from "../widgets/live.js";
import { fixed, percent } from "../widgets/numbers.js";
import { roving, stopAt } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { reachByKeys } from "../widgets/width.js";

const REST_MS = 250;
const STEP = 22; // px that an arc rises for each arc below it
const FIRST = 24;
const GAP = 5; // px between the ends of arcs at one word

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, quiet: boolean }[]} words
 * @property {[number, number][] | null} gold arcs marked by hand, or null where there are none
 * @property {{ name: string, arcs: [number, number][], right: number | null, mean: number, caption: string }[]} layers
 * @property {number} layer
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const fresh = view.text !== JSON.stringify([data.words, data.layers]);
  view.text = JSON.stringify([data.words, data.layers]);
  view.data = data;
  view.shown.send = (layer) => send("layer", layer);
  view.shown.answer(data.layer, fresh);
  if (fresh) {
    view.row.replaceChildren(...data.words.map(({ text, quiet }) => element("span", quiet ? "word quiet" : "word", text)));
    layOut(view.row, [...view.row.children]);
    view.row.style.setProperty("--gap", data.words.length > 13 ? "6px" : "18px");
    bars(view);
  }
  view.observer ??= new ResizeObserver(() => {
    arcs(view);
    reachByKeys(view.scroller);
  });
  for (const part of [view.row, view.scroller]) view.observer.observe(part);
  show(view);
}

function build(root) {
  const view = { root, shown: choice(() => {}, REST_MS) };
  view.caption = add(root, "p", "caption");
  announceChanges(view.caption);
  view.scroller = add(root, "div", "rb-wide");
  view.stage = add(view.scroller, "div", "stage");
  view.stage.setAttribute("role", "img");
  view.svg = node("svg", { "aria-hidden": "true" });
  view.row = element("div", "words");
  view.stage.append(view.svg, view.row);
  view.layers = add(root, "div", "layers");
  view.layers.setAttribute("role", "group");
  view.layers.setAttribute("aria-label", "Layers");
  view.layers.addEventListener("click", (event) => {
    const layer = partOf(event, ".layer");
    if (layer) reach(view, [...view.layers.children].indexOf(layer));
  });
  roving(root, () => [...view.layers.children], {
    axis: "across",
    reach: (layer) => reach(view, [...view.layers.children].indexOf(layer)),
  });
  return view;
}

function reach(view, layer) {
  view.shown.choose(layer);
  show(view);
}

function bars(view) {
  const levels = resize(view.layers, view.data.layers.length, () => {
    const layer = button("layer");
    const well = add(layer, "span", "well");
    add(well, "i", "fill");
    add(well, "i", "mean");
    add(layer, "span", "number");
    add(layer, "span", "name");
    return layer;
  });
  view.data.layers.forEach(({ name, right, mean, caption }, at) => {
    const layer = levels[at];
    layer.querySelector(".fill").style.height = percent(right ?? 0);
    layer.querySelector(".mean").style.bottom = percent(mean);
    layer.querySelector(".number").textContent = right === null ? "" : fixed(right);
    layer.querySelector(".name").textContent = name;
    layer.setAttribute("aria-label", caption);
    layer.title = caption;
  });
}

function show(view) {
  const { data } = view;
  const at = Math.min(view.shown.value, data.layers.length - 1);
  const layers = [...view.layers.children];
  layers.forEach((layer, place) => {
    layer.classList.toggle("chosen", place === at);
    layer.setAttribute("aria-pressed", place === at);
  });
  stopAt(layers, layers[at]);
  view.caption.textContent = data.layers[at].caption;
  view.stage.setAttribute("aria-label", `${data.label} ${data.layers[at].caption}`);
  arcs(view);
}

// How high each arc of a tree rises: above all that it spans.
function heights(arcs) {
  const levels = new Map();
  for (const arc of [...arcs].sort((a, b) => a[1] - a[0] - (b[1] - b[0]))) {
    const inside = [...levels].filter(([[from, to]]) => from >= arc[0] && to <= arc[1]).map(([, height]) => height);
    levels.set(arc, 1 + Math.max(0, ...inside));
  }
  return levels;
}

function arcs(view) {
  const { data, svg, row, stage } = view;
  const words = [...row.children];
  if (!words.length) return;
  const predicted = data.layers[Math.min(view.shown.value, data.layers.length - 1)].arcs;
  const gold = data.gold ?? [];
  const same = new Set(gold.map(String));
  const [up, down] = [heights(gold), heights(predicted)];
  const reachOf = (all) => FIRST + STEP * Math.max(0, ...all.values());
  // All layers take the room of the tallest tree, so that nothing jumps from one to the next.
  const above = gold.length ? reachOf(up) : 8;
  const below = Math.max(...data.layers.map(({ arcs }) => reachOf(heights(arcs))));
  stage.style.padding = `${above}px 0 ${below}px`;
  svg.setAttribute("width", row.scrollWidth);
  svg.setAttribute("height", above + row.offsetHeight + below);
  const middle = (at) => words[at].offsetLeft + words[at].offsetWidth / 2;
  const paths = [];
  const arc = ([from, to], height, side, kind) => {
    const base = side < 0 ? above - 2 : above + row.offsetHeight + 2;
    const [left, right] = [middle(from), middle(to)].sort((a, b) => a - b);
    const [start, end] = [left + GAP, right - GAP];
    const top = base + side * (FIRST - 8 + STEP * (height - 1) + 6);
    const bend = Math.min(14, (end - start) / 2);
    const d = `M${start} ${base}V${top - side * bend}Q${start} ${top} ${start + bend} ${top}H${end - bend}Q${end} ${top} ${end} ${top - side * bend}V${base}`;
    paths.push(node("path", { class: `arc ${kind}`, d }));
  };
  for (const [one, height] of up) arc(one, height, -1, "gold");
  for (const [one, height] of down) arc(one, height, 1, !data.gold ? "open" : same.has(String(one)) ? "right" : "wrong");
  svg.replaceChildren(...paths);
}

export default connect(draw);
