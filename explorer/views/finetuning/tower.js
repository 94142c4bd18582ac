// The layers of a model, the highest on top, each with a bar: how fast it learns, or how much it counts.
// What stands still is pale.
import { connect } from "../widgets/connect.js";
import { html, render } from "../widgets/lit.js";
import { percent } from "../widgets/numbers.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, lit: boolean }[]} heads what reads the highest layer
 * @property {{ name: string, share: number, number: string, note: string, lit: boolean }[]} rows from the top
 * @property {string} foot what lies below them
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  const row = ({ name, share, number, note, lit }) => html`
    <div class="row ${lit ? "lit" : ""}" role="listitem" aria-label=${[name, number, note].filter(Boolean).join(", ")}>
      <span class="name">${name}</span>
      <span class="track"><span class="bar" style="width: ${percent(share)}"></span></span>
      <span class="number">${number}</span>
      <span class="note" ?hidden=${!note}>${note}</span>
    </div>`;
  render(html`
    <div class="heads">${data.heads.map(({ text, lit }) => html`<div class="head ${lit ? "lit" : ""}">${text}</div>`)}</div>
    <div class="rows" role="list">${data.rows.map(row)}</div>
    <div class="foot">${data.foot}</div>`, root);
}

export default connect(draw);
