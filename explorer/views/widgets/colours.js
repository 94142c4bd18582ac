/**
 * The red, green and blue of #rrggbb.
 * @param {string} hex
 */
export function channels(hex) {
  return [1, 3, 5].map((at) => parseInt(hex.trim().slice(at, at + 2), 16));
}

/**
 * A colour of the page's palette, by its name there.
 * @param {Element} root
 * @param {string} name such as "attention-1"
 */
export function palette(root, name) {
  return channels(getComputedStyle(root).getPropertyValue(`--rb-${name}`));
}

/**
 * From one colour, at 0, to another, at 1.
 * @param {number[]} from
 * @param {number[]} to
 * @param {number} part
 */
export function mixed(from, to, part) {
  return `rgb(${from.map((low, i) => Math.round(low + (to[i] - low) * part)).join(" ")})`;
}
