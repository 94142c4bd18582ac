export const SVG = "http://www.w3.org/2000/svg";

/**
 * A new node of an SVG picture.
 * @param {string} tag
 * @param {Record<string, unknown>} attributes
 * @returns {any} an SVG element of that tag
 */
export function node(tag, attributes = {}, text = "") {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text) made.textContent = text;
  return made;
}
