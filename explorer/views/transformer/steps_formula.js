import { element } from "../widgets/dom.js";

/**
 * A formula in which `_{}` stands lower and `^{}` higher.
 * @param {HTMLElement} place
 * @param {string} formula
 */
export function write(place, formula) {
  place.replaceChildren(
    ...formula.split(/([_^]\{[^}]*\})/).map((part) => {
      const tag = { _: "sub", "^": "sup" }[part[1] === "{" ? part[0] : ""];
      return tag ? element(tag, "", part.slice(2, -1)) : document.createTextNode(part);
    }),
  );
}
