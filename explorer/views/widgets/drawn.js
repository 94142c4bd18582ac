import { element } from "./dom.js";
import { node } from "./svg.js";

const DRAWN = ["svg", "g", "path", "rect", "circle"];

/**
 * A new element or SVG node, by its tag, at the end of another.
 * @param {any} parent
 * @param {string} tag
 * @returns {any}
 */
export function make(parent, tag, name = "", text = "") {
  return parent.appendChild(DRAWN.includes(tag) ? node(tag, { class: name }, text) : element(tag, name, text));
}
