import { fromTheRight } from "./direction.js";

const ARROWS = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };

/**
 * Where an arrow key points, [right, down]; null for any other key.
 * @param {KeyboardEvent} event
 * @returns {[number, number] | null}
 */
export function arrow(event) {
  return ARROWS[event.key] ?? null;
}

/**
 * Where an arrow key points among parts in the order of a text, [on, down]: in a text from right to left, the left
 * arrow goes on.
 * @param {KeyboardEvent} event
 * @returns {[number, number] | null}
 */
export function along(event) {
  const to = arrow(event);
  const turned = to && event.target instanceof Element && fromTheRight(event.target.parentElement ?? event.target);
  return turned ? [-to[0], to[1]] : to;
}

/**
 * Make the Tab key stop at one of many parts.
 * @param {Iterable<any>} parts
 * @param {any} stop
 */
export function stopAt(parts, stop) {
  for (const part of parts) part.tabIndex = part === stop ? 0 : -1;
}

/**
 * The keyboard comes back to the part that it left, and stays on it while the parts are drawn anew. Until it has been at
 * one, the Tab key stops at the first, unless the parts say otherwise.
 * @param {any} root
 * @param {() => any[]} parts
 * @param {boolean} stops whether the Tab key stops at that part
 */
export function remember(root, parts, stops) {
  let [at, count, inside] = [-1, 0, false];
  root.addEventListener("focusin", ({ target }) => {
    const all = parts();
    if (!all.includes(target)) return;
    [at, count, inside] = [all.indexOf(target), all.length, true];
    if (stops) stopAt(all, target);
  });
  root.addEventListener("focusout", ({ target, relatedTarget }) => {
    queueMicrotask(() => (inside &&= !target.isConnected || root.contains(relatedTarget))); // it may have been removed
  });
  const restore = () => {
    const all = parts();
    if (stops && all.length && all.filter((part) => part.tabIndex === 0).length !== 1) stopAt(all, all[0]);
    if (at < 0 || (!inside && all.length !== count)) return; // others than those that were left
    const part = all[Math.min(at, all.length - 1)];
    if (stops && part && part.tabIndex !== 0) stopAt(all, part);
    const held = root.getRootNode().activeElement; // null in a component, the body on a page without one
    if (inside && part && (held ?? document.body) === document.body) part.focus({ preventScroll: true });
  };
  queueMicrotask(restore); // once the parts have been drawn
  new MutationObserver(restore).observe(root, { childList: true, subtree: true, attributeFilter: ["tabindex"] });
}

/**
 * Arrow keys walk from part to part, Home and End go to the first and the last.
 * @param {any} root where to listen
 * @param {() => any[]} parts in their order
 * @param {object} options
 * @param {"across" | "down" | "both"} [options.axis] which arrow keys walk
 * @param {boolean} [options.wrap] whether the last leads to the first
 * @param {boolean} [options.stops] whether the Tab key stops only at the part that was last walked to
 * @param {boolean} [options.scroll] whether the page scrolls to the part
 * @param {(part: any) => void} [options.reach] called with the part that has been walked to
 */
export function roving(root, parts, { axis = "both", wrap = false, stops = true, scroll = true, reach = () => {} } = {}) {
  remember(root, parts, stops);
  root.addEventListener("keydown", (event) => {
    const all = parts();
    const [at, last] = [all.indexOf(event.target), all.length - 1];
    const [on, down] = along(event) ?? [0, 0];
    const by = { across: on, down, both: on + down }[axis];
    const to = { Home: 0, End: last }[event.key] ?? (by ? at + by : undefined);
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    event.stopPropagation(); // the page around has arrow keys of its own
    const next = all[wrap ? (to + all.length) % all.length : Math.min(Math.max(to, 0), last)];
    next.focus({ preventScroll: !scroll });
    reach(next);
  });
}

/**
 * Arrow keys walk in a grid, whose cells are listed row by row; they stop at its edges.
 * @param {any} root where to listen
 * @param {() => any[]} cells row by row
 * @param {() => number} across cells in a row
 */
export function rovingGrid(root, cells, across) {
  remember(root, cells, true);
  root.addEventListener("keydown", (event) => {
    const [all, move] = [cells(), along(event)];
    const at = all.indexOf(event.target);
    if (at < 0 || !move) return;
    event.preventDefault();
    event.stopPropagation();
    const column = (at % across()) + move[0];
    const next = all[at + move[0] + move[1] * across()];
    if (!next || column < 0 || column >= across()) return;
    next.focus({ preventScroll: true });
  });
}
