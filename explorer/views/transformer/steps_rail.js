// The steps of the layer from top to bottom; lines beside them are the residual connections.
import { html, render, svg } from "../widgets/lit.js";

const [ROW, HEIGHT] = [30, 430]; // px from one step to the next, if all fit so
const WIDE = 22; // px that the lines take

/** @param {any} view */
export function rail(view) {
  const stops = [{ name: "whole", title: "The whole layer" }, ...view.steps];
  const row = Math.min(ROW, Math.floor(HEIGHT / stops.length));
  view.rail.style.setProperty("--row", `${row}px`);
  const line = (ends) => {
    const [y1, y2] = ends.map((at) => (at + 1.5) * row);
    return svg`
      <path d="M0 ${y1 + 4} h${WIDE - 10} q6 0 6 6 V${y2 - 10} q0 6 -6 6 H5"></path>
      <path class="tip" d="M8 ${y2 - 9} L1 ${y2 - 4} L8 ${y2 + 1}"></path>`;
  };
  // The arrow keys walk, and not the Tab key.
  render(html`
    <div class="stops">${stops.map(({ name, title }) => html`
      <button type="button" class="stop" tabindex="-1" .step=${name} @click=${() => view.go({ step: name })}><span>${title}</span></button>`)}
    </div>
    <svg class="residual" width=${WIDE} height=${row * stops.length} role="img" aria-label="Residual connections">${view.residual.map(line)}</svg>`, view.rail);
}
