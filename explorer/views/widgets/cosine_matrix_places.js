// Where the rows of a cosine matrix stand: sentences at the side, marks above, names over each sense.
import { element } from "./dom.js";
import { calm } from "./motion.js";
import { colour } from "./occurrence.js";

const GAP = 7; // px between two senses
const STRIP = 46; // px above the squares, for names and marks
const LEGEND = 64;
const LEGIBLE = 19; // px of a row that can hold a line of text
const NARROW = "(max-width: 820px)"; // a screen without room for sentences at the side
const SIDE = 56; // px for their marks there
const MARKED = 11; // px of a row that can hold a mark

// Where every row stands now and is going: in the given order, with a gap between senses.
export function place(grid, glides) {
  const { rows, order, groups } = grid.data;
  const n = rows.length;
  const [wide, tall] = [grid.stage.clientWidth, grid.stage.clientHeight];
  if (!wide || !n) return;
  const narrow = matchMedia(NARROW).matches;
  const room = Math.min(tall - STRIP, narrow ? wide - LEGEND - SIDE : wide * 0.62);
  const cell = (room - GAP * Math.max(groups.length - 1, 0)) / n;
  Object.assign(grid, { size: room, cell, text: cell >= LEGIBLE && !narrow });
  const left = wide - LEGEND - room;
  const to = new Float32Array(n);
  let [at, rank] = [0, 0];
  grid.names.replaceChildren();
  for (const group of groups.length ? groups : [{ size: n }]) {
    const begin = at;
    for (let k = 0; k < group.size; k++) {
      to[order[rank++]] = at;
      at += cell;
    }
    if (group.name) name(grid, group, left + begin, at - begin);
    at += GAP;
  }
  Object.assign(grid, { to, start: glides && grid.here?.length === n ? grid.here.slice() : to.slice(), left });
  grid.here = grid.start.slice();
  grid.root.classList.toggle("small", !grid.text);
  grid.root.classList.toggle("bare", cell < MARKED);
  grid.field.style.cssText = `left:${left}px;top:${STRIP}px;width:${room}px;height:${room}px`;
  grid.side.style.width = `${left - 6}px`;
  grid.top.style.left = `${left}px`;
  grid.legend.style.left = `${left + room + 14}px`;
  const still = !glides || calm();
  rows.forEach((row, i) => {
    for (const [kind, axis] of [["labels", "Y"], ["heads", "X"]]) {
      const item = grid[kind].get(row.id);
      item.style.transition = still ? "none" : "";
      item.style.transform = `translate${axis}(${to[i].toFixed(2)}px)`;
      item.style[axis === "Y" ? "height" : "width"] = `${cell.toFixed(2)}px`;
    }
  });
  const ratio = (window.devicePixelRatio || 1);
  const side = Math.round(room * ratio);
  if (grid.canvas.width !== side) grid.canvas.width = grid.canvas.height = side;
}

function name(grid, group, x, width) {
  const label = element("span", "sense", group.name);
  label.style.cssText = `left:${x + width / 2}px;max-width:${Math.max(width + GAP, 24)}px;color:${colour(group.colour)}`;
  grid.names.append(label);
}
