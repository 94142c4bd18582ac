export const SVG = "http://www.w3.org/2000/svg";

/**
 * A new SVG node.
 * @param {string} tag
 * @param {Record<string, unknown>} attributes
 * @returns {any} an SVG element of that tag
 */
export function node(tag, attributes = {}, text = "") {
  const svgNode = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) svgNode.setAttribute(name, String(value));
  if (text) svgNode.textContent = text;
  return svgNode;
}
