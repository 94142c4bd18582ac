// Texts with the tokens that mark their parts; a head sits on the last one of each.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add } from "../widgets/dom.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, mark: boolean }[][]} rows
 * @property {string} then what is done with the ends
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.replaceChildren();
  for (const parts of data.rows) {
    const row = add(root, "div", "row");
    setDirection(row, parts.filter(({ mark }) => !mark).map(({ text }) => text));
    parts.forEach(({ text, mark }, i) => {
      const part = add(row, "div", mark ? "part mark" : "part");
      if (mark && i === parts.length - 1) add(part, "div", "head", "head");
      add(part, "div", "text", text);
    });
  }
  add(root, "div", "then", data.then);
}

export default connect(draw);
