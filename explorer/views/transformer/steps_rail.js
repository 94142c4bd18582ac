// The steps of the layer from top to bottom; lines beside them are the residual connections.
import { add, button, element } from "../widgets/dom.js";
import { node } from "../widgets/svg.js";

const [ROW, HEIGHT] = [30, 430]; // px from one step to the next, if all fit so
const WIDE = 22; // px that the lines take

/** @param {any} view */
export function rail(view) {
  const steps = JSON.stringify([view.steps.map((step) => step.title), view.where, view.residual]);
  if (view.rail.steps === steps) return;
  view.rail.steps = steps;
  const list = element("div", "stops");
  list.append(stop(view, "whole", "The whole layer"));
  for (const step of view.steps) list.append(stop(view, step.name, step.title));
  const row = Math.min(ROW, Math.floor(HEIGHT / (view.steps.length + 1)));
  view.rail.style.setProperty("--row", `${row}px`);
  const height = row * (view.steps.length + 1);
  const lines = node("svg", { class: "residual", width: WIDE, height, role: "img", "aria-label": "Residual connections" });
  for (const [from, to] of view.residual) {
    const [y1, y2] = [from, to].map((at) => (at + 1.5) * row);
    lines.append(node("path", { d: `M0 ${y1 + 4} h${WIDE - 10} q6 0 6 6 V${y2 - 10} q0 6 -6 6 H5` }));
    lines.append(node("path", { class: "tip", d: `M8 ${y2 - 9} L1 ${y2 - 4} L8 ${y2 + 1}` }));
  }
  view.rail.replaceChildren(list, lines);
}

function stop(view, name, title) {
  const control = button("stop", "", () => view.go({ step: name }));
  control.step = name;
  control.tabIndex = -1; // the arrow keys walk
  add(control, "span", "", title);
  return control;
}
