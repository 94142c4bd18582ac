// Every head of a model as a cell: layers down, heads across. Hover tells, click picks, arrow keys
// walk. Cells are updated in place, so that colours ease from one map to the next.
import { connect } from "../widgets/connect.js";
import { html, nothing, render } from "../widgets/lit.js";
import { readAloud } from "../widgets/names.js";
import { percent } from "../widgets/numbers.js";
import { stopAt } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";
import { walkCells } from "../widgets/walk_with_tips.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} layers
 * @property {number} heads
 * @property {number} room px of height
 * @property {boolean} plain whether layers and heads are numbers alone
 * @property {{ text: string, tip: string, state: string, colour: string, ink: string }[]} cells layer by layer
 * @property {string} whole what a click on the name of “{layer}” does, if anything
 * @property {{ low: string, high: string, unit: string, ticks: number[], colours: string[] } | null} legend
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const { layers, heads, cells, whole } = data;
  const pick = (layer, head) => () => send("pick", { layer, head });
  root.style.setProperty("--heads", heads);
  root.style.setProperty("--name", data.plain ? "76px" : null);
  root.style.setProperty("--cell", `${Math.min(34, Math.max(20, data.room / layers - 3))}px`);
  const short = (layer) => (data.plain ? t("layer {number}", { number: layer + 1 }) : `L${layer + 1}`);
  const name = (layer) => {
    if (!whole) return html`<span class="name layer" role="rowheader">${short(layer)}</span>`;
    const does = whole.replace("{layer}", `${layer + 1}`);
    return html`<button type="button" class="name layer" role="gridcell" title=${does} aria-label=${does} @click=${pick(layer, null)}>${short(layer)}</button>`;
  };
  render(html`
    <div class="grid rb-wide" role="grid" aria-label=${data.label} aria-rowcount=${layers}>
      <div class="row" aria-hidden="true">
        <span class="name layer">${data.plain ? t("head") : ""}</span>${upTo(heads).map((head) => html`<span class="name">${data.plain ? "" : "H"}${head + 1}</span>`)}
      </div>
      ${upTo(layers).map((layer) => html`
        <div class="row" role="row">
          ${name(layer)}${upTo(heads).map((head) => drawCell(cells[layer * heads + head], layer, head, pick(layer, head)))}
        </div>`)}
    </div>
    <div class="scale" ?hidden=${!data.legend}>${data.legend ? legend(data.legend) : nothing}</div>`, root);
  walkCells(root, heads);
  const all = [...root.querySelectorAll(".cell")];
  if (!all.some((cell) => cell.tabIndex === 0)) stopAt(all, all[Math.max(cells.findIndex(isChosen), 0)]);
}

const upTo = (count) => [...Array(count).keys()];
const isChosen = ({ state }) => state.includes("chosen");

function drawCell(cell, layer, head, pick) {
  return html`
    <button type="button" class="cell ${cell.state}" role="gridcell" tabindex="-1" data-layer=${layer} data-head=${head}
      style="background: ${cell.colour}; color: ${cell.ink}" aria-selected=${isChosen(cell) || cell.state.includes("off")}
      aria-label=${readAloud(cell.tip.replaceAll("\n", ", "))} .tip=${cell.tip} @click=${pick}><span class="number">${cell.text}</span></button>`;
}

function legend({ low, high, unit, ticks, colours }) {
  return html`
    <span>${low}</span>
    <div class="bar">
      ${colours.map((colour) => html`<span style="background: ${colour}"></span>`)}
      ${ticks.map((tick) => html`<i class="tick" style="left: ${percent(tick)}"></i>`)}
    </div>
    <span>${high}</span><span class="unit">${unit}</span>`;
}

export default connect(draw);
