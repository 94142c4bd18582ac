// Parts that tell something, to a pointer and to the keyboard alike: a tooltip at each, and arrow keys that walk.
import { roving, rovingGrid } from "./roving.js";
import { tooltip } from "./tooltip.js";

/**
 * To be called whenever the parts have been drawn.
 * @param {any} root
 * @param {Parameters<typeof roving>[2]} keys
 * @param {Parameters<typeof tooltip>[1]} tip
 */
export function walkParts(root, keys, tip = {}) {
  const of = tip.of ?? "button";
  if (!root.tip) {
    root.tip = tooltip(root, { of, ...tip });
    roving(root, () => [...root.querySelectorAll(of)], keys);
  }
  root.tip.refresh();
}

/**
 * The same for a `.grid` of `.cell`s.
 * @param {any} root
 * @param {number} across cells in a row
 */
export function walkCells(root, across) {
  const grid = root.querySelector(".grid");
  root.across = across;
  if (!root.tip) {
    root.tip = tooltip(root, { of: ".cell", on: grid, align: "middle", gap: 6 });
    rovingGrid(grid, () => [...grid.querySelectorAll(".cell")], () => root.across);
  }
  root.tip.refresh();
}
