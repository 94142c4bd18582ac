// The whole layer: for each step a card with a small map of what it gives.
import { add, element } from "../widgets/dom.js";
import { paintInto } from "./steps_figure.js";
import { write } from "./steps_formula.js";

const MANY = 15; // cards that three rows have room for

/** @param {any} view */
export function whole(view) {
  view.figure.className = view.steps.length > MANY ? "figure cards many" : "figure cards";
  view.figure.replaceChildren(
    ...view.steps.map((step, at) => {
      const card = element("button", "card");
      Object.assign(card, { type: "button", step: step.name, tabIndex: -1 });
      const head = add(card, "div", "head");
      add(head, "span", "number", at + 1);
      add(head, "span", "name", step.title);
      const maps = add(card, "div", "maps");
      const outputs = step.gives.slice(step.name.endsWith("project") ? -3 : step.gives.includes("q_rot") || step.gives.includes("q_normed") ? -2 : -1);
      for (const name of outputs) paintInto(view, add(maps, "canvas", ""), name);
      const foot = add(card, "div", "foot");
      write(add(foot, "span", "symbol"), outputs.map((name) => view.arrays[name].symbol).join(", "));
      const both = outputs.some((name) => view.arrays[name].ofSource); // keys have the source's rows, queries have not
      if (!both) add(foot, "span", "shape", view.arrays[outputs[0]].shape);
      return card;
    }),
  );
}
