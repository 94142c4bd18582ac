// The dots themselves: an element each, that a keyboard can reach; where they are many, a canvas draws
// them and one element walks from dot to dot.
import { penOf } from "../widgets/canvas.js";
import { zoomOf } from "../widgets/dom.js";
import { node } from "../widgets/svg.js";
import { t } from "../widgets/translations.js";
import { colour } from "../widgets/occurrence.js";
import { keep, move } from "./sense_map_nodes.js";

const MOST_ELEMENTS = 300;

export function sized(size) {
  return size <= 12 ? 1.4 : size <= 40 ? 1 : size <= 120 ? 0.78 : size <= MOST_ELEMENTS ? 0.62 : 0.42;
}

function makeDot() {
  const element = node("g", { class: "dot" });
  element.setAttribute("role", "button");
  element.setAttribute("tabindex", -1);
  const [hit, ring] = [node("circle", { class: "hit" }), node("circle", { class: "ring" })];
  hit.setAttribute("r", 15);
  ring.setAttribute("r", 17);
  element.path = node("path", { class: "shape" });
  element.append(hit, ring, element.path);
  return element;
}

export function takeDots(map) {
  const { dots } = map.data;
  map.many = dots.length > MOST_ELEMENTS;
  keep(map.layer.dots, map.elements, map.many ? ["walker"] : dots.map((dot) => dot.id), makeDot);
  map.canvas.hidden = !map.many;
  map.sprites = map.many ? sprites(map) : null;
  if (map.many) map.walker = Math.min(map.walker ?? 0, dots.length - 1);
  map.order = null;
  shown(map).forEach(([element, i]) => dress(map, element, i));
  const all = [...map.elements.values()];
  if (!all.some((element) => element.tabIndex === 0)) all[0]?.setAttribute("tabindex", 0);
}

// Each element with the number of its dot.
export function shown(map) {
  const elements = [...map.elements.values()];
  return map.many ? [[elements[0], map.walker]] : elements.map((element, i) => [element, i]);
}

export function dress(map, element, index) {
  const dot = map.data.dots[index];
  const mark = markOf(map, dot);
  const look = [mark.path, mark.colour, dot.id === map.locked, dot.sense, dot.id, dot.fresh, map.many].join("\n");
  if (element.look === look) return;
  element.look = look;
  element.path.setAttribute("d", mark.path);
  element.style.setProperty("--own", mark.colour < 0 ? "var(--rb-ground)" : colour(mark.colour));
  element.classList.toggle("unknown", mark.colour < 0);
  element.classList.toggle("walker", map.many);
  element.classList.toggle("locked", dot.id === map.locked);
  if (dot.fresh && element.fresh !== dot.fresh) land(element);
  element.fresh = dot.fresh;
  element.setAttribute("aria-pressed", dot.id === map.locked);
  element.setAttribute("aria-label", `${dot.parts.join("")} ${dot.sense || t("no sense given")}`);
}

// A dot that has just come falls into its place.
function land(element) {
  element.classList.remove("fresh");
  element.getBoundingClientRect(); // the animation starts anew
  element.classList.add("fresh");
}

export function drawDots(map) {
  const base = sized(map.size);
  for (const [element, i] of shown(map)) {
    const near = 1 + 0.3 * map.at.depth[i];
    move(element, `translate(${map.at.x[i].toFixed(1)}px, ${map.at.y[i].toFixed(1)}px) scale(${(base * near).toFixed(3)})`);
    const far = map.axes === 3 ? Math.round(8 * (1 - map.at.depth[i])) * 3 : 0; // percent of the ground in it
    if (element.far !== far) element.style.setProperty("--far", `${(element.far = far)}%`);
  }
  if (map.many) paint(map, base);
  else if (map.axes === 3 && !map.layer.dots.contains(map.root.getRootNode().activeElement)) stack(map);
}

// The nearest dots last, so that they lie on top; while a dot has the focus, elements stay where they are.
function stack(map) {
  const order = [...map.at.depth.keys()].sort((i, j) => map.at.depth[i] - map.at.depth[j]);
  if (order.join() === map.order) return;
  map.order = order.join();
  const all = [...map.elements.values()];
  map.layer.dots.append(...order.map((i) => all[i]));
}

function paint(map, base) {
  const ratio = (window.devicePixelRatio || 1) * zoomOf(map.stage);
  const [w, h] = [Math.round(map.width * ratio), Math.round(map.height * ratio)];
  if (map.canvas.width !== w || map.canvas.height !== h) [map.canvas.width, map.canvas.height] = [w, h];
  const pen = penOf(map.canvas);
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, map.width, map.height);
  const order = [...map.at.depth.keys()];
  if (map.axes === 3) order.sort((i, j) => map.at.depth[i] - map.at.depth[j]);
  for (const i of order) {
    const side = SPRITE * base * (1 + 0.3 * map.at.depth[i]);
    pen.globalAlpha = map.axes === 3 ? 0.6 + 0.3 * map.at.depth[i] : 0.85;
    pen.drawImage(map.sprites[map.marks[i]], map.at.x[i] - side / 2, map.at.y[i] - side / 2, side, side);
  }
}

// Each mark drawn once; the dots are copies of it.
const SPRITE = 32; // px of the box around a mark at full size
function sprites(map) {
  const css = getComputedStyle(map.root);
  return map.data.marks.map(({ colour: number, path }) => {
    const image = document.createElement("canvas");
    image.width = image.height = SPRITE * 2;
    const pen = penOf(image);
    pen.setTransform(2, 0, 0, 2, SPRITE, SPRITE);
    const shape = new Path2D(path);
    const ground = css.getPropertyValue("--rb-ground").trim();
    pen.fillStyle = number < 0 ? ground : css.getPropertyValue(`--rb-senses-${number}`).trim();
    pen.strokeStyle = number < 0 ? css.getPropertyValue("--rb-unknown").trim() : ground;
    pen.lineWidth = number < 0 ? 4 : 2;
    pen.fill(shape);
    pen.stroke(shape);
    return image;
  });
}

// The dot under the pointer, or -1: the nearest, and of two at the same place the one in front.
export function hit(map, px, py) {
  const far = map.many ? 10 : 17;
  let [best, index] = [far * far, -1];
  for (let i = 0; i < map.size; i++) {
    const away = (map.at.x[i] - px) ** 2 + (map.at.y[i] - py) ** 2 - 20 * map.at.depth[i];
    if (away < best) [best, index] = [away, i];
  }
  return index;
}

// The mark of a dot; the last one is that of a dot without a group.
function markOf(map, dot) {
  return map.data.marks.at(dot.mark);
}
