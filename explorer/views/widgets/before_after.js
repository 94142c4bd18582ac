// One token a line: its probability before on the left, after on the right, and how much it changed.
// Bars are updated in place, so that they ease to their new length.
import { connect } from "./connect.js";
import { html, render } from "./lit.js";
import { percent } from "./numbers.js";
import { tooltip } from "./tooltip.js";
import { t } from "./translations.js";

const ARROWS = { up: "▲ ", down: "▼ " };

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} before what each side is called
 * @property {string} after
 * @property {number} scale the probability of a full bar
 * @property {{
 *   token: string, tip: string, state: string, before: number, before_text: string, after: number, after_text: string,
 *   direction: string, change: string,
 *   }[]} rows
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data) {
  root.setAttribute("role", "table");
  root.setAttribute("aria-label", data.label);
  const track = (value) => html`<span class="track"><span class="bar" style="width: ${percent(value / data.scale)}"></span></span>`;
  const number = (text) => html`<span class="number">${text}</span>`;
  render(html`
    <div class="line head" role="row">
      <span class="left" role="columnheader">${data.before}</span>
      <span class="middle" role="cell"></span>
      <span class="right" role="columnheader">${data.after}</span>
      <span class="change" role="columnheader">${t("change")}</span>
    </div>
    <div class="rows">${data.rows.map((row) => html`
      <div class="line ${row.state}" role="row" .tip=${row.tip}>
        <span class="left" role="cell">${number(row.before_text)}${track(row.before)}</span>
        <span class="middle" role="cell">${row.token}</span>
        <span class="right" role="cell">${track(row.after)}${number(row.after_text)}</span>
        <span class="change" role="cell"><span class=${row.direction}>${ARROWS[row.direction]}</span>${row.change}</span>
      </div>`)}
    </div>`, root);
  root.tip ??= tooltip(root, { of: ".rows .line" });
}

export default connect(draw);
