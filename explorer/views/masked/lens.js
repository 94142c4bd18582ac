// The logit lens: for each model a chart of the followed words' probabilities, and a table of the most
// probable words at every layer. One slider moves through the layers of both models, and the sentences
// above are shown with that layer's best word. Arrow keys move the slider; a click on a layer goes there.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, button, element, partOf } from "../widgets/dom.js";
import { bringIntoView } from "../widgets/into_view.js";
import { player, scrubber } from "../widgets/player.js";
import { node } from "../widgets/svg.js";
import { tooltip } from "../widgets/tooltip.js";

const PLOT = { high: 150, left: 58, right: 12, top: 10, bottom: 26 };
const TELL_MS = 250; // the address follows once the slider has been still for so long
const STEP_MS = 900;

/**
 * @typedef {object} Data
 * @property {string} text when it changes, the layer that was chosen before is forgotten
 * @property {boolean} tight whether there is little height
 * @property {number} layer
 * @property {number} layers the last layer of the deepest model
 * @property {{
 *   title: string, label: string, says: string, before: string, after: string,
 *   layers: { name: string, words: { text: string, tip: string, probability: number }[] }[],
 *   lines: { name: string, path: string, colour: number, points: { height: number, short: string, tip: string }[] }[],
 *   }[]} panels
 * @property {{ height: number, text: string }[]} ticks
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const other = view.text !== data.text;
  if (other) view.player.stop();
  view.layer.send = (layer) => send("layer", layer);
  view.layer.answer(data.layer, other);
  view.text = data.text;
  view.data = data;
  root.classList.toggle("tight", data.tight);
  view.slider.max = data.layers;
  fill(view);
  show(view);
  return () => view.player.stop();
}

function build(root) {
  const view = { root, panels: [], layer: choice(() => {}, TELL_MS) };
  const bar = add(root, "div", "player");
  bar.dataset.save = "no";
  view.play = button("play", "Play the layers", () => view.player.toggle());
  view.slider = scrubber("Layer", (layer) => choose(view, layer));
  bar.append(view.play, view.slider);
  view.where = add(bar, "span", "where");
  view.row = add(root, "div", "panels");
  view.tip = tooltip(root, { of: ".cell, .mark", align: "left", gap: 3 });
  view.player = player({
    root,
    at: () => view.layer.value,
    last: () => view.data.layers,
    go: (layer) => reach(view, layer),
    ms: () => STEP_MS,
    stopped: () => show(view),
  });
  root.addEventListener("click", (event) => {
    const line = partOf(event, ".layer");
    if (line) choose(view, line.shared);
  });
  new ResizeObserver(() => view.data && drawPlots(view)).observe(root);
  return view;
}

function fill(view) {
  const signature = JSON.stringify(view.data.panels);
  if (view.filled === signature) return;
  view.filled = signature;
  view.tip.hide();
  view.panels = view.data.panels.map((panel) => {
    const box = element("section", "panel");
    add(box, "p", "title", panel.title);
    const read = add(box, "p", "read");
    const legend = add(box, "p", "legend");
    const plot = node("svg");
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", panel.says);
    box.append(plot);
    const table = add(box, "div", "table");
    table.setAttribute("role", "table");
    table.setAttribute("aria-label", panel.label);
    const lines = panel.layers.map((layer, number) => {
      const line = add(table, "div", "layer");
      line.setAttribute("role", "row");
      // Models differ in depth: the slider's range is mapped to each model's own layers.
      line.shared = Math.round((number * view.data.layers) / Math.max(panel.layers.length - 1, 1));
      add(line, "span", "name", layer.name).setAttribute("role", "rowheader");
      for (const word of layer.words) {
        const cell = add(line, "span", "cell");
        cell.setAttribute("role", "cell");
        cell.tip = word.tip;
        cell.setAttribute("aria-label", word.tip);
        add(cell, "i", "fill").style.width = `${100 * word.probability}%`;
        add(cell, "span", "word", word.text);
      }
      return line;
    });
    panel.lines.forEach((line) => {
      const item = add(legend, "span", "item");
      const sign = node("svg", { viewBox: "-13 -13 26 26", class: "sign" });
      sign.append(node("path", { d: line.path, class: `c${line.colour}` }));
      item.append(sign, element("b", "", line.name));
      line.now = add(item, "span", "now");
    });
    return { panel, box, read, lines, plot };
  });
  view.row.replaceChildren(...view.panels.map((panel) => panel.box));
}

// The layer of a panel at the slider's position.
function at(view, panel) {
  return Math.round((view.layer.value * (panel.layers.length - 1)) / Math.max(view.data.layers, 1));
}

function show(view) {
  view.slider.value = view.layer.value;
  const layers = [...new Set(view.panels.map(({ panel }) => at(view, panel)))];
  view.where.textContent = view.layer.value ? `after layer${layers.length > 1 ? "s" : ""} ${layers.join(" and ")}` : "layer 0 (embedding)";
  view.slider.setAttribute("aria-valuetext", view.where.textContent);
  view.play.textContent = view.player.playing ? "Pause" : "Play the layers";
  for (const { panel, read, lines } of view.panels) {
    const now = at(view, panel);
    lines.forEach((line, number) => line.classList.toggle("now", number === now));
    bringIntoView(lines[now].parentElement, lines[now]);
    const best = panel.layers[now].words[0];
    setDirection(read, [panel.before, panel.after, best.text]);
    read.replaceChildren(panel.before, element("b", "guess", best.text), panel.after);
    for (const line of panel.lines) line.now.textContent = line.points[now].short;
  }
  drawPlots(view);
}

function drawPlots(view) {
  for (const { panel, plot } of view.panels) {
    const wide = plot.clientWidth || 480;
    const { left, right, top, bottom } = PLOT;
    const high = plot.clientHeight || PLOT.high;
    plot.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    const last = Math.max(panel.layers.length - 1, 1);
    const x = (layer) => left + ((wide - left - right) * layer) / last;
    const y = (height) => top + (high - top - bottom) * (1 - height);
    const now = at(view, panel);
    const elements = [node("line", { x1: x(now), x2: x(now), y1: top - 6, y2: high - bottom, class: "cursor" })];
    for (const tick of view.data.ticks) {
      elements.push(node("line", { x1: left, x2: wide - right, y1: y(tick.height), y2: y(tick.height), class: "grid" }));
      elements.push(text(left - 8, y(tick.height) + 5, tick.text, "end"));
    }
    const every = Math.ceil(panel.layers.length / 13);
    panel.layers.forEach((_, layer) => {
      if (layer % every === 0) elements.push(text(x(layer), high - 6, String(layer), "middle", layer === now));
    });
    for (const line of panel.lines) {
      const places = line.points.map((point, layer) => `${x(layer).toFixed(1)},${y(point.height).toFixed(1)}`);
      elements.push(node("polyline", { points: places.join(" "), class: `c${line.colour}` }));
    }
    for (const line of panel.lines) {
      line.points.forEach((point, layer) => {
        const size = layer === now ? 0.85 : 0.6;
        const mark = node("path", { d: line.path, class: `mark c${line.colour}`, transform: `translate(${x(layer)},${y(point.height)}) scale(${size})` });
        mark.tip = point.tip;
        elements.push(mark);
      });
    }
    plot.replaceChildren(...elements);
  }
}

function choose(view, layer) {
  view.player.stop();
  if (layer !== view.layer.value) reach(view, layer);
}

function reach(view, layer) {
  view.layer.choose(layer);
  show(view);
}

function text(x, y, words, anchor, strong = false) {
  return node("text", { x, y, "text-anchor": anchor, class: strong ? "strong" : "" }, words);
}

export default connect(draw);
