// What made the number that was clicked: each part is a button that follows it back.
import { add, button, strong } from "../widgets/dom.js";

/** @param {any} view */
export function drawWhy(view) {
  const why = view.asked;
  view.answer.replaceChildren();
  if (!why) return;
  const head = add(view.answer, "p", "heading");
  const how = add(head, "span", "how");
  how.append(strong(`${why.title} = ${why.value}`), ` ${why.how}`);
  const parts = add(view.answer, "div", "parts");
  parts.setAttribute("role", "group");
  parts.setAttribute("aria-label", "The numbers that made it");
  for (const part of why.parts) {
    const control = button("part", part.text, () => view.send("follow", part.cell));
    if (part.times) add(control, "span", "times", ` ${part.times}`);
    parts.append(control);
  }
  if (why.rest) add(parts, "span", "rest", why.rest);
  const turns = add(head, "span", "let");
  turns.dataset.save = "no";
  if (view.trail > 1) turns.append(button("free", "Back", () => view.send("back", true)));
  turns.append(button("free", "Let go", () => view.send("free", true)));
}
