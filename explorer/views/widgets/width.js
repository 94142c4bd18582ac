// How wide a component is: it may be drawn another way on a phone, and a phone may be turned.

const NARROW = 600; // px

/** @param {HTMLElement} root */
export const isNarrow = (root) => root.clientWidth < NARROW;

/**
 * Let the Tab key reach a frame that scrolls sideways, so that arrow keys can scroll it.
 * @param {Element} frame
 */
export function reachByKeys(frame) {
  if (frame.scrollWidth > frame.clientWidth) frame.setAttribute("tabindex", "0");
  else frame.removeAttribute("tabindex");
}

/**
 * Call `draw` again whenever the width of a component has changed.
 * @param {HTMLElement} root
 * @param {() => void} draw
 */
export function onWidth(root, draw) {
  let before = root.clientWidth;
  new ResizeObserver(() => {
    if (root.clientWidth === before || !root.clientWidth) return;
    before = root.clientWidth;
    draw();
  }).observe(root);
}
