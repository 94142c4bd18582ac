// Words as dots on a plane: a map, the arrows of an analogy, or vectors that are just being learned.
// A dot keeps its word: with new places the dots glide there. Hover tells, click or Enter locks, Esc
// releases, arrow keys walk. Names never overlap: of a few dots each has one, if need be at the end of a line; of many,
// a dot stays alone where there is no room.

import { connect } from "./connect.js";
import { html, render, svg } from "./lit.js";
import { drawLegend, inkOf } from "./marks.js";
import { calm } from "./motion.js";
import { node } from "./svg.js";
import { listen, placeTip, tell } from "./word_map_touch.js";

// Names beside their dots. Those that matter most choose first: what is locked or lit, then in the order
// in which the dots came; a name goes where nothing else is, or nowhere.

const GAP = 3; // px between two names
const FEW = 24; // dots of which each is named

function arrange(map) {
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
    Object.assign(name, spot);
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
  const near = spots.length;
  if (dot.strong || map.data.dots.length <= FEW) spots.push(...farther(wide));
  for (const [at, [sx, sy]] of spots.entries()) {
    const box = {
      x0: x + sx - wide / 2 - GAP, x1: x + sx + wide / 2 + GAP, y0: y + sy - high / 2, y1: y + sy + high / 2,
    };
    const inside = box.x0 >= 0 && box.y0 >= 0 && box.x1 <= map.width && box.y1 <= map.data.height;
    if (inside && !boxes.some((other) => other.of !== dot.id && meet(box, other))) return { box, dx: sx, dy: sy, high, far: at >= near && apart(box, dot, x, y) };
  }
  return null;
}

// Whether a line between a dot and its name would be longer than the dot is wide.
const apart = ({ x0, x1, y0, y1 }, { size = 1 }, x, y) =>
  Math.hypot(Math.max(x0 - x, x - x1, 0), Math.max(y0 - y, y - y1, 0)) > 24 * size;

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

const GLIDE_MS = 320;
const PAD = { x: 56, y: 30 }; // px between the outermost dot and the edge

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} height
 * @property {{
 *   id: string, text: string, mark: number, tip?: string, size?: number, hollow?: boolean, strong?: boolean, fixed?: boolean,
 *   }[]} dots
 * @property {number[]} points x and y of each dot
 * @property {[number, number]} reach the outermost x and y
 * @property {boolean} stretch whether both axes fill the picture
 * @property {[string, string][]} [axes] what the ends of each axis mean
 * @property {{ colour: number, path: string }[]} marks
 * @property {[number, string][]} legend
 * @property {{ from: string, to: string, kind: string }[]} arrows
 * @property {string[]} lit
 * @property {string} locked
 * @property {string[]} near
 * @property {boolean} small
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.map ??= build(root);
  root.map.send = send;
  take(root.map, data);
}

function build(root) {
  /** @type {Record<string, any>} */
  const map = { root, at: new Map(), elements: new Map(), names: [], hovered: "", walker: "", fonts: 0 };
  render(html`
    <div class="stage">
      <svg role="group">${["frame", "links", "leaders", "arrows", "dots", "words"].map((part) => svg`<g class=${part}></g>`)}</svg>
      <div class="tip"></div>
    </div>
    <div class="legend"></div>`, root);
  for (const [name, part] of [["stage", ".stage"], ["svg", ".stage > svg"], ["tip", ".tip"], ["legend", ".legend"]]) map[name] = root.querySelector(part);
  map.layer = Object.fromEntries([...map.svg.children].map((group) => [group.getAttribute("class"), group]));
  listen(map);
  new ResizeObserver(() => {
    if (!map.data || root.clientWidth === map.width) return;
    settle(map);
  }).observe(root);
  document.fonts.addEventListener("loadingdone", () => {
    map.fonts += 1;
    if (map.data && root.isConnected) settle(map);
  });
  return map;
}

/**
 * @param {any} map
 * @param {Data} data
 */
function take(map, data) {
  const signature = JSON.stringify(data);
  if (signature === map.signature) return;
  [map.signature, map.data] = [signature, data];
  map.index = new Map(data.dots.map((dot, i) => [dot.id, i]));
  if (!map.index.has(map.hovered)) tell(map, "");
  map.stage.style.height = `${data.height}px`;
  map.svg.setAttribute("aria-label", data.label);
  map.legend.hidden = !data.legend.length;
  render(drawLegend(data.legend, data.marks), map.legend);
  dress(map);
  settle(map);
}

// One element for each dot: the known ones stay, the others come and go.
function dress(map) {
  const { dots, marks } = map.data;
  for (const [id, group] of map.elements) {
    if (map.index.has(id)) continue;
    group.remove();
    map.elements.delete(id);
    map.at.delete(id);
  }
  for (const dot of dots) {
    let group = map.elements.get(dot.id);
    if (!group) {
      group = node("g", { class: "dot" });
      group.id_ = dot.id;
      group.setAttribute("role", "button");
      group.shape = node("path", { class: "shape" });
      group.append(node("circle", { class: "ring" }), group.shape);
      group.firstChild.setAttribute("r", 15);
      map.elements.set(dot.id, group);
      map.layer.dots.append(group);
    }
    const mark = marks.at(dot.mark);
    group.shape.setAttribute("d", mark.path);
    group.shape.style.transform = `scale(${dot.size ?? 1})`;
    group.style.setProperty("--own", inkOf(mark));
    group.classList.toggle("hollow", Boolean(dot.hollow));
    group.classList.toggle("locked", dot.id === map.data.locked);
    group.classList.toggle("lit", map.data.lit.includes(dot.id));
    group.setAttribute("aria-pressed", dot.id === map.data.locked);
    group.setAttribute("aria-label", [dot.text, dot.tip].filter(Boolean).join(", "));
  }
  if (!map.index.has(map.walker)) map.walker = dots[0]?.id ?? "";
  for (const [id, group] of map.elements) group.setAttribute("tabindex", id === map.walker ? 0 : -1);
}

// Where everything is going; names are arranged for the places at the end of the way.
function settle(map) {
  const { data } = map;
  map.width = map.root.clientWidth;
  if (!map.width) return;
  const [wide, high] = [map.width / 2 - PAD.x, data.height / 2 - PAD.y];
  let scale = [wide / data.reach[0], high / data.reach[1]];
  if (!data.stretch) scale = [Math.min(...scale), Math.min(...scale)];
  const first = map.at.size === 0;
  map.from = new Map(map.at);
  map.to = new Map(data.dots.map((dot, i) => [dot.id, [
    map.width / 2 + data.points[2 * i] * scale[0],
    data.height / 2 - data.points[2 * i + 1] * scale[1],
  ]]));
  drawFrame(map, scale);
  arrange(map);
  map.began = first || calm() ? -Infinity : performance.now();
  map.frame ??= requestAnimationFrame((time) => step(map, time));
}

function step(map, time) {
  map.frame = null;
  if (!map.root.isConnected) return;
  const part = Math.min(Math.max((time - map.began) / GLIDE_MS, 0), 1);
  const eased = 1 - (1 - part) ** 2;
  for (const [id, to] of map.to) {
    const from = map.from.get(id) ?? to;
    map.at.set(id, [from[0] + (to[0] - from[0]) * eased, from[1] + (to[1] - from[1]) * eased]);
  }
  place(map);
  if (part < 1) map.frame = requestAnimationFrame((later) => step(map, later));
}

function place(map) {
  for (const [id, group] of map.elements) group.style.transform = moved(map.at.get(id));
  for (const name of map.names) name.element.style.transform = moved(map.at.get(name.id), name.dx, name.dy);
  drawLeaders(map);
  drawArrows(map);
  drawLinks(map);
  if (map.hovered) placeTip(map);
}

function moved([x, y], dx = 0, dy = 0) {
  return `translate(${(x + dx).toFixed(1)}px, ${(y + dy).toFixed(1)}px)`;
}

// What a direction of the picture means, where it means something, and where the middle is.
function drawFrame(map, scale) {
  const { axes, height, reach } = map.data;
  map.layer.frame.replaceChildren();
  if (!axes) return;
  const [x, y] = [map.width / 2, height / 2];
  map.layer.frame.append(line(0, y, map.width, y), line(x, 0, x, height));
  for (const side of [-1, 1]) {
    if (reach[0] > 1) map.layer.frame.append(line(x + side * scale[0], y - 6, x + side * scale[0], y + 6));
    if (reach[1] > 1) map.layer.frame.append(line(x - 6, y + side * scale[1], x + 6, y + side * scale[1]));
  }
  const put = (text, at, anchor) => {
    map.layer.frame.append(node("text", { class: "end", x: at[0], y: at[1], "text-anchor": anchor }, text));
  };
  put(`← ${axes[0][0]}`, [10, y - 12], "start");
  put(`${axes[0][1]} →`, [map.width - 10, y - 12], "end");
  put(`↓ ${axes[1][0]}`, [x + 10, height - 12], "start");
  put(`↑ ${axes[1][1]}`, [x + 10, 24], "start");
}

function drawArrows(map) {
  map.layer.arrows.replaceChildren(...map.data.arrows.map(({ from, to, kind }) => {
    const [a, b] = [map.at.get(from), map.at.get(to)];
    const far = Math.hypot(b[0] - a[0], b[1] - a[1]);
    const path = node("path", { class: kind });
    if (far < 24) return path;
    const [ux, uy] = [(b[0] - a[0]) / far, (b[1] - a[1]) / far];
    const [x1, y1, x2, y2] = [a[0] + ux * 10, a[1] + uy * 10, b[0] - ux * 12, b[1] - uy * 12];
    const head = kind === "near" ? "" : `M${x2 - 12 * ux - 6 * uy},${y2 - 12 * uy + 6 * ux}L${x2},${y2}L${x2 - 12 * ux + 6 * uy},${y2 - 12 * uy - 6 * ux}`;
    path.setAttribute("d", `M${x1},${y1}L${x2},${y2}${head}`);
    return path;
  }));
}

// From the locked dot to those that are nearest to it in the original space.
function drawLinks(map) {
  const from = map.at.get(map.data.locked);
  const near = from ? map.data.near.filter((id) => map.at.has(id)) : [];
  map.layer.links.replaceChildren(...near.map((id) => line(...from, ...map.at.get(id))));
}

// From a dot to its name, where that stands farther away than beside it.
function drawLeaders(map) {
  map.layer.leaders.replaceChildren(...map.names.filter(({ far }) => far).map(({ id, dx, dy, high }) => {
    const [x, y] = map.at.get(id);
    return line(x, y, x + dx, y + dy - (Math.sign(dy) * high) / 2);
  }));
}

function line(x1, y1, x2, y2) {
  const segment = node("line");
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) segment.setAttribute(name, value.toFixed(1));
  return segment;
}

export default connect(draw);
