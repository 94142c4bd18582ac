// A sentence with two trees: above it the one marked by hand, below it the one that a layer's probe finds.
// The layers stand in a row, each with a bar for its share of right arcs; a click or an arrow key goes there.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { perCent, percent } from "../widgets/numbers.js";
import { roving, stopAt } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { t } from "../widgets/translations.js";
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
  const view = (root.view ??= { root, shown: choice(() => {}, REST_MS) });
  const fresh = view.text !== JSON.stringify([data.words, data.layers]);
  view.text = JSON.stringify([data.words, data.layers]);
  view.data = data;
  view.shown.send = (layer) => send("layer", layer);
  view.shown.answer(data.layer, fresh);
  show(view);
  if (!view.observer) listen(view);
  if (fresh) layOut(view.row, [...view.row.children]);
}

function listen(view) {
  const [caption, scroller, row] = [".caption", ".rb-wide", ".words"].map((part) => view.root.querySelector(part));
  Object.assign(view, { scroller, row });
  announceChanges(caption);
  const layers = () => [...view.root.querySelectorAll(".layer")];
  roving(view.root, layers, { axis: "across", reach: (layer) => reach(view, layers().indexOf(layer)) });
  view.observer = new ResizeObserver(() => {
    arcs(view);
    reachByKeys(scroller);
  });
  for (const part of [row, scroller]) view.observer.observe(part);
}

function reach(view, layer) {
  view.shown.choose(layer);
  show(view);
}

function show(view) {
  const { data, root } = view;
  const at = Math.min(view.shown.value, data.layers.length - 1);
  const { caption } = data.layers[at];
  render(html`
    <p class="caption">${caption}</p>
    <div class="rb-wide">
      <div class="stage" role="img" aria-label="${data.label} ${caption}">
        <svg aria-hidden="true"></svg>
        <div class="words" style="--gap: ${data.words.length > 13 ? "6px" : "18px"}">${data.words.map(({ text, quiet }) => html`
          <span class=${quiet ? "word quiet" : "word"}>${text}</span>`)}
        </div>
      </div>
    </div>
    <div class="layers" role="group" aria-label=${t("Layers")}>${data.layers.map((layer, place) => html`
      <button type="button" class=${place === at ? "layer chosen" : "layer"} aria-pressed=${place === at} aria-label=${layer.caption}
        title=${layer.caption} @click=${() => reach(view, place)}>
        <span class="well"><i class="fill" style="height: ${percent(layer.right ?? 0)}"></i><i class="mean" style="bottom: ${percent(layer.mean)}"></i></span>
        <span class="number">${layer.right === null ? "" : perCent(layer.right)}</span><span class="name">${layer.name}</span>
      </button>`)}
    </div>`, root);
  const layers = [...root.querySelectorAll(".layer")];
  stopAt(layers, layers[at]);
  if (view.row) arcs(view);
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
  const { data, row } = view;
  const stage = row.parentElement;
  const svg = stage.querySelector("svg");
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
