/**
 * Red, green and blue of a colour in the page's palette.
 * @param {Element} root
 * @param {string} name such as "attention-1"
 */
export function palette(root, name) {
  const hex = getComputedStyle(root).getPropertyValue(`--rb-${name}`).trim();
  return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
}

/**
 * A colour between two others: the first at 0, the second at 1.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} part
 */
export function mixed(from, to, part) {
  return `rgb(${from.map((low, i) => Math.round(low + (to[i] - low) * part)).join(" ")})`;
}
