// One frame filled in several orders at once, a step of each at a time. The server computes steps only when
// this asks for them, a little ahead of what is shown, so nothing runs for a visitor who has left. Steps that
// have come are shown again without asking. A click on an order shows its candidates.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element } from "../widgets/dom.js";
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
    fill(view, data);
  }
  view.data = data;
  view.slider.max = data.steps;
  show(view);
  return () => view.player.stop();
}

function build(root) {
  const view = { root, orders: [], chosen: 0, step: 0, fast: false };
  view.asker = asker(root);
  view.player = player({
    root,
    at: () => view.step,
    last: () => view.data.steps,
    go: (step) => reach(view, step),
    ms: () => STEP_MS[view.fast ? "fast" : "slow"],
    stopped: () => show(view),
  });
  const bar = add(root, "div", "player");
  bar.dataset.save = "no";
  view.play = button("turn", "Write", () => view.player.toggle());
  view.back = iconButton("small", "back", () => go(view, view.step - 1), "One step back");
  view.on = iconButton("small", "on", () => go(view, view.step + 1), "One step on");
  view.slider = scrubber("Step", (step) => go(view, step));
  view.where = element("span", "where");
  view.speed = button("small wide", "Faster", () => {
    view.fast = !view.fast;
    view.speed.textContent = view.fast ? "Slower" : "Faster";
  });
  bar.append(view.play, view.back, view.on, view.slider, view.where, view.speed);
  view.list = add(root, "div", "ways");
  return view;
}

/**
 * @param {any} view
 * @param {Data} data
 */
function fill(view, data) {
  view.orders = data.orders.map((order, number) => {
    const box = element("section", "way");
    const head = button("head", "", () => {
      view.chosen = number;
      show(view);
    });
    box.append(head);
    add(head, "b", "", order.name);
    const says = add(head, "span", "says");
    const text = add(box, "p", "text");
    const guesses = add(box, "p", "guesses");
    return { box, head, says, text, guesses };
  });
  view.list.replaceChildren(...view.orders.map((order) => order.box));
}

function show(view) {
  const { data } = view;
  const steps = Math.max(...data.orders.map((order) => order.steps.length));
  view.step = Math.min(view.step, steps);
  view.slider.value = view.step;
  view.slider.style.setProperty("--done", `${(100 * steps) / Math.max(data.steps, 1)}%`);
  view.where.textContent = `step ${view.step} of ${data.steps}`;
  view.slider.setAttribute("aria-valuetext", view.where.textContent);
  view.play.textContent = view.player.playing ? "Pause" : view.step >= data.steps ? "Write again" : view.step ? "Write on" : "Write";
  view.back.disabled = view.step === 0;
  view.on.disabled = view.step >= data.steps;
  data.orders.forEach((order, number) => drawOrder(view, order, view.orders[number], number === view.chosen));
  ask(view, steps);
}

// An order's text after the step that is shown, each word with the step in which it was drawn.
function drawOrder(view, order, parts, chosen) {
  const reached = Math.min(view.step, order.steps.length);
  const words = order.start.map((word) => ({ text: word, when: 0, tip: "" }));
  for (let i = 0; i < reached; i += 1) {
    for (const [place, word] of order.steps[i].changes) words[place] = { ...words[place], text: word };
    const place = order.steps[i].place;
    words[place] = { ...words[place], when: i + 1, tip: order.steps[i].tip };
  }
  const now = reached && view.step <= order.steps.length ? order.steps[reached - 1] : null;
  const nodes = order.frame.flatMap((part) => {
    if (part.text !== undefined) return [element("span", part.glued ? "fixed glued" : "fixed", part.text)];
    const { text, when, tip } = words[part.place];
    const joined = text.startsWith("##") && text.length > 2;
    const word = element("span", `word${joined ? " glued" : ""}${now?.place === part.place ? " now" : ""}${when ? "" : " open"}`);
    add(word, "span", "token", joined ? text.slice(2) : text);
    add(word, "sub", "", when ? String(when) : "·");
    if (tip) word.title = tip;
    return [word];
  });
  parts.text.replaceChildren(...nodes);
  layOut(parts.text, [...parts.text.querySelectorAll(".fixed, .token")]);
  parts.box.classList.toggle("chosen", chosen);
  parts.head.setAttribute("aria-pressed", chosen);
  const done = order.steps.length === order.total && view.step >= order.total;
  parts.says.textContent = done && order.total < view.data.steps ? `written in ${order.total} steps` : now ? now.says : order.says;
  parts.guesses.hidden = !chosen;
  const candidates = reached ? order.steps[reached - 1].candidates : [];
  const lead = element("span", "lead", reached ? `what it expected at step ${reached}` : "what it expects is shown here, step by step");
  parts.guesses.replaceChildren(lead, ...candidates.map((guess) => {
    const item = element("span", `guess${guess.drawn ? " drawn" : ""}`);
    add(item, "i", "").style.width = `${100 * guess.probability}%`;
    add(item, "span", "token", guess.text);
    add(item, "span", "number", guess.number);
    return item;
  }));
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
  if (step >= view.data.steps) announce(view.data.orders.map(({ name }, i) => `${name}: ${spoken(view.orders[i].text)}`).join("; "), view.root);
}

// An order's text without the numbers of the steps.
function spoken(text) {
  const parts = [...text.querySelectorAll(".fixed, .token")];
  return parts.map((part) => (part.closest(".glued") ? "" : " ") + part.textContent).join("");
}

export default connect(draw);
