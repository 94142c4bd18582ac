// Which of two sets of words a sentence prefers: a dot for each word of the slot, on an axis of ratios with
// “equal” in the middle. A dashed line marks the sentence with no word in the slot. Hovering shows the
// probabilities; a click opens the sentence.
import { connect } from "../widgets/connect.js";
import { html, nothing, render } from "../widgets/lit.js";
import { walkParts } from "../widgets/walk_with_tips.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} one the first set's name
 * @property {string} other the second set's name
 * @property {number} limit bits at either end of the axis
 * @property {{ bits: number, text: string }[]} ticks
 * @property {{ bits: number } | null} bare the sentence with no word in the slot
 * @property {{ name: string, ratio: string, tip: string, bits: number | null }[]} rows
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  const place = (bits) => 50 - (50 * Math.max(Math.min(bits, data.limit), -data.limit)) / data.limit;
  const outermost = Math.max(...data.ticks.map((tick) => tick.bits));
  const between = ({ bits }) => bits && Math.abs(bits) < outermost; // left out where there is no room
  const row = ({ name, ratio, tip, bits }, index) => {
    const at = place(bits ?? 0);
    const side = (bits ?? 0) > 0 ? "one" : "other";
    return html`
      <button type="button" class="row ${side}${bits === null ? " unknown" : ""}" aria-label="${name}, ${ratio}, ${tip}"
        .tip=${tip} @click=${() => send("click", index)}>
        <span class="name">${name}</span>
        <span class="plot">
          <span class="stem" style="left: ${Math.min(at, 50)}%; width: ${Math.abs(at - 50)}%"></span>
          <span class="dot" style="left: ${at}%"></span>
        </span>
        <span class="ratio">${ratio}</span>
      </button>`;
  };
  render(html`
    <div class="head"><b class="end one">${`← ${data.one}`}</b><b class="end other">${`${data.other} →`}</b></div>
    <div class="rows">${data.rows.map(row)}</div>
    <div class="grid">
      ${data.ticks.map(({ bits }) => html`<i class=${bits ? "" : "even"} style="left: ${place(bits)}%"></i>`)}
      ${data.bare ? html`<i class="bare" style="left: ${place(data.bare.bits)}%"></i>` : nothing}
    </div>
    <div class="axis">${data.ticks.map((tick) => html`
      <span class="tick ${between(tick) ? "between" : ""}" style="left: ${place(tick.bits)}%">${tick.text}</span>`)}
    </div>`, root);
  walkParts(root, { axis: "down" }, { gap: 0 });
}

export default connect(draw);
