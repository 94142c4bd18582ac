// One frame filled in several orders at once, a step of each at a time. The server computes steps only when
// this asks for them, a little ahead of what is shown, so nothing runs for a visitor who has left. Steps that
// have come are shown again without asking. A click on an order shows its candidates.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { html, nothing, render } from "../widgets/lit.js";
import { announce } from "../widgets/live.js";
import { iconButton, player, scrubber } from "../widgets/player.js";

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
  view.send = send;
  if (view.run !== data.run) {
    view.player.stop();
    view.asker.stop();
    Object.assign(view, { run: data.run, step: Math.max(...data.orders.map((order) => order.steps.length)) });
  }
  view.data = data;
  view.slider.max = data.steps;
  show(view);
  return () => view.player.stop();
}

function build(root) {
  const view = { root, chosen: 0, step: 0, fast: false };
  view.asker = asker(root);
  view.player = player({
    root,
    at: () => view.step,
    last: () => view.data.steps,
    go: (step) => reach(view, step),
    ms: () => STEP_MS[view.fast ? "fast" : "slow"],
    stopped: () => show(view),
  });
  view.back = iconButton("small", "back", () => go(view, view.step - 1), "One step back");
  view.on = iconButton("small", "on", () => go(view, view.step + 1), "One step on");
  view.slider = scrubber("Step", (step) => go(view, step));
  return view;
}

function show(view) {
  const { data, root } = view;
  const steps = Math.max(...data.orders.map((order) => order.steps.length));
  view.step = Math.min(view.step, steps);
  const where = `step ${view.step} of ${data.steps}`;
  view.slider.value = view.step;
  view.slider.style.setProperty("--done", `${(100 * steps) / Math.max(data.steps, 1)}%`);
  view.slider.setAttribute("aria-valuetext", where);
  view.back.disabled = view.step === 0;
  view.on.disabled = view.step >= data.steps;
  const turn = view.player.playing ? "Pause" : view.step >= data.steps ? "Write again" : view.step ? "Write on" : "Write";
  const hurry = () => ((view.fast = !view.fast), show(view));
  render(html`
    <div class="player" data-save="no">
      <button type="button" class="turn" @click=${() => view.player.toggle()}>${turn}</button>
      ${view.back}${view.on}${view.slider}<span class="where">${where}</span>
      <button type="button" class="small wide" @click=${hurry}>${view.fast ? "Slower" : "Faster"}</button>
    </div>
    <div class="ways">${data.orders.map((order, number) => drawOrder(view, order, number))}</div>`, root);
  for (const text of root.querySelectorAll(".text")) layOut(text, [...text.querySelectorAll(".fixed, .token")]);
  ask(view, steps);
}

// An order's text after the step that is shown, each word with the step in which it was drawn.
function drawOrder(view, order, number) {
  const reached = Math.min(view.step, order.steps.length);
  const words = order.start.map((word) => ({ text: word, when: 0, tip: "" }));
  for (let i = 0; i < reached; i += 1) {
    for (const [place, word] of order.steps[i].changes) words[place] = { ...words[place], text: word };
    const place = order.steps[i].place;
    words[place] = { ...words[place], when: i + 1, tip: order.steps[i].tip };
  }
  const now = reached && view.step <= order.steps.length ? order.steps[reached - 1] : null;
  const drawPart = (part) => {
    if (part.text !== undefined) return html`<span class=${part.glued ? "fixed glued" : "fixed"}>${part.text}</span>`;
    const { text, when, tip } = words[part.place];
    const joined = text.startsWith("##") && text.length > 2;
    const look = `word${joined ? " glued" : ""}${now?.place === part.place ? " now" : ""}${when ? "" : " open"}`;
    return html`
      <span class=${look} title=${tip || nothing}><span class="token">${joined ? text.slice(2) : text}</span><sub>${when || "·"}</sub></span>`;
  };
  const chosen = number === view.chosen;
  const done = order.steps.length === order.total && view.step >= order.total;
  const says = done && order.total < view.data.steps ? `written in ${order.total} steps` : now ? now.says : order.says;
  const candidates = reached ? order.steps[reached - 1].candidates : [];
  return html`
    <section class=${chosen ? "way chosen" : "way"}>
      <button type="button" class="head" aria-pressed=${chosen} @click=${() => ((view.chosen = number), show(view))}><b>${order.name}</b><span class="says">${says}</span></button>
      <p class="text">${order.frame.map(drawPart)}</p>
      <p class="guesses" ?hidden=${!chosen}>
        <span class="lead">${reached ? `what it expected at step ${reached}` : "what it expects is shown here, step by step"}</span>
        ${candidates.map((guess) => html`
          <span class=${guess.drawn ? "guess drawn" : "guess"}><i style="width: ${100 * guess.probability}%"></i><span class="token">${guess.text}</span><span class="number">${guess.number}</span></span>`)}
      </p>
    </section>`;
}

function ask(view, steps) {
  const { data } = view;
  const place = `${data.run}:${data.count}`;
  if (steps >= data.steps || steps >= view.step + AHEAD) return;
  view.asker.ask(place, () => view.send("more", { run: data.run, count: data.count }), { again: ASK_AGAIN_MS });
}

function go(view, step) {
  view.player.stop();
  reach(view, Math.min(Math.max(step, 0), view.data.steps));
}

function reach(view, step) {
  view.step = step;
  show(view);
  const texts = view.root.querySelectorAll(".text");
  if (step >= view.data.steps) announce(view.data.orders.map(({ name }, i) => `${name}: ${spoken(texts[i])}`).join("; "), view.root);
}

// An order's text without the numbers of the steps.
function spoken(text) {
  const parts = [...text.querySelectorAll(".fixed, .token")];
  return parts.map((part) => (part.closest(".glued") ? "" : " ") + part.textContent).join("");
}

export default connect(draw);
