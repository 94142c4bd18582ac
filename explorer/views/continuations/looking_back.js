// A continuation, step by step: the token being chosen is framed, and the darker an earlier token, the more
// of the model's attention was on it. Later tokens keep their place but are hidden, so that a class can
// guess first.
import { palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { takeFreeKeys } from "../widgets/free_keys.js";
import { bringIntoView } from "../widgets/into_view.js";
import { html, nothing, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { perCent } from "../widgets/numbers.js";
import { stepButtons, stepper } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { along } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";

const PLAY_MS = 900;
const LISTED = 5;
const LEAST = 50; // of ten thousand: less is 0%

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
  const view = (root.view ??= build(root));
  view.steps.answer(Math.min(data.step, data.steps - 1), (step) => send("step", step), view.data?.run !== data.run);
  view.data = data;
  view.turn = (on) => send("first", on);
  show(view);
  view.says ??= listen(view);
}

function build(root) {
  const view = { root };
  view.steps = stepper({ root, label: t("Which new token"), last: () => view.data.steps - 1, ms: () => PLAY_MS, show: () => show(view) });
  return view;
}

function listen(view) {
  const { root, steps } = view;
  const [says, text] = [".says", ".text"].map((part) => root.querySelector(part));
  announceChanges(says);
  const by = (step) => steps.go(steps.place.value + step);
  text.addEventListener("keydown", (event) => {
    const [step] = along(event) ?? [0];
    if (!step) return;
    by(step);
    text.querySelector(".now")?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  takeFreeKeys(root, by);
  const point = (index) => {
    view.pointed = index;
    show(view);
  };
  pointing(text, (event) => point(partOf(event, ".chip")?.index), () => point(undefined), "pointerover");
  return says;
}

function show(view) {
  const { root, steps, data } = view;
  const { rows, prompt, tokens, candidates } = data;
  const step = steps.place.value;
  const [row, now] = [rows[step], prompt + step];
  const most = Math.max(...row, 1);
  steps.mark(t("token {number} of {count}", { number: step + 1, count: data.steps }));
  const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, LISTED).filter((i) => row[i] >= LEAST);
  const entries = order.map((i) => ({ text: tokens[i].name, part: row[i] / 10000 }));
  const next = candidates[step].map(({ text, probability, taken }) => ({ text, part: probability, taken }));
  render(html`
    <p class="line"><span class="says">${says(view, row, now)}</span></p>
    <div class="text" role="group" aria-label=${t("The text; a written token shows what its choice looked at")}>${tokens.map((token, index) =>
      chip(view, token.text, index, now, index < now ? row[index] / most : 0))}</div>
    <div class="bar" data-save="no">
      ${stepButtons(steps, t("token"))}<span class="where">${t("new token {number} of {count}", { number: step + 1, count: data.steps })}</span>
      <label class="first" title=${t("Heads rest on the first token of a text. Without it the others are rescaled to sum to 1.")}><input
        type="checkbox" .checked=${data.first} @change=${(event) => view.turn(event.target.checked)}>${t("first token counts")}</label>
    </div>
    <div class="tables">
      <div class="attention-table">${table(t("looked at by {heads}", { heads: data.who }), "attention", entries)}</div>
      <div class="candidates">${table(t("what could come next; a full bar is 100%"), "probability", next)}</div>
    </div>`, root);
  const text = root.querySelector(".text");
  setDirection(text, [...tokens.map((token) => token.text), data.run]); // tokens may be bytes
  if (view.seen !== now) bringIntoView(text, text.querySelector(".now"));
  view.seen = now;
}

// The space before a word stays outside of its chip; a line end is shown and then made.
function chip({ root, data, steps }, text, index, now, part) {
  const [, space, word] = text.match(/^( *)([^]*)$/);
  const generated = index >= data.prompt;
  const look = [generated ? "generated" : "prompt", part > 0.52 && "strong", index === now && "now", index === now - 1 && "asks", index > now && "ahead"];
  const called = index > now ? t("still to come") : t("token {number}, {text}", { number: index - data.prompt + 1, text });
  return html`${word ? space : ""}<span class="chip ${look.filter(Boolean).join(" ")}" .index=${index} tabindex=${index === now ? 0 : -1}
    style=${part ? `background: rgb(${palette(root, "attention-1").join(" ")} / ${part.toFixed(3)})` : nothing}
    role=${generated ? "button" : nothing} aria-label=${generated ? called : nothing}
    @click=${() => generated && steps.go(index - data.prompt)}>${(word || space).replaceAll("\n", "↵")}</span>${"\n".repeat(text.split("\n").length - 1)}`;
}

function says({ pointed: at, data: { tokens } }, row, now) {
  // The fields that a sentence has left are tokens.
  const bold = (sentence) => sentence.split(/\{([a-z]+)\}/).map((part, i) => (i % 2 ? html`<b dir="auto">${tokens[{ other: at, before: now - 1, now }[part]].name}</b>` : part));
  if (at !== undefined && at < now) return bold(t("{other} got {share} of the attention when {now} was chosen", { share: perCent(row[at] / 10000) }));
  if (!row.some((part) => part > 0)) return bold(t("Choosing {now}: nothing but the first token was looked at"));
  return bold(now > 1 ? t("Choosing {now}: the model is at {before} and looks back at {count} tokens", { count: now }) : t("Choosing {now}: the model is at {before} and looks back at 1 token"));
}

function table(heading, kind, entries) {
  return html`
    <p class="heading">${heading}</p>
    ${entries.map(({ text, part, taken }) => html`
    <p class="entry ${kind} ${taken ? "taken" : ""}">
      <span class="token">${text}</span><i class="track"><i class="fill" style="width: ${100 * part}%"></i></i>
      <span class="number">${perCent(part)}</span><span class="mark">${taken ? t("taken") : ""}</span>
    </p>`)}`;
}

export default connect(draw);
