// How many of all occurrences lie in the square under the pointer, where no dot is.
import { strong } from "../widgets/dom.js";
import { node } from "../widgets/svg.js";
import { placeAbove } from "../widgets/tooltip.js";

/**
 * @param {any} map
 * @param {number[] | null} place x and y in px, or null where a dot is told or nothing is
 */
export function tellCell(map, place) {
  const cell = place && cellAt(map, place);
  if (map.cell === (cell?.index ?? -1)) return;
  map.cell = cell?.index ?? -1;
  map.layer.cell.replaceChildren();
  if (map.hovered < 0) map.tip.classList.toggle("on", Boolean(cell));
  if (!cell) return;
  const { x, y, side, count, total } = cell;
  map.layer.cell.append(node("rect", { x: x.toFixed(1), y: y.toFixed(1), width: side[0].toFixed(1), height: side[1].toFixed(1) }));
  const share = (100 * count) / total;
  map.tip.replaceChildren(
    strong(count.toLocaleString("en")),
    ` occurrence${count === 1 ? "" : "s"} in this square, ${share < 0.01 ? "under 0.01" : share.toFixed(2)}% of all`,
  );
  placeAbove(map.tip, x + side[0] / 2, y, map.width, 8);
}

// The square with occurrences at a place in px, or null. Squares wait, as contours do, while dots move.
/**
 * @param {any} map
 * @param {number[]} place
 */
function cellAt(map, place) {
  const [px, py] = place;
  const stop = Math.round(map.stop);
  const cells = map.data.cells?.[stop];
  if (!cells || map.trip) return null;
  const { box, columns, counts, total } = cells;
  const rows = counts.length / columns;
  const toX = (value) => map.width / 2 + (value * 1e-4 - map.middle[0]) * map.scale;
  const toY = (value) => map.height / 2 - (value * 1e-4 - map.middle[1]) * map.scale;
  const side = [(toX(box[2]) - toX(box[0])) / columns, (toY(box[1]) - toY(box[3])) / rows];
  const [i, j] = [Math.floor((px - toX(box[0])) / side[0]), Math.floor((toY(box[1]) - py) / side[1])];
  if (i < 0 || j < 0 || i >= columns || j >= rows) return null;
  const index = j * columns + i;
  if (!counts[index]) return null;
  return { index, count: counts[index], total, side, x: toX(box[0]) + i * side[0], y: toY(box[1]) - (j + 1) * side[1] };
}
