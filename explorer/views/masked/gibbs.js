// One frame filled in several orders at once, a step of each at a time. The server computes steps only when
// this asks for them, a little ahead of what is shown, so nothing runs for a visitor who has left. Steps that
// have come are shown again without asking. A click on an order shows its candidates. On a stage the
// texts are whole as it opens.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { presents } from "../widgets/fill_window.js";
import { html, nothing, render } from "../widgets/lit.js";
import { announce } from "../widgets/live.js";
import { stepButtons, stepper } from "../widgets/player.js";
import { t } from "../widgets/translations.js";

const AHEAD = 40; // steps
const STEP_MS = { slow: 900, fast: 90 };
const ASK_AGAIN_MS = 4000;

/**
 * @typedef {object} Data
 * @property {number} run
 * @property {number} count steps so far, of all orders together
 * @property {number} steps of the longest order
 * @property {{
 *   name: string, says: string, frame: { text?: string, glued?: boolean, place?: number }[], start: string[], total: number,
 *   steps: {
 *   place: number, text: string, changes: [number, string][], says: string, tip: string,
 *   candidates: { text: string, number: string, probability: number, drawn: boolean }[],
 *   }[],
 *   }[]} orders
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const other = view.data?.run !== data.run;
  const whole = presents() && view.data?.count !== data.count;
  view.send = send;
  if (other) view.asker.stop();
  if (other || whole) view.steps.answer(stepsOf(data), () => {}, true);
  view.data = data;
  show(view);
}

const stepsOf = ({ orders }) => Math.max(...orders.map((order) => order.steps.length));

function build(root) {
  const view = { root, chosen: 0, fast: false, asker: asker(root) };
  const ms = () => STEP_MS[view.fast ? "fast" : "slow"];
  view.steps = stepper({ root, label: t("Step"), last: () => view.data.steps, ms, show: () => (show(view), tell(view)) });
  return view;
}

function show(view) {
  const { data, root, steps } = view;
  const count = stepsOf(data);
  const step = (steps.place.value = Math.min(steps.place.value, count));
  const where = t("step {step} of {steps}", { step, steps: data.steps });
  steps.mark(where);
  steps.slider.style.setProperty("--done", count / Math.max(data.steps, 1)); // what has been computed
  const hurry = () => ((view.fast = !view.fast), show(view));
  render(html`
    <div class="bar" data-save="no">
      ${stepButtons(steps, t("step"), step >= data.steps ? t("Write again") : step ? t("Write on") : t("Write"), "main")}<span class="where">${where}</span>
      <button type="button" class="control" @click=${hurry}>${view.fast ? t("Slower") : t("Faster")}</button>
    </div>
    <div class="ways">${data.orders.map((order, number) => drawOrder(view, order, number))}</div>`, root);
  for (const text of root.querySelectorAll(".text")) layOut(text, [...text.querySelectorAll(".fixed, .token")]);
  ask(view, count);
}

// An order's text after the step that is shown, each word with the step in which it was drawn.
function drawOrder(view, order, number) {
  const step = view.steps.place.value;
  const reached = Math.min(step, order.steps.length);
  const words = order.start.map((word) => ({ text: word, when: 0, tip: "" }));
  for (let i = 0; i < reached; i += 1) {
    for (const [place, word] of order.steps[i].changes) words[place] = { ...words[place], text: word };
    const place = order.steps[i].place;
    words[place] = { ...words[place], when: i + 1, tip: order.steps[i].tip };
  }
  const now = reached && step <= order.steps.length ? order.steps[reached - 1] : null;
  const drawPart = (part) => {
    if (part.text !== undefined) return html`<span class=${part.glued ? "fixed glued" : "fixed"}>${part.text}</span>`;
    const { text, when, tip } = words[part.place];
    const joined = text.startsWith("##") && text.length > 2;
    const look = `word${joined ? " glued" : ""}${now?.place === part.place ? " now" : ""}${when ? "" : " open"}`;
    return html`
      <span class=${look} title=${tip || nothing}><span class="token">${joined ? text.slice(2) : text}</span><sub>${when || "·"}</sub></span>`;
  };
  const chosen = number === view.chosen;
  const done = order.steps.length === order.total && step >= order.total;
  const says = done ? t("written in {steps} steps", { steps: order.total }) : now ? now.says : order.says;
  const candidates = reached ? order.steps[reached - 1].candidates : [];
  return html`
    <section class=${chosen ? "way chosen" : "way"}>
      <button type="button" class="head" aria-pressed=${chosen} @click=${() => ((view.chosen = number), show(view))}><b>${order.name}</b><span class="says">${says}</span></button>
      <p class="text">${order.frame.map(drawPart)}</p>
      <p class="guesses" ?hidden=${!chosen}>
        <span class="lead">${reached ? t("what it expected at step {step}", { step: reached }) : t("what it expects is shown here, step by step")}</span>
        ${candidates.map((guess) => html`
          <span class=${guess.drawn ? "guess drawn" : "guess"}><i style="width: ${100 * guess.probability}%"></i><span class="token">${guess.text}</span><span class="number">${guess.number}</span></span>`)}
      </p>
    </section>`;
}

function ask(view, count) {
  const { data } = view;
  const place = `${data.run}:${data.count}`;
  if (count >= data.steps || count >= view.steps.place.value + AHEAD) return;
  view.asker.ask(place, () => view.send("more", { run: data.run, count: data.count }), { again: ASK_AGAIN_MS });
}

function tell(view) {
  const { data, steps, root } = view;
  const texts = root.querySelectorAll(".text");
  if (steps.place.value >= data.steps) announce(data.orders.map(({ name }, i) => `${name}: ${spoken(texts[i])}`).join("; "), root);
}

// An order's text without the numbers of the steps.
function spoken(text) {
  const parts = [...text.querySelectorAll(".fixed, .token")];
  return parts.map((part) => (part.closest(".glued") ? "" : " ") + part.textContent).join("");
}

export default connect(draw);
