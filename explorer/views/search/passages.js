// Passages, best first, each with its score; a click explains one. Long ones are cut after two lines, and whole on hover.
// Those below the line, if there is one, are grey.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { walkParts } from "../widgets/walk_with_tips.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ score: string, text: string }[]} rows
 * @property {{ above: number, text: string, tip: string } | null} [line] how many rows are above it, and what is said of it
 * @property {number} chosen the row that is explained; below 0, rows cannot be clicked
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, { label, rows, line = null, chosen }, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", label);
  const buttons = rows.map(({ score, text }, i) => html`
    <button type="button" class="row" data-below=${line !== null && i >= line.above} aria-pressed=${chosen < 0 ? "false" : i === chosen} .tip=${text}
      @click=${() => chosen < 0 || send("pick", i)}><b>${score}</b><span class="text">${text}</span></button>`);
  if (line) buttons.splice(line.above, 0, html`<button type="button" class="line" .tip=${line.tip}><span>${line.text}</span></button>`);
  render(buttons, root);
  root.querySelectorAll(".text").forEach((line, i) => setDirection(line, rows[i].text));
  walkParts(root, { axis: "down" });
}

export default connect(draw);
