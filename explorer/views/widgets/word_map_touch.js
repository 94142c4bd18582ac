// What a hand does on the map: pointing at a dot, locking it, walking from dot to dot by keyboard.
import { element, partOf, strong, zoomOf } from "./dom.js";
import { pointing } from "./pointing.js";
import { arrow, stopAt } from "./roving.js";
import { placeAbove } from "./tooltip.js";

const REACH_PX = 18;

export function listen(map) {
  const { svg } = map;
  pointing(svg, (event) => tell(map, hit(map, event)), () => tell(map, ""));
  svg.addEventListener("click", (event) => {
    const closest = hit(map, event);
    if (closest || map.data.locked) lock(map, closest);
  });
  svg.addEventListener("focusin", (event) => {
    const circle = partOf(event, ".dot");
    if (circle?.matches(":focus-visible")) tell(map, circle.id_);
  });
  svg.addEventListener("focusout", () => tell(map, ""));
  svg.addEventListener("keydown", (event) => {
    const id = partOf(event, ".dot")?.id_;
    const [right, down] = arrow(event) ?? [0, 0];
    if (event.key === "Escape" && map.data.locked) lock(map, "");
    else if (id !== undefined && (event.key === "Enter" || event.key === " ")) lock(map, id);
    else if (id !== undefined && right + down) walk(map, id, right + down);
    else return;
    event.preventDefault();
  });
}

// A second click on the locked dot, and a click beside all dots, release it.
function lock(map, id) {
  const { dots, locked } = map.data;
  const dot = dots[map.index.get(id)];
  if (dot?.fixed) return;
  map.send("lock", id === locked ? "" : id);
}

function walk(map, id, by) {
  const { dots } = map.data;
  map.walker = dots[(map.index.get(id) + by + dots.length) % dots.length].id;
  stopAt(map.elements.values(), map.elements.get(map.walker));
  map.elements.get(map.walker).focus({ preventScroll: true });
  tell(map, map.walker);
}

// The nearest dot within reach of the pointer.
function hit(map, event) {
  const box = map.svg.getBoundingClientRect();
  const zoom = zoomOf(map.stage);
  const [px, py] = [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
  let [best, closest] = [REACH_PX ** 2, ""];
  for (const [id, [x, y]] of map.at) {
    const away = (x - px) ** 2 + (y - py) ** 2;
    if (away < best) [best, closest] = [away, id];
  }
  return closest;
}

export function tell(map, id) {
  if (id === map.hovered) return;
  map.hovered = id;
  map.stage.classList.toggle("over", Boolean(id));
  map.tip.classList.toggle("on", Boolean(id));
  for (const [other, circle] of map.elements) circle.classList.toggle("hovered", other === id);
  if (!id) return;
  const dot = map.data.dots[map.index.get(id)];
  map.tip.replaceChildren(strong(dot.text), ...(dot.tip ?? "").split("\n").map((line) => element("span", "", line)));
  placeTip(map);
}

export function placeTip(map) {
  const [x, y] = map.at.get(map.hovered);
  placeAbove(map.tip, x, y, map.width, 16);
}
