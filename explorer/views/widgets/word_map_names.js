// Names beside their dots. Those that matter most choose first: what is locked or lit, then in the order
// in which the dots came; a name goes where nothing else is, or nowhere.
import { node } from "./svg.js";

const GAP = 3; // px between two names

export function arrange(map) {
  const { dots, locked, near, lit, small } = map.data;
  const first = new Set([locked, ...near, ...lit, map.hovered]);
  const order = [...dots.keys()].sort((i, j) => Number(first.has(dots[j].id)) - Number(first.has(dots[i].id)));
  const names = new Map(map.names.map((name) => [name.id, name]));
  const boxes = arrowBoxes(map);
  for (const dot of dots) {
    const [x, y] = map.to.get(dot.id);
    const r = 8 * (dot.size ?? 1);
    boxes.push({ of: dot.id, x0: x - r, y0: y - r, x1: x + r, y1: y + r });
  }
  const visible = [];
  for (const i of order) {
    const dot = dots[i];
    const name = names.get(dot.id) ?? { id: dot.id, element: node("text", { class: "word" }) };
    name.element.textContent = dot.text;
    name.element.classList.toggle("small", small);
    name.element.classList.toggle("strong", dot.id === locked || lit.includes(dot.id) || Boolean(dot.strong));
    if (!name.element.isConnected) map.layer.words.append(name.element);
    const set = `${map.fonts} ${dot.text} ${name.element.getAttribute("class")}`;
    if (name.set !== set) [name.set, name.wide] = [set, name.element.getComputedTextLength()];
    const wide = (name.wide || dot.text.length * 9) + 2;
    const spot = free(map, dot, wide, small ? 17 : 20, boxes, name);
    names.delete(dot.id);
    if (!spot) {
      name.element.remove();
      continue;
    }
    boxes.push(spot.box);
    Object.assign(name, { dx: spot.dx, dy: spot.dy });
    visible.push(name);
  }
  for (const gone of names.values()) gone.element.remove();
  map.names = visible;
}

// The first of eight places around a dot that is inside the picture and free; the one it has, if it can stay.
function free(map, dot, wide, high, boxes, { dx, dy }) {
  const [x, y] = map.to.get(dot.id);
  const away = 8 * (dot.size ?? 1) + 4;
  const side = away + wide / 2;
  const over = away + high / 2;
  const spots = [
    [side, 0], [-side, 0], [0, -over], [0, over],
    [side * 0.9, -over * 0.75], [side * 0.9, over * 0.75], [-side * 0.9, -over * 0.75], [-side * 0.9, over * 0.75],
  ];
  const had = spots.findIndex(([sx, sy]) => Math.sign(sx) === Math.sign(dx) && Math.sign(sy) === Math.sign(dy));
  if (dx !== undefined && had > 0) spots.unshift(...spots.splice(had, 1));
  if (dot.strong) spots.push(...farther(wide));
  for (const [sx, sy] of spots) {
    const box = {
      x0: x + sx - wide / 2 - GAP, x1: x + sx + wide / 2 + GAP, y0: y + sy - high / 2, y1: y + sy + high / 2,
    };
    const inside = box.x0 >= 0 && box.y0 >= 0 && box.x1 <= map.width && box.y1 <= map.data.height;
    if (inside && !boxes.some((other) => other.of !== dot.id && meet(box, other))) return { box, dx: sx, dy: sy };
  }
  return null;
}

// For a name that must be read: places above and below its dot, the nearest first.
function farther(wide) {
  const spots = [];
  for (let sy = 24; sy <= 72; sy += 6) {
    for (let sx = 0; sx <= wide / 2 + 40; sx += 8) spots.push([sx, sy], [-sx, sy], [sx, -sy], [-sx, -sy]);
  }
  return spots.sort((a, b) => Math.hypot(...a) - Math.hypot(...b));
}

// Small boxes along the arrows, so that no name is crossed out by one.
function arrowBoxes(map) {
  /** @type {{ of?: string, x0: number, x1: number, y0: number, y1: number }[]} */
  const boxes = [];
  for (const { from, to } of map.data.arrows) {
    const [a, b] = [map.to.get(from), map.to.get(to)];
    const count = Math.ceil(Math.hypot(b[0] - a[0], b[1] - a[1]) / 8);
    for (let k = 1; k < count; k++) {
      const [x, y] = [a[0] + ((b[0] - a[0]) * k) / count, a[1] + ((b[1] - a[1]) * k) / count];
      boxes.push({ x0: x - 3, x1: x + 3, y0: y - 3, y1: y + 3 });
    }
  }
  if (map.data.axes) {
    for (const text of map.layer.frame.querySelectorAll("text")) {
      const { x, y, width, height } = text.getBBox();
      boxes.push({ x0: x - 4, x1: x + width + 4, y0: y, y1: y + height });
    }
  }
  return boxes;
}

function meet(a, b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}
