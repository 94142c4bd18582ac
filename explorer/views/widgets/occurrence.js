// How an occurrence of a word is shown: a mark of its sense, and its sentence with the word in bold. A sentence
// without such a word has empty parts.
import { setDirection } from "./direction.js";
import { element, strong } from "./dom.js";
import { node } from "./svg.js";

/**
 * @param {number} index of a sense's colour; below 0, of a word without a sense
 */
export function colour(index) {
  return index < 0 ? "var(--rb-unknown)" : `var(--rb-senses-${index})`;
}

/**
 * @param {{ colour: number, path: string }} mark
 */
export function icon({ colour: index, path }) {
  const svg = node("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" });
  const shape = node("path", { d: path });
  shape.style.cssText = index < 0 ? `fill: none; stroke: ${colour(index)}; stroke-width: 4` : `fill: ${colour(index)}`;
  svg.append(shape);
  return svg;
}

/**
 * @param {[string, string, string]} parts before the word, the word, and after it
 */
export function sentence([before, word, after]) {
  const line = element("span", "sentence");
  line.append(before, strong(word), after);
  setDirection(line, before + word + after);
  return line;
}
