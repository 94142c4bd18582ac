// Every head of a model as a cell: layers down, heads across. Hover tells, click picks, arrow keys
// walk. Cells are updated in place, so that colours ease from one map to the next.
import { connect } from "../widgets/connect.js";
import { add, button, element, partOf } from "../widgets/dom.js";
import { readAloud } from "../widgets/names.js";
import { percent } from "../widgets/numbers.js";
import { rovingGrid } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} layers
 * @property {number} heads
 * @property {number} room px of height
 * @property {{ text: string, tip: string, state: string, colour: string, ink: string }[]} cells layer by layer
 * @property {string} whole what a click on a layer's name does, if anything
 * @property {{ low: string, high: string, unit: string, ticks: number[], colours: string[] } | null} legend
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.grid) build(root);
  root.data = data;
  root.pick = (layer, head) => send("pick", { layer, head });
  root.grid.setAttribute("aria-label", data.label);
  root.grid.setAttribute("aria-rowcount", data.layers);
  root.style.setProperty("--heads", data.heads);
  root.style.setProperty("--cell", `${Math.min(34, Math.max(20, data.room / data.layers - 3))}px`);
  if (root.layers !== data.layers || root.heads !== data.heads) lay(root);
  data.cells.forEach((cell, index) => update(root.cells[index], cell));
  const chosen = data.cells.findIndex((cell) => cell.state.includes("chosen"));
  if (!root.cells.some((cell) => cell.tabIndex === 0)) root.cells[Math.max(chosen, 0)].tabIndex = 0;
  legend(root);
  root.tip.refresh();
}

function build(root) {
  root.grid = element("div", "grid rb-wide");
  root.grid.setAttribute("role", "grid");
  root.scale = element("div", "scale");
  root.append(root.grid, root.scale);
  root.tip = tooltip(root, { of: ".cell", on: root.grid, align: "middle", gap: 6 });
  root.grid.addEventListener("click", (event) => {
    const cell = partOf(event, "button");
    if (cell) root.pick(Number(cell.dataset.layer), cell.dataset.head === undefined ? null : Number(cell.dataset.head));
  });
  rovingGrid(root.grid, () => root.cells, () => root.heads);
}

function lay(root) {
  const { data } = root;
  root.layers = data.layers;
  root.heads = data.heads;
  root.cells = [];
  const head = element("div", "row");
  head.setAttribute("aria-hidden", "true");
  head.append(element("span", "corner"));
  for (let h = 0; h < data.heads; h++) head.append(element("span", "name", `H${h + 1}`));
  const rows = [head];
  for (let l = 0; l < data.layers; l++) {
    const row = element("div", "row");
    row.setAttribute("role", "row");
    const name = element(data.whole ? "button" : "span", "name layer", `L${l + 1}`);
    if (data.whole) {
      name.type = "button";
      name.dataset.layer = String(l);
      name.setAttribute("aria-label", `${data.whole} ${l + 1}`);
      name.title = `${data.whole} ${l + 1}`;
    }
    name.setAttribute("role", data.whole ? "gridcell" : "rowheader");
    row.append(name);
    for (let h = 0; h < data.heads; h++) {
      const cell = button("cell");
      cell.tabIndex = -1;
      cell.dataset.layer = String(l);
      cell.dataset.head = String(h);
      cell.setAttribute("role", "gridcell");
      cell.append(element("span", "number"));
      row.append(cell);
      root.cells.push(cell);
    }
    rows.push(row);
  }
  root.grid.replaceChildren(...rows);
}

function update(button, cell) {
  button.className = `cell ${cell.state}`;
  button.style.background = cell.colour;
  button.style.color = cell.ink;
  button.firstChild.textContent = cell.text;
  button.tip = cell.tip;
  const chosen = cell.state.includes("chosen") || cell.state.includes("off");
  button.setAttribute("aria-selected", chosen);
  button.setAttribute("aria-label", readAloud(cell.tip.replaceAll("\n", ", ")));
}

function legend(root) {
  const { scale, data } = root;
  const { legend } = data;
  scale.hidden = !legend;
  if (!legend) return;
  const bar = element("div", "bar");
  for (const colour of legend.colours) add(bar, "span").style.background = colour;
  for (const tick of legend.ticks) {
    const mark = element("i", "tick");
    mark.style.left = percent(tick);
    bar.append(mark);
  }
  scale.replaceChildren(element("span", "", legend.low), bar, element("span", "", legend.high), element("span", "unit", legend.unit));
}

export default connect(draw);
