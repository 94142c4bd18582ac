// Where a head is attached: the tokens, the layers that read them, and the head on top. Parts that are
// trained are filled, the others are pale. Words beside them say the same.
import { connect } from "../widgets/connect.js";
import { directionOf } from "../widgets/direction.js";
import { html, nothing, render } from "../widgets/lit.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} title
 * @property {{ text: string, used: boolean, quiet: boolean }[]} tokens as many as there is room for
 * @property {number} layers
 * @property {boolean} whole whether the layers are trained, and not only the head
 * @property {boolean} each whether the head reads every token that it uses, and not only the first
 * @property {string} head what the head is
 * @property {string} input what the head is given
 * @property {string} body what happens to the layers
 * @property {string} table what happens to the embeddings
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", data.label);
  const columns = data.tokens.map(({ text }) => `minmax(0, ${Math.max(3, text.length)}fr)`).join(" ");
  const direction = directionOf(data.tokens.map(({ text }) => text));
  const line = (kind, caption, parts, style = "") => html`
    <div class="line">
      <div class="picture ${kind}" dir=${kind === "slabs" ? nothing : direction} style=${style}>${parts}</div>
      <div class="caption">${caption}</div>
    </div>`;
  const across = `grid-template-columns: ${columns}`;
  const slab = html`<div class="slab ${data.whole ? "trained" : "frozen"}"></div>`;
  const vector = ({ used }) => html`<div class=${used ? "used" : "unused"}><div class="stem"></div><div class="vector"></div></div>`;
  render(html`
    <div class="title">${data.title}</div>
    ${line("head", data.head, html`<div class="box trained" style=${data.each ? "" : "width: 64px"}>head</div>`)}
    ${line("vectors", data.input, data.tokens.map(vector), across)}
    ${line("slabs", data.body, Array(data.layers).fill(slab))}
    ${line("slabs", data.table, html`<div class="slab frozen"></div>`)}
    ${line("words", "", data.tokens.map(({ text, quiet }) => html`<div class="word ${quiet ? "quiet" : ""}">${text}</div>`), across)}`, root);
}

export default connect(draw);
