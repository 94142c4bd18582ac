// A text that grows: the prompt plain, then a chip per token. When the tokens at hand are drawn
// and more are to come, it asks for them; asking again for the same ones does no harm.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { html, render } from "../widgets/lit.js";
import { announce } from "../widgets/live.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

const ASK_AGAIN_MS = 1500;
const LEGEND = [["solid", "top 1"], ["dashed", "top 10"], ["dotted", "top 100"], ["", "beyond"]];

/**
 * @typedef {object} Data
 * @property {number} run
 * @property {number} count
 * @property {number} answers where the text stands: what is asked for belongs to it
 * @property {boolean} going whether more is to come
 * @property {string} prompt
 * @property {boolean} bare whether there is no prompt
 * @property {{
 *   text: string, first: number, last: number, mark: string, shown: boolean, colour: string, ink: string, tip: string,
 *   }[]} chips
 * @property {string[]} ramp colours of probabilities from 0 to 1
 * @property {string} note
 * @property {string} button
 * @property {unknown} locked
 * @property {boolean} back whether there is a step back
 * @property {boolean} forward
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  if (!root.text) build(root);
  const { text } = root;
  const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 8;
  root.prompt.textContent = data.prompt;
  root.prompt.classList.toggle("bare", data.bare);
  render(data.chips.map(piece), text);
  setDirection(text, text.textContent);
  // In steps, not as a gradient: pictures that are saved have no gradients.
  render(data.ramp.map((colour) => html`<i style="background: ${colour}"></i>`), root.ramp);
  root.note.textContent = data.note;
  root.turn.textContent = data.button;
  // Of two messages that wait at the server the newer one counts: so nothing is asked for until a click
  // has been answered, or has had its time.
  const state = `${data.run}:${data.button}:${data.locked}`;
  if (state !== root.state) root.held = 0;
  root.state = state;
  const act = (name, value) => {
    root.held = performance.now() + ASK_AGAIN_MS;
    send(name, value);
  };
  root.turn.onclick = () => act("turn", data.button);
  root.back.disabled = !data.back;
  root.forward.disabled = !data.forward;
  root.back.onclick = () => act("step", "back");
  root.forward.onclick = () => act("step", "forward");
  if (data.going && atEnd) text.scrollTop = text.scrollHeight;
  // It is read from where the model began, which had to give way while it was written: the prompt is in its box.
  if (root.wrote && !data.going) {
    const first = text.querySelector(".piece");
    text.scrollTop = first && text.scrollHeight > text.clientHeight ? first.offsetTop - text.offsetTop : 0;
    announce(text.textContent.slice(data.prompt.length).replaceAll("↵", " "), root);
  }
  if (data.going && !root.wrote) announce("Writing.", root);
  root.wrote = data.going;
  markMore(text);
  text.setAttribute("aria-busy", data.going);
  text.dataset.run = data.run;
  text.dataset.count = data.count;

  root.act = (chip) => act("click", { first: chip.first, last: chip.last });
  root.release = () => act("click", { first: -1, last: -1 });
  const place = `${data.run}:${data.count}:${data.answers}`;
  const more = () => send("more", { run: data.run, count: data.count, answers: data.answers });
  const waiting = () => (root.held || 0) - performance.now();
  if (data.going) root.asker.ask(place, more, { again: ASK_AGAIN_MS, wait: waiting });
  else root.asker.stop();
}

/** Whether text follows below what the box shows. */
function markMore(text) {
  text.classList.toggle("more", text.scrollHeight - text.scrollTop - text.clientHeight > 4);
}

function build(root) {
  render(html`
    <div class="text" role="group" aria-label="Continuation"><span class="prompt"></span></div>
    <div class="foot">
      <div class="buttons" data-save="no">
        <button type="button" class="control turn"></button>
        <button type="button" class="control back" title="The token before (stops)">Back</button>
        <button type="button" class="control forward" title="One token on (stops)">Step</button>
      </div>
      <span class="note"></span>
      <span class="legend">${LEGEND.map(([mark, words]) => html`<i class=${mark}>${words}</i>`)}<span>probability 0<b class="ramp"></b>1</span></span>
    </div>`, root);
  for (const part of ["text", "prompt", "turn", "back", "forward", "note", "ramp"]) root[part] = root.querySelector(`.${part}`);
  root.asker = asker(root);

  const tip = tooltip(root, { of: ".chip", on: root.text, align: "left", gap: 6 });
  root.text.addEventListener("scroll", tip.hide);
  root.text.addEventListener("scroll", () => markMore(root.text));
  new ResizeObserver(() => markMore(root.text)).observe(root.text);
  root.text.addEventListener("click", (event) => {
    const chip = partOf(event, ".chip");
    if (chip) root.act(chip);
  });
  root.text.addEventListener("keydown", (event) => {
    const chip = partOf(event, ".chip");
    if (event.key === "Escape") root.release();
    else if (chip && (event.key === "Enter" || event.key === " ")) root.act(chip);
    else return;
    event.preventDefault();
  });
  roving(root.text, () => [...root.text.querySelectorAll(".chip")], { axis: "across" });
}

// The space before a word stays outside of its chip; a line end is shown and then made.
function piece({ text, first, last, mark, shown, colour, ink, tip }, index) {
  const [, space, word] = text.match(/^( *)([^]*)$/);
  const called = `${text.replaceAll("\n", " line end ").trim() || "space"}: ${tip}`;
  return html`<span class="piece">${word ? space : ""}<span class="chip ${mark} ${shown ? "shown" : ""}" role="button" tabindex=${index ? -1 : 0}
    style="background: ${colour}; color: ${ink}" .first=${first} .last=${last} .tip=${tip} aria-pressed=${shown} aria-label=${called}><span
    class="letters">${(word || space).replaceAll("\n", "↵")}</span></span>${"\n".repeat(text.split("\n").length - 1)}</span>`;
}

export default connect(draw);
