// Nodes of the map that are kept from one drawing to the next.
// One element per key: the known ones stay where they are, the others come and go.
import { node } from "../widgets/svg.js";

export function keep(parent, known, keys, make) {
  const wanted = new Set(keys);
  for (const [key, element] of known) if (!wanted.has(key)) element.remove();
  const kept = new Map(known);
  known.clear();
  for (const key of keys) known.set(key, kept.get(key) ?? make());
  let next = null;
  for (const element of [...known.values()].reverse()) {
    if (!element.isConnected) parent.insertBefore(element, next);
    next = element;
  }
}

// Small marks are drawn anew, but only where something about them or their dots has changed.
export function renew(map, layer, items, make) {
  const marks = items.map(make);
  const drawn = marks.map((mark) => mark.outerHTML).join();
  if (map.layer[layer].drawn === drawn) return;
  map.layer[layer].drawn = drawn;
  map.layer[layer].replaceChildren(...marks);
}

export function join(x1, y1, x2, y2) {
  const line = node("line");
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
  return line;
}
