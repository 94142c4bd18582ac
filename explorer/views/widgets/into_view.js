/**
 * Scroll a box, but nothing around it, until one of its parts is in view.
 * @param {HTMLElement} box
 * @param {Element | null | undefined} part
 */
export function bringIntoView(box, part) {
  if (!part) return;
  const [inner, outer] = [part.getBoundingClientRect(), box.getBoundingClientRect()];
  const zoom = outer.height / box.offsetHeight || 1; // presenter mode enlarges the page
  if (inner.top < outer.top) box.scrollTop -= (outer.top - inner.top) / zoom + 4;
  else if (inner.bottom > outer.bottom) box.scrollTop += (inner.bottom - outer.bottom) / zoom + 4;
}

/**
 * Scroll a box sideways, but nothing around it, until one of its parts is in view.
 * @param {HTMLElement} box
 * @param {Element | null | undefined} part
 */
export function bringAcross(box, part) {
  if (!part) return;
  const [inner, outer] = [part.getBoundingClientRect(), box.getBoundingClientRect()];
  const zoom = outer.width / box.offsetWidth || 1;
  if (inner.left < outer.left) box.scrollLeft -= (outer.left - inner.left) / zoom + 8;
  else if (inner.right > outer.right) box.scrollLeft += (inner.right - outer.right) / zoom + 8;
}

/**
 * Scroll a box either way, but nothing around it, until one of its parts is in the middle.
 * @param {HTMLElement} box
 * @param {Element} part
 */
export function bringToMiddle(box, part) {
  const [inner, outer] = [part.getBoundingClientRect(), box.getBoundingClientRect()];
  const zoom = outer.height / box.offsetHeight || 1;
  box.scrollTop += (inner.top + inner.bottom - outer.top - outer.bottom) / 2 / zoom;
  box.scrollLeft += (inner.left + inner.right - outer.left - outer.right) / 2 / zoom;
}

/**
 * Whether the middle of a part can be seen in its box.
 * @param {Element} box
 * @param {Element} part
 */
export function inView(box, part) {
  const [inner, outer] = [part.getBoundingClientRect(), box.getBoundingClientRect()];
  const middle = (inner.top + inner.bottom) / 2;
  return outer.top <= middle && middle <= outer.bottom;
}
