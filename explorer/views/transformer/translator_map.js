// The whole sentence at once: a row for each French token, a column for each English one, as dark as it was read.
// The largest share of all has the full colour, or the mean of many heads would be too pale to see.
import { mixed, palette } from "../widgets/colours.js";
import { button, element } from "../widgets/dom.js";

const ROOM = 260; // px for all rows

/**
 * @param {any} root
 * @param {import("./translator.js").Data} data
 * @param {{ side: string, at: number } | null} now the token that is pointed at, or chosen
 * @returns {number} the largest share
 */
export function drawMap(root, data, now) {
  const [columns, rows] = [data.source.length, data.written.length];
  const [ground, full] = ["attention-0", "attention-1"].map((name) => palette(root, name));
  root.style.gridTemplateColumns = `max-content repeat(${columns}, minmax(16px, 48px))`;
  root.style.gridTemplateRows = `max-content repeat(${rows}, ${Math.max(18, Math.min(28, ROOM / rows))}px)`;
  if (root.children.length !== (columns + 1) * (rows + 1) || root.columns !== columns) build(root, columns, rows);
  const largest = Math.max(...data.cross.flat());
  for (const cell of root.children) {
    const { row, column } = cell;
    const of = (side, at) => now?.side === side && now?.at === at;
    const on = row < 0 ? of("source", column) : of("target", row) || (column >= 0 && of("source", column));
    cell.classList.toggle("on", on);
    if (row < 0 || column < 0) {
      const token = row < 0 ? data.source[column] : data.written[row];
      cell.textContent = token?.text ?? "";
      continue;
    }
    const value = data.cross[row][column];
    cell.style.background = mixed(ground, full, value / largest);
    cell.title = `“${data.written[row].name}” read “${data.source[column].name}”: ${(100 * value).toFixed(1)}%`;
  }
  return largest;
}

function build(root, columns, rows) {
  root.columns = columns;
  root.replaceChildren();
  for (let row = -1; row < rows; row++) {
    for (let column = -1; column < columns; column++) {
      const label = row < 0 !== column < 0;
      const cell = label ? button(`part ${row < 0 ? "across" : "down"}`) : element("span", row < 0 ? "" : "part cell");
      [cell.side, cell.at] = row < 0 ? ["source", column] : ["target", row];
      [cell.row, cell.column] = [row, column];
      if (label) cell.tabIndex = row === 0 ? 0 : -1;
      root.append(cell);
    }
  }
}
