// The logit lens over a text: layers down from the last one, tokens across, and in each cell the word that the state
// would say. The line under a cell is where its column's answer begins to stay. A click chooses a cell. Columns are as
// wide as their words, so layers that arrive move the chosen cell, which is kept in view until all are there.
// Beside it there may be the map of a second text, onto which a cell is dragged, and a third of what that changed.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { byKeyboard, zoomOf } from "../widgets/dom.js";
import { bringToMiddle } from "../widgets/into_view.js";
import { html, nothing, render } from "../widgets/lit.js";
import { byKey, followPointer } from "../widgets/press.js";
import { rovingGrid } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

const ASK_AGAIN_MS = 3000;
const FEW = 6; // columns for which there is room three times: longer words are cut, and nothing scrolls
const DRAGGED_PX = 6; // a press that moves less is a click

/**
 * @typedef {object} LensMap
 * @property {string} label
 * @property {string[]} tokens the columns' names
 * @property {number[]} columns their positions
 * @property {{ layer: number, cells: { text: string, tip: string, share: number, look: string }[] }[]} rows
 * @property {boolean} [cone] whether colour is what a state that was put in reaches, and changes
 *
 * @typedef {object} Rest
 * @property {string} tone the colour of a full cell
 * @property {{ name: string, low: string, high: string }} scale
 * @property {string} outlined what an outlined cell says; empty if none is
 * @property {number} run 0 once all layers are there
 * @property {number} count
 * @property {LensMap[]} [beside] the map of a second text, and that with a state put in
 * @property {[number, number]} [chosen] the layer and the position of the state that a press on the second map puts there
 *
 * @typedef {LensMap & Rest} Data
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const { scale, outlined, beside } = data;
  const maps = [data, ...(beside ?? [])];
  const put = (layer, from, to) => send("put", { layer, from, to });
  const acts = [
    (layer, column) => root.dropped || send("pick", { layer, column }), // a drag ends with a click
    (_, column) => data.chosen && put(...data.chosen, column),
  ];
  const lift = (event, layer, column) => drag(root, event, layer, (to) => put(layer, column, to));
  const hint = html`<p class="hint">${t("Drag a word of the first text onto the second. Or press it, then a word of the second.")}</p>`;
  render(html`
    <div class="lens ${beside ? "beside" : ""}" style="--maps: ${beside ? 3 : 1}; --tone: var(${data.tone})">
      <div class="maps">
        ${maps.map((map, i) => drawMap(map, data.run > 0, acts[i], beside && !i ? lift : null, beside))}${beside && maps.length < 3 && !data.run ? hint : nothing}
      </div>
      <div class="scale" dir="ltr" aria-hidden="true">
        <span>${scale.name}</span><span>${scale.low}</span><span class="bar"></span><span>${scale.high}</span>
        <span class="key" ?hidden=${!outlined}><i class="box"></i>${outlined}</span><span class="key" ?hidden=${Boolean(beside)}><i class="line"></i>${t("from here up the answer stays")}</span>
        ${maps[2] ? html`<span class="key cone"><i class="reached"></i>${t("reached by the state")}</span><span class="key cone"><i class="changed"></i>${t("another word")}</span>` : nothing}
      </div>
    </div>`, root);
  setDirection(root.querySelector(".lens"), data.tokens);
  root.tip ??= tooltip(root, { of: ".cell", on: root.querySelector(".maps"), align: "middle", gap: 6 });
  root.tip.refresh();
  root.querySelectorAll(".rb-wide").forEach((box, i) => settle(box, maps[i], data.run > 0));
  root.asker ??= asker(root);
  if (data.run) root.asker.ask(`${data.run}:${data.count}`, () => send("more", { run: data.run, count: data.count }), { again: ASK_AGAIN_MS });
}

function drawMap({ label, tokens, columns, rows, cone = false }, busy, act, lift, beside) {
  return html`
    <div class="rb-wide ${beside && columns.length <= FEW ? "few" : ""} ${lift ? "source" : ""} ${cone ? "cone" : ""}" style="--columns: ${columns.length}">
      <div class="grid" role="grid" aria-busy=${busy} aria-label=${label}>
        <div class="row heading" role="row">
          <span class="name" role="columnheader">${t("layer")}</span>${tokens.map((token) => html`<span class="token" role="columnheader">${token}</span>`)}
        </div>
        ${rows.map(({ layer, cells }) => html`
          <div class="row" role="row">
            <span class="name" role="rowheader">${layer}</span>${cells.map((cell, i) => drawCell(cell, layer, columns[i], act, lift))}
          </div>`)}
      </div>
    </div>`;
}

function drawCell({ text, tip, share, look }, layer, column, act, lift) {
  const press = () => act?.(layer, column);
  return html`<div class="cell ${look}" role="gridcell" tabindex="-1" aria-label=${tip} aria-selected=${look.includes("chosen")} .tip=${tip} .at=${[layer, column]}
    style="--share: ${Math.round(100 * share)}" @click=${press} @keydown=${(event) => byKey(event, press)}
    @pointerdown=${lift ? (event) => lift(event, layer, column) : nothing}><span>${text}</span></div>`;
}

// The keyboard walks each map, and the chosen cell is brought into view.
function settle(box, { tokens, columns }, growing) {
  const toMiddle = (cell) => cell && bringToMiddle(box, cell);
  box.across = columns.length;
  if (!box.walked) {
    rovingGrid(box.firstElementChild, () => [...box.querySelectorAll(".cell")], () => box.across);
    box.addEventListener("focusin", (event) => byKeyboard(event) && toMiddle(event.target.closest(".cell")));
    box.walked = true;
  }
  const text = tokens.join(" ");
  if (box.growing || box.text !== text) toMiddle(box.querySelector(".chosen"));
  [box.text, box.growing] = [text, growing];
}

/**
 * A copy of a cell follows the pointer, a finger too, and is put where it is let go, in the cell's own layer.
 * @param {any} root
 * @param {any} event
 * @param {number} layer
 * @param {(to: number) => void} put
 */
function drag(root, event, layer, put) {
  if (event.button) return;
  const [cell, second] = [event.currentTarget, root.querySelectorAll(".rb-wide")[1]];
  const home = root.getBoundingClientRect();
  /** @type {any} */
  let ghost = null;
  /** @type {any} */
  let target = null;
  const move = (to) => {
    if (!ghost && Math.hypot(to.clientX - event.clientX, to.clientY - event.clientY) < DRAGGED_PX) return;
    if (!ghost) {
      ghost = root.firstElementChild.appendChild(cell.cloneNode(true));
      ghost.classList.add("ghost");
      root.tip.hide();
    }
    ghost.style.left = `${(to.clientX - home.left) / zoomOf(root)}px`;
    ghost.style.top = `${(to.clientY - home.top) / zoomOf(root)}px`;
    const over = root.getRootNode().elementFromPoint(to.clientX, to.clientY)?.closest(".cell");
    const column = second?.contains(over) ? over.at[1] : null;
    target?.classList.remove("target");
    target = column === null ? null : [...second.querySelectorAll(".cell")].find(({ at }) => at[0] === layer && at[1] === column);
    target?.classList.add("target");
  };
  const drop = ({ type }) => {
    root.dropped = Boolean(ghost);
    setTimeout(() => (root.dropped = false)); // after the click that ends it
    ghost?.remove();
    target?.classList.remove("target");
    if (type === "pointerup" && target) put(target.at[1]);
  };
  followPointer(event, move, drop);
}

export default connect(draw);
