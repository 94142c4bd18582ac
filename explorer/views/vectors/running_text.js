// Running text under a reading head: the centre word stays in the middle, its context is lit, and the
// text passes by as the model learns.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, element } from "../widgets/dom.js";
import { onWidth } from "../widgets/width.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, lit: boolean }[]} before
 * @property {string} centre
 * @property {{ text: string, lit: boolean }[]} after
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  if (!root.parts) {
    root.setAttribute("role", "group");
    root.parts = ["before", "centre", "after"].map((name) => add(root, "div", name));
    onWidth(root, () => fit(root));
  }
  root.setAttribute("aria-label", data.label);
  setDirection(root, [...data.before, ...data.after].map(({ text }) => text));
  const word = ({ text, lit }) => element("span", lit ? "lit" : "", text);
  const [before, centre, after] = root.parts;
  before.replaceChildren(...data.before.map(word));
  centre.textContent = data.centre;
  after.replaceChildren(...data.after.map(word));
  fit(root);
}

// A word that the line has room for only in part is not shown.
function fit(root) {
  for (const part of [root.parts[0], root.parts[2]]) {
    const room = part.getBoundingClientRect();
    for (const word of part.children) {
      const { left, right } = word.getBoundingClientRect();
      word.style.visibility = left < room.left - 1 || right > room.right + 1 ? "hidden" : "";
    }
  }
}

export default connect(draw);
