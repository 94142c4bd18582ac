// The logit lens: for each model a chart of the followed words' probabilities, and a table of the most
// probable words at every layer. One slider moves through the layers of both models, and the sentences
// above are shown with that layer's best word. Arrow keys move the slider; a click on a layer goes there.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { bringIntoView } from "../widgets/into_view.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { stepButtons, stepper } from "../widgets/player.js";
import { tooltip } from "../widgets/tooltip.js";

const PLOT = { high: 150, left: 58, right: 12, top: 10, bottom: 26 };
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
  view.steps.answer(data.layer, (layer) => send("layer", layer), view.data?.text !== data.text);
  if (JSON.stringify(view.data?.panels) !== JSON.stringify(data.panels)) view.tip?.hide();
  view.data = data;
  root.classList.toggle("tight", data.tight);
  show(view);
  view.tip ??= tooltip(root, { of: ".cell, .mark", align: "left", gap: 3 });
}

function build(root) {
  const view = { root };
  view.steps = stepper({ root, label: "Layer", last: () => view.data.layers, ms: () => STEP_MS, show: () => show(view) });
  new ResizeObserver(() => view.data && drawPlots(view)).observe(root);
  return view;
}

// The layer of a panel at the slider's position.
function at(view, panel) {
  return Math.round((view.steps.place.value * (panel.layers.length - 1)) / Math.max(view.data.layers, 1));
}

function show(view) {
  const { root, data } = view;
  const layers = [...new Set(data.panels.map((panel) => at(view, panel)))];
  const where = view.steps.place.value ? `after layer${layers.length > 1 ? "s" : ""} ${layers.join(" and ")}` : "layer 0 (embedding)";
  view.steps.mark(where);
  render(html`
    <div class="bar" data-save="no">${stepButtons(view.steps, "layer")}<span class="where">${where}</span></div>
    <div class="panels">${data.panels.map((panel) => drawPanel(view, panel))}</div>`, root);
  root.querySelectorAll(".panel").forEach((box, i) => {
    const { before, after, layers } = data.panels[i];
    const now = at(view, data.panels[i]);
    setDirection(box.querySelector(".read"), [before, after, layers[now].words[0].text]);
    const table = box.querySelector(".table");
    bringIntoView(table, table.children[now]);
  });
  drawPlots(view);
}

function drawPanel(view, panel) {
  const now = at(view, panel);
  // Models differ in depth: the slider's range is mapped to each model's own layers.
  const shared = (number) => Math.round((number * view.data.layers) / Math.max(panel.layers.length - 1, 1));
  return html`
    <section class="panel">
      <p class="title">${panel.title}</p>
      <p class="read">${panel.before}<b class="guess">${panel.layers[now].words[0].text}</b>${panel.after}</p>
      <p class="legend">${panel.lines.map((line) => html`
        <span class="item">
          <svg viewBox="-13 -13 26 26" class="sign"><path d=${line.path} class="c${line.colour}"></path></svg>
          <b>${line.name}</b><span class="now">${line.points[now].short}</span>
        </span>`)}
      </p>
      <svg class="plot" role="img" aria-label=${panel.says}></svg>
      <div class="table" role="table" aria-label=${panel.label}>${panel.layers.map((layer, number) => html`
        <div class=${number === now ? "layer now" : "layer"} role="row" @click=${() => view.steps.go(shared(number))}>
          <span class="name" role="rowheader">${layer.name}</span>${layer.words.map((word) => html`
          <span class="cell" role="cell" aria-label=${word.tip} .tip=${word.tip}>
            <i class="fill" style="width: ${100 * word.probability}%"></i><span class="word">${word.text}</span>
          </span>`)}
        </div>`)}
      </div>
    </section>`;
}

function drawPlots(view) {
  view.root.querySelectorAll(".plot").forEach((plot, i) => drawPlot(view, view.data.panels[i], plot));
}

function drawPlot(view, panel, plot) {
  const wide = plot.clientWidth || 480;
  const { left, right, top, bottom } = PLOT;
  const high = plot.clientHeight || PLOT.high;
  plot.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  const last = Math.max(panel.layers.length - 1, 1);
  const x = (layer) => left + ((wide - left - right) * layer) / last;
  const y = (height) => top + (high - top - bottom) * (1 - height);
  const now = at(view, panel);
  const every = Math.ceil(panel.layers.length / 13);
  const text = (across, down, words, anchor, strong = false) =>
    svg`<text x=${across} y=${down} text-anchor=${anchor} class=${strong ? "strong" : ""}>${words}</text>`;
  const mark = (line, point, layer) => svg`
    <path d=${line.path} class="mark c${line.colour}" .tip=${point.tip} transform="translate(${x(layer)},${y(point.height)}) scale(${layer === now ? 0.85 : 0.6})"></path>`;
  const places = (line) => line.points.map((point, layer) => `${x(layer).toFixed(1)},${y(point.height).toFixed(1)}`).join(" ");
  render(svg`
    <line class="cursor" x1=${x(now)} x2=${x(now)} y1=${top - 6} y2=${high - bottom}></line>
    ${view.data.ticks.map((tick) => svg`
      <line class="grid" x1=${left} x2=${wide - right} y1=${y(tick.height)} y2=${y(tick.height)}></line>
      ${text(left - 8, y(tick.height) + 5, tick.text, "end")}`)}
    ${panel.layers.map((_, layer) => (layer % every ? nothing : text(x(layer), high - 6, layer, "middle", layer === now)))}
    ${panel.lines.map((line) => svg`<polyline points=${places(line)} class="c${line.colour}"></polyline>`)}
    ${panel.lines.map((line) => line.points.map((point, layer) => mark(line, point, layer)))}`, plot);
}

export default connect(draw);
