// A line of tokens as buttons: hover explains, a click acts, arrow keys walk.
import { connect } from "./connect.js";
import { layOut } from "./direction.js";
import { html, nothing, render } from "./lit.js";
import { roving } from "./roving.js";
import { tooltip } from "./tooltip.js";

/**
 * @typedef {{
 *   text: string, title?: string, selected?: boolean, quiet?: boolean, glued?: boolean, colour?: string, ink?: string,
 *   mark?: string, note?: string,
 *   }} Token
 * @typedef {object} Data
 * @property {Token[]} tokens
 * @property {string} label
 * @property {boolean} active whether a click acts
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("./connect.js").Send} send
 */
export function draw(root, data, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("active", data.active);
  root.style.position = "relative";
  render(data.tokens.map((token, index) => chip(token, () => data.active && send("click", index))), root);
  if (!root.tip) build(root);
  root.tip.refresh();
  layOut(root, [...root.querySelectorAll("button")]);
}

function build(root) {
  root.tip = tooltip(root, { of: "button", align: "middle", gap: 6 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across", wrap: true, stops: false });
}

/**
 * @param {Token} token
 * @param {() => unknown} click
 */
function chip({ text, title, selected = false, quiet, glued, colour, ink, mark = "", note }, click) {
  const look = `${selected ? "selected" : ""} ${quiet ? "quiet" : ""} ${glued ? "glued" : ""} ${mark}`;
  const said = title ? `${text}: ${title}` : nothing;
  return html`<button type="button" class=${look} style="background: ${colour ?? ""}; color: ${ink ?? ""}"
    aria-pressed=${selected} aria-label=${said} .tip=${title} @click=${click}>${text}${note ? html`<i>${note}</i>` : nothing}</button>`;
}

export default connect(draw);
