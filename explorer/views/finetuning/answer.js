// A passage with two small bars under every token: how probable an answer starts there, and that it ends
// there. The best pair is framed; pointing at a runner-up, or walking to it, frames that instead.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { partOf } from "../widgets/dom.js";
import { html, render } from "../widgets/lit.js";
import { percent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

/**
 * @typedef {{ text: string, space: boolean, start: number, end: number, tip: string }} Token
 * @typedef {object} Data
 * @property {string} label
 * @property {boolean} large
 * @property {Token[]} tokens shares of the largest
 * @property {{ text: string, number: string, share: number, from: number, to: number, nothing: boolean }[]} answers
 *   the best first; an answer that is `nothing` is that of no answer
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.data = data;
  root.setAttribute("role", "group");
  root.classList.toggle("large", data.large);
  root.setAttribute("aria-label", data.label);
  frame(root, 0);
  if (!root.tip) build(root);
  layOut(root.querySelector(".passage"), [...root.querySelectorAll(".text")]);
  root.tip.refresh();
}

function build(root) {
  const [passage, answers] = [root.querySelector(".passage"), root.querySelector(".answers")];
  const rows = () => [...answers.querySelectorAll("button")];
  root.tip = tooltip(root, { of: ".token", on: passage, align: "middle", gap: 2 });
  roving(answers, rows, { axis: "down", reach: (row) => frame(root, rows().indexOf(row)) });
  const frameRow = (event) => {
    const row = partOf(event, "button");
    if (row) frame(root, rows().indexOf(row));
  };
  pointing(answers, frameRow, () => frame(root, 0), "pointerover");
  answers.addEventListener("click", frameRow);
}

// Draw all, with the frame around one of the answers.
function frame(root, number) {
  const { tokens, answers } = root.data;
  const answer = answers[number];
  const token = ({ text, space, start, end, tip }, i) => {
    const inside = answer && !answer.nothing && answer.from <= i && i <= answer.to;
    const part = inside ? `inside ${i === answer.from ? "first" : ""} ${i === answer.to ? "last" : ""}` : "";
    return html`<span class="token ${space ? "space" : ""} ${part}" .tip=${tip}><span class="text">${text}</span><span class="bars"
      ><i class="start" style="height: ${percent(start)}"></i><i class="end" style="height: ${percent(end)}"></i></span></span>`;
  };
  const row = (one, i) => html`
    <button type="button" class="row ${one.nothing ? "nothing" : ""}" aria-label="${one.text}: ${one.number}" aria-pressed=${i === number}>
      <span class="name">${one.text}</span>
      <span class="track"><span class="bar" style="width: ${percent(one.share)}"></span></span>
      <span class="number">${one.number}</span>
    </button>`;
  const drawn = tokens.map(token);
  render(html`
    <div class="left-side">
      <div class="passage">${words(tokens).map((numbers) => html`<span class="word">${numbers.map((i) => drawn[i])}</span>`)}</div>
      <div class="legend"><span class="start"><i></i>${t("starts here")}</span><span class="end"><i></i>${t("ends here")}</span></div>
    </div>
    <div class="answers">${answers.map(row)}</div>`, root);
}

// The numbers of the tokens of each word, which share a box, so that no word is torn at the end of a line.
function words(tokens) {
  /** @type {number[][]} */
  const boxes = [];
  tokens.forEach(({ space }, i) => (i && !space ? boxes.at(-1)?.push(i) : boxes.push([i])));
  return boxes;
}

export default connect(draw);
