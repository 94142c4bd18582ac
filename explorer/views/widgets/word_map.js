// Words as dots on a plane: a map, the arrows of an analogy, or vectors that are just being learned.
// A dot keeps its word: with new places the dots glide there. Hover tells, click or Enter locks, Esc
// releases, arrow keys walk. Names never overlap; where there is no room for one, the dot stays alone.
import { connect } from "./connect.js";
import { html, render, svg } from "./lit.js";
import { drawLegend, inkOf } from "./marks.js";
import { calm } from "./motion.js";
import { node } from "./svg.js";
import { arrange } from "./word_map_names.js";
import { listen, placeTip, tell } from "./word_map_touch.js";

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
      <svg role="group">${["frame", "links", "arrows", "dots", "words"].map((part) => svg`<g class=${part}></g>`)}</svg>
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

function line(x1, y1, x2, y2) {
  const segment = node("line");
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) segment.setAttribute(name, value.toFixed(1));
  return segment;
}

export default connect(draw);
