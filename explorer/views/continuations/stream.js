// A text that grows: the prompt plain, then a chip per token.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { followText, isBehind } from "../widgets/follower.js";
import { html, render } from "../widgets/lit.js";
import { announce } from "../widgets/live.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

const legend = () => [["solid", t("first guess")], ["dashed", t("first 10")], ["dotted", t("first 100")], ["", t("a later guess")]];

/**
 * What the stream says too; the page may be behind it.
 * @typedef {object} Text
 * @property {number} run
 * @property {number} count
 * @property {boolean} going whether more is to come
 * @property {boolean} finished whether no more can come
 * @property {{
 *   text: string, first: number, last: number, mark: string, colour: string, ink: string, tip: string,
 *   }[]} chips
 * @property {string} note
 * @property {string} button
 * @property {string} label of the button, in the language of the page
 */

/**
 * @typedef {object} Page
 * @property {string} address of the stream
 * @property {string} secret that opens it
 * @property {number} answers where the page stands: what is asked for belongs to it
 * @property {string} prompt
 * @property {boolean} bare whether there is no prompt
 * @property {string[]} ramp colours of probabilities from 0 to 1
 * @property {number} shown the step that is shown
 * @property {number} locked the step that was clicked, or -1
 */

/** @type {import("../widgets/connect.js").Draw<Text & Page>} */
export function draw(root, data, send) {
  if (!root.text) build(root);
  return followText(root, data, send, () => paint(root));
}

function paint(root) {
  const { text, data, live } = root;
  const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 8;
  const shown = live.run === data.run && (data.locked >= 0 || data.count === live.count) ? data.shown : live.count - 1;
  root.prompt.textContent = data.prompt;
  root.prompt.classList.toggle("bare", data.bare);
  render(live.chips.map((chip, index) => piece(chip, index, shown)), text);
  setDirection(text, text.textContent);
  // In steps, not as a gradient: pictures that are saved have no gradients.
  render(data.ramp.map((colour) => html`<i style="background: ${colour}"></i>`), root.ramp);
  root.note.textContent = live.note;
  root.turn.textContent = live.label;
  root.turn.onclick = () => root.press(live.button);
  root.back.disabled = shown <= 0;
  root.forward.disabled = shown >= live.count - 1 && live.finished;
  root.back.onclick = () => root.tell("step", "back");
  root.forward.onclick = () => root.tell("step", "forward");
  if (live.going && atEnd) text.scrollTop = text.scrollHeight;
  // It is read from where the model began, which had to give way while it was written: the prompt is in its box.
  if (root.wrote && !live.going) {
    const first = text.querySelector(".piece");
    text.scrollTop = first && text.scrollHeight > text.clientHeight ? first.offsetTop - text.offsetTop : 0;
    announce(text.textContent.slice(data.prompt.length).replaceAll("↵", " "), root);
  }
  if (live.going && !root.wrote) announce(t("Writing."), root);
  root.wrote = live.going;
  markMore(text);
  text.setAttribute("aria-busy", live.going);
  text.dataset.run = live.run;
  text.dataset.count = live.count;
  root.getRootNode().host?.closest(".st-key-picture")?.toggleAttribute("data-rb-writing", isBehind(root));
}

/** Whether text follows below what the box shows. */
function markMore(text) {
  text.classList.toggle("more", text.scrollHeight - text.scrollTop - text.clientHeight > 4);
}

function build(root) {
  render(html`
    <div class="text" role="group" aria-label=${t("Continuation")}><span class="prompt"></span></div>
    <div class="foot">
      <div class="buttons" data-save="no" data-needs="model">
        <button type="button" class="control turn"></button>
        <button type="button" class="control back" title=${t("The token before (stops)")}>${t("Back")}</button>
        <button type="button" class="control forward" title=${t("One token on (stops)")}>${t("Step")}</button>
      </div>
      <span class="note"></span>
      <span class="legend"><span class="ranks">${legend().map(([mark, words]) => html`<i class=${mark}>${words}</i>`)}</span><span>${t("probability 0")}<b class="ramp"></b>1</span></span>
    </div>`, root);
  for (const part of ["text", "prompt", "turn", "back", "forward", "note", "ramp"]) root[part] = root.querySelector(`.${part}`);

  const tip = tooltip(root, { of: ".chip", on: root.text, align: "left", gap: 6 });
  root.text.addEventListener("scroll", tip.hide);
  root.text.addEventListener("scroll", () => markMore(root.text));
  new ResizeObserver(() => markMore(root.text)).observe(root.text);
  root.text.addEventListener("click", (event) => {
    const chip = partOf(event, ".chip");
    if (chip) root.tell("click", { first: chip.first, last: chip.last });
  });
  root.text.addEventListener("keydown", (event) => {
    const chip = partOf(event, ".chip");
    if (event.key === "Escape") root.tell("click", { first: -1, last: -1 });
    else if (chip && (event.key === "Enter" || event.key === " ")) root.tell("click", { first: chip.first, last: chip.last });
    else return;
    event.preventDefault();
  });
  roving(root.text, () => [...root.text.querySelectorAll(".chip")], { axis: "across" });
}

// The space before a word stays outside of its chip; a line end is shown and then made.
function piece({ text, first, last, mark, colour, ink, tip }, index, at) {
  const shown = first <= at && at <= last;
  const [, space, word] = text.match(/^( *)([^]*)$/);
  const called = `${text.replaceAll("\n", ` ${t("line end")} `).trim() || t("space")}: ${tip}`;
  return html`<span class="piece">${word ? space : ""}<span class="chip ${mark} ${shown ? "shown" : ""}" role="button" tabindex=${index ? -1 : 0}
    style="background: ${colour}; color: ${ink}" .first=${first} .last=${last} .tip=${tip} aria-pressed=${shown} aria-label=${called}><span
    class="letters">${(word || space).replaceAll("\n", "↵")}</span></span>${"\n".repeat(text.split("\n").length - 1)}</span>`;
}

export default connect(draw);
