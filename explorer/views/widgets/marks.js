// The marks of groups: each has a shape and a colour of its own.
import { html } from "./lit.js";

/** @typedef {{ colour: number, path: string }} Mark */

/** @param {Mark} mark */
export function inkOf({ colour }) {
  return colour < 0 ? "var(--rb-quiet)" : `var(--rb-senses-${colour})`;
}

/**
 * The entries of a legend: each name beside its mark.
 * @param {[number, string][]} legend the mark of each name
 * @param {Mark[]} marks
 */
export function drawLegend(legend, marks) {
  return legend.map(([i, name]) => html`
    <span><svg viewBox="-12 -12 24 24" aria-hidden="true"><path d=${marks[i].path} style="fill: ${inkOf(marks[i])}"></path></svg>${name}</span>`);
}
