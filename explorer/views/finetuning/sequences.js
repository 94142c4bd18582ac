// Texts with the tokens that mark their parts; a head sits on the last one of each.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { html, nothing, render } from "../widgets/lit.js";
import { t } from "../widgets/translations.js";

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
  render(html`
    ${data.rows.map((parts) => html`
    <div class="row">${parts.map(({ text, mark }, i) => html`
      <div class=${mark ? "part mark" : "part"}>${mark && i === parts.length - 1 ? html`<div class="head">${t("head")}</div>` : nothing}<div class="text">${text}</div></div>`)}
    </div>`)}
    <div class="then">${data.then}</div>`, root);
  root.querySelectorAll(".row").forEach((row, i) => setDirection(row, data.rows[i].filter(({ mark }) => !mark).map(({ text }) => text)));
}

export default connect(draw);
