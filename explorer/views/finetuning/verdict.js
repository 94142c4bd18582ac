// What a head predicts for a text: a bar for each class, with the class's own mark, as on the map beside it.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { percent } from "../widgets/numbers.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {boolean} large
 * @property {{ text: string, rows: { name: string, mark: { colour: number, path: string }, share: number, number: string, first: boolean }[] }[]} texts
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("several", data.texts.length > 1 && !data.large);
  root.classList.toggle("large", data.large);
  const row = ({ name, mark, share, number, first }) => html`
    <div class="row ${first ? "first" : ""}" role="listitem" aria-label="${name}: ${number}">
      <svg viewBox="-14 -14 28 28" aria-hidden="true"><path d=${mark.path} style="fill: var(--rb-senses-${mark.colour})" /></svg>
      <span class="name">${name}</span>
      <span class="track"><span class="bar" style="width: ${percent(share)}"></span></span>
      <span class="number">${number}</span>
    </div>`;
  render(data.texts.map(({ text, rows }) => html`
    <div class="group">
      <div class="text" ?hidden=${!text}>${text}</div>
      <div class="rows" role="list">${rows.map(row)}</div>
    </div>`), root);
  for (const text of root.querySelectorAll(".text")) setDirection(text, text.textContent);
}

export default connect(draw);
