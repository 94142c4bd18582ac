// Heads in order, a bar each; a tick in every bar stands at what would be had for nothing.
// Hover gives the full numbers, click picks, arrow keys walk.
import { connect } from "./connect.js";
import { html, nothing, render } from "./lit.js";
import { readAloud } from "./names.js";
import { percent } from "./numbers.js";
import { walkParts } from "./walk_with_tips.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} heading
 * @property {{ name: string, note: string, value: number, number: string, tip: string, chosen: boolean }[]} rows
 * @property {number | null} tick a value that is marked in every bar
 * @property {number} scale the value of a full bar
 * @property {boolean} signed whether bars have the colours of more and of less
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  const at = (value) => percent(Math.min(Math.abs(value) / data.scale, 1));
  const sign = (value) => (data.signed ? (value < 0 ? "less" : "more") : "");
  const tick = data.tick === null ? nothing : html`<i class="tick" style="left: ${at(data.tick)}"></i>`;
  render(html`
    <p class="heading" ?hidden=${!data.heading}>${data.heading}</p>
    <div class="rows">${data.rows.map((row, index) => html`
      <button type="button" class="row ${row.chosen ? "chosen" : ""}" aria-pressed=${row.chosen} aria-label=${said(row)}
        .tip=${row.tip} @click=${() => send("pick", index)}>
        <b class="name">${row.name}</b>
        <span class="note">${row.note}</span>
        <span class="track"><span class="bar ${sign(row.value)}" style="width: ${at(row.value)}"></span>${tick}</span>
        <span class="number">${row.number}</span>
      </button>`)}
    </div>`, root);
  walkParts(root, { axis: "down" });
}

function said({ name, note, number, tip }) {
  const told = tip.startsWith(name) ? [tip] : [name, note, number, tip];
  return readAloud(told.filter(Boolean).join(", ").replaceAll("\n", ", "));
}

export default connect(draw);
