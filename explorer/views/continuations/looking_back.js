// A continuation, step by step: the token being chosen is framed, and the darker an earlier token, the more
// of the model's attention was on it. Later tokens keep their place but are hidden, so that a class can
// guess first.
import { choice } from "../widgets/answers.js";
import { palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { add, partOf, strong } from "../widgets/dom.js";
import { takeFreeKeys } from "../widgets/free_keys.js";
import { bringIntoView } from "../widgets/into_view.js";
import { html, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { player, scrubber } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { along } from "../widgets/roving.js";

const PLAY_MS = 900;
const SEND_MS = 400; // Python gets the step once it has not changed for this long
const LISTED = 5;

/**
 * @typedef {object} Data
 * @property {string} run identifies the continuation: another one starts again
 * @property {{ text: string, name: string }[]} tokens those of the prompt, then the generated ones
 * @property {number} prompt the number of tokens of the prompt
 * @property {number} steps the number of generated tokens
 * @property {number} step
 * @property {number[][]} rows for each step the attention on each token before it, in ten thousandths
 * @property {{ text: string, probability: number, taken: boolean }[][]} candidates
 * @property {boolean} first whether the first token counts
 * @property {string} who whose attention it is
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  const fresh = view.run !== data.run;
  if (fresh) view.player.stop();
  view.data = data;
  view.step.send = (step) => send("step", step);
  view.step.answer(Math.min(data.step, data.steps - 1), fresh);
  view.run = data.run;
  view.turn = (on) => send("first", on);
  drawChips(view);
  show(view);
}

function build(root) {
  const view = { root, step: choice(() => {}, SEND_MS) };
  view.player = player({
    root,
    at: () => view.step.value,
    last: () => view.data.steps - 1,
    go: (step) => reach(view, step),
    ms: () => PLAY_MS,
    stopped: () => reach(view, view.step.value),
  });
  view.slider = scrubber("Which new token", (number) => go(view, number - 1));
  view.slider.min = 1;
  render(html`
    <p class="line"><span class="says"></span></p>
    <div class="text" role="group" aria-label="The text; a written token shows what its choice looked at"></div>
    <div class="bar" data-save="no">
      <button type="button" class="turn" aria-label="The token before" @click=${() => go(view, view.step.value - 1)}>‹</button>
      <button type="button" class="turn play" @click=${() => view.player.toggle()}>Play</button>
      <button type="button" class="turn" aria-label="The next token" @click=${() => go(view, view.step.value + 1)}>›</button>
      ${view.slider}<span class="count"></span>
      <label class="first" title="Heads rest on the first token of a text. Without it the others are rescaled to sum to 1."><input
        type="checkbox" @change=${() => view.turn(view.first.checked)} />first token counts</label>
    </div>
    <div class="tables"><div class="attention-table"></div><div class="candidates"></div></div>`, root);
  const [says, text, play, count, first, attention, candidates] = [
    ".says", ".text", ".play", ".count", ".first input", ".attention-table", ".candidates",
  ].map((part) => root.querySelector(part));
  Object.assign(view, { says, text, play, count, first, attention, candidates });
  announceChanges(says);
  view.text.addEventListener("click", (event) => {
    const index = partOf(event, "[data-index]")?.dataset.index;
    if (index === undefined || Number(index) < view.data.prompt) return;
    go(view, Number(index) - view.data.prompt);
  });
  view.text.addEventListener("keydown", (event) => {
    const [by] = along(event) ?? [0];
    if (!by) return;
    go(view, view.step.value + by);
    view.text.querySelector(".now")?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  takeFreeKeys(root, (by) => go(view, view.step.value + by));
  const point = (event) => {
    const index = partOf(event, "[data-index]")?.dataset.index;
    view.pointed = index === undefined ? undefined : Number(index);
    say(view);
  };
  pointing(view.text, point, () => ((view.pointed = undefined), say(view)), "pointerover");
  return view;
}

function go(view, step) {
  view.player.stop();
  const to = Math.min(Math.max(step, 0), view.data.steps - 1);
  if (to !== view.step.value) reach(view, to);
}

function reach(view, step) {
  view.step.rest = view.player.playing ? 2 * PLAY_MS : SEND_MS; // while playing, Python gets only the last step
  view.step.choose(step);
  show(view);
}

function drawChips(view) {
  const { tokens, prompt, steps } = view.data;
  const signature = JSON.stringify(tokens);
  view.slider.max = steps;
  view.first.checked = view.data.first;
  if (view.signature === signature) return;
  view.signature = signature;
  view.text.replaceChildren();
  setDirection(view.text, [...tokens.map(({ text }) => text), view.data.run]); // tokens may be bytes
  view.chips = tokens.map(({ text }, index) => {
    const [, space, word] = text.match(/^( *)([^]*)$/);
    view.text.append(word ? space : "");
    const chip = add(view.text, "span", index < prompt ? "chip prompt" : "chip generated");
    chip.textContent = (word || space).replaceAll("\n", "↵");
    chip.dataset.index = index;
    if (index >= prompt) chip.setAttribute("role", "button");
    view.text.append("\n".repeat(text.split("\n").length - 1));
    return chip;
  });
}

function show(view) {
  const { rows, prompt, steps } = view.data;
  const step = view.step.value;
  const row = rows[step];
  const most = Math.max(...row, 1);
  const now = prompt + step;
  const hue = palette(view.root, "attention-1");
  view.chips.forEach((chip, index) => {
    const part = index < now ? row[index] / most : 0;
    chip.style.background = part ? `rgb(${hue.join(" ")} / ${part.toFixed(3)})` : "";
    chip.classList.toggle("strong", part > 0.52);
    chip.classList.toggle("now", index === now);
    chip.classList.toggle("asks", index === now - 1);
    chip.classList.toggle("ahead", index > now);
    chip.tabIndex = index === now ? 0 : -1;
    if (index >= prompt) chip.setAttribute("aria-label", index > now ? "still to come" : `token ${index - prompt + 1}, ${view.data.tokens[index].text}`);
  });
  bringIntoView(view.text, view.chips[now]);
  view.play.textContent = view.player.playing ? "Pause" : "Play";
  view.play.setAttribute("aria-label", view.play.textContent);
  view.slider.value = step + 1;
  view.slider.setAttribute("aria-valuetext", `token ${step + 1} of ${steps}`);
  view.count.textContent = `new token ${step + 1} of ${steps}`;
  const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, LISTED).filter((i) => row[i] > 0);
  const entries = order.map((i) => ({ text: name(view, i), part: row[i] / 10000, full: most / 10000 }));
  table(view.attention, `looked at by ${view.data.who}`, "attention", entries);
  const { candidates } = view.data;
  const full = 1; // as in all views
  table(view.candidates, `what could come next; a full bar is ${full}`, "probability", candidates[step].map((c) => ({ text: c.text, part: c.probability, full, taken: c.taken })));
  say(view);
}

function say(view) {
  const { rows, prompt } = view.data;
  const now = prompt + view.step.value;
  const row = rows[view.step.value];
  const at = view.pointed;
  if (at !== undefined && at < now) view.says.replaceChildren(strong(name(view, at)), ` got ${(row[at] / 10000).toFixed(4)} of the attention when `, strong(name(view, now)), " was chosen");
  else if (!row.some((part) => part > 0)) view.says.replaceChildren("Choosing ", strong(name(view, now)), ": nothing but the first token was looked at");
  else view.says.replaceChildren("Choosing ", strong(name(view, now)), ": the model is at ", strong(name(view, now - 1)), ` and looks back at ${now} token${now > 1 ? "s" : ""}`);
}

const name = (view, index) => view.data.tokens[index].name;

function table(home, heading, kind, entries) {
  render(html`
    <p class="heading">${heading}</p>
    ${entries.map(({ text, part, full, taken }) => html`
    <p class=${taken ? `entry ${kind} taken` : `entry ${kind}`}>
      <span class="token">${text}</span><i class="track"><i class="fill" style="width: ${(100 * part) / full}%"></i></i>
      <span class="number">${part.toFixed(3)}</span><span class="mark">${taken ? "taken" : ""}</span>
    </p>`)}`, home);
}

export default connect(draw);
