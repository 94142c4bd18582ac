// Nodes of the map that are kept from one drawing to the next.
// One element per key: the known ones stay where they are, the others come and go.
import { node } from "../widgets/svg.js";

export function keep(parent, elements, keys, make) {
  const wanted = new Set(keys);
  for (const [key, element] of elements) if (!wanted.has(key)) element.remove();
  const before = new Map(elements);
  elements.clear();
  for (const key of keys) elements.set(key, before.get(key) ?? make());
  let next = null;
  for (const element of [...elements.values()].reverse()) {
    if (!element.isConnected) parent.insertBefore(element, next);
    next = element;
  }
}

// An element glides from place to place, but not to its first one.
export function move(element, to) {
  if (element.style.transform === to) return;
  element.classList.toggle("glides", element.style.transform !== "");
  element.style.transform = to;
}

// Small marks are drawn anew, but only where something about them or their dots has changed.
export function renew(map, layer, items, make) {
  const marks = items.map(make);
  const signature = marks.map((mark) => mark.outerHTML).join();
  if (map.layer[layer].drawn === signature) return;
  map.layer[layer].drawn = signature;
  map.layer[layer].replaceChildren(...marks);
}

export function join(x1, y1, x2, y2) {
  const line = node("line");
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
  return line;
}
