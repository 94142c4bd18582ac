// Running text under a reading head: the centre word stays in the middle, its context is lit, and the
// text passes by as the model learns.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, element } from "../widgets/dom.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, lit: boolean }[]} before
 * @property {string} centre
 * @property {{ text: string, lit: boolean }[]} after
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  if (!root.parts) {
    root.setAttribute("role", "group");
    root.parts = ["before", "centre", "after"].map((name) => add(root, "div", name));
  }
  root.setAttribute("aria-label", data.label);
  setDirection(root, [...data.before, ...data.after].map(({ text }) => text));
  const word = ({ text, lit }) => element("span", lit ? "lit" : "", text);
  const [before, centre, after] = root.parts;
  before.replaceChildren(...data.before.map(word));
  centre.textContent = data.centre;
  after.replaceChildren(...data.after.map(word));
  before.scrollLeft = (root.dir === "rtl" ? -1 : 1) * before.scrollWidth;
  after.scrollLeft = 0;
}

export default connect(draw);
