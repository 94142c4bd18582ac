// A model's continuations of one beginning, a line for each step of its training; the chosen one stands in large
// letters above. Arrow keys walk through the lines.
import { choice } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { roving } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";

const TELL_MS = 250; // the address follows once the keys rest

/**
 * @typedef {object} Data
 * @property {{ tokens: string, text: string, when: string }[]} rows a line for each point of the training
 * @property {string} prompt
 * @property {string} shown what the rows belong to; another one resets the choice
 * @property {string} label
 * @property {number} point
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.point ??= choice(() => {}, TELL_MS);
  root.point.send = (point) => send("point", point);
  root.point.answer(data.point, root.data?.shown !== data.shown);
  root.data = data;
  show(root);
}

function show(root) {
  const { rows, prompt, label } = root.data;
  const point = root.point.value;
  const chosen = rows[point];
  const few = rows.length < 6; // as large as the one above, which then shows the beginning alone
  const row = ({ tokens, text }, i) => html`
    <button type="button" class="row ${i === point ? "chosen" : ""}" role="option" aria-selected=${i === point}
      tabindex=${i === point ? 0 : -1} @click=${() => choose(root, i)}>
      ${few ? html`<span class="number">${i + 1}</span>` : ""}<span class="tokens">${i ? tokens : t("{count} tokens", { count: tokens })}</span><span class="text">${text}</span>
    </button>`;
  render(html`
    <p class="reading"><span class="prompt">${prompt}</span>${few ? "" : chosen.text}</p>
    <div class="list ${rows.length > 9 ? "many" : few ? "few" : ""}" role="listbox" aria-label=${label}>${rows.map(row)}</div>
    <p class="when">${chosen.when}</p>`, root);
  const [reading, list] = root.children;
  setDirection(reading, prompt + chosen.text);
  for (const text of list.querySelectorAll(".text")) setDirection(text, text.textContent);
  if (root.built) return;
  root.built = true;
  announceChanges(reading);
  roving(list, () => [...list.children], { axis: "down", reach: (one) => choose(root, [...list.children].indexOf(one)) });
}

function choose(root, point) {
  if (point === root.point.value) return;
  root.point.choose(point);
  show(root);
}

export default connect(draw);
