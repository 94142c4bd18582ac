// A line of tokens as buttons: hover explains, a click acts, arrow keys walk.
import { connect } from "./connect.js";
import { layOut } from "./direction.js";
import { html, nothing, render } from "./lit.js";
import { walkParts } from "./walk_with_tips.js";

/**
 * @typedef {{
 *   text: string, name?: string, title?: string, selected?: boolean, quiet?: boolean, glued?: boolean, colour?: string, ink?: string,
 *   mark?: string, note?: string,
 *   }} Token
 * @typedef {object} Data
 * @property {Token[]} tokens
 * @property {string} label
 * @property {boolean} active whether a click acts
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("active", data.active);
  root.style.position = "relative";
  render(data.tokens.map((token, index) => chip(token, () => data.active && send("click", index))), root);
  walkParts(root, { axis: "across", wrap: true, stops: false }, { align: "middle", gap: 6 });
  layOut(root, [...root.querySelectorAll("button")]);
}

/**
 * @param {Token} token
 * @param {() => unknown} click
 */
function chip({ text, name = text, title, selected = false, quiet, glued, colour, ink, mark = "", note }, click) {
  const look = `${selected ? "selected" : ""} ${quiet ? "quiet" : ""} ${glued ? "glued" : ""} ${mark}`;
  const said = title ? `${name}: ${title}` : nothing;
  return html`<button type="button" class=${look} style="background: ${colour ?? ""}; color: ${ink ?? ""}"
    aria-pressed=${selected} aria-label=${said} .tip=${title} @click=${click}>${text}${note ? html`<i>${note}</i>` : nothing}</button>`;
}

export default connect(draw);
