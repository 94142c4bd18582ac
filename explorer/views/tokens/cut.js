// A text as several tokenizers cut it: every row has the characters in the same columns, and a box for each token.
// Of several lines there is a table first: how many tokens each needs.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { element } from "../widgets/dom.js";
import { html, nothing, render } from "../widgets/lit.js";
import { percent } from "../widgets/numbers.js";
import { tooltip } from "../widgets/tooltip.js";
import { onWidth } from "../widgets/width.js";

const LABEL = 200; // px
const EDGE = 16; // px

/**
 * @typedef {{ from: number, to: number, state: string, tip: string }} Box
 * @typedef {object} Row
 * @property {string} name
 * @property {string} kind
 * @property {number} count
 * @property {number} size of the vocabulary
 * @property {Box[]} boxes in cells
 * @property {[number, number][]} lost
 *
 * @typedef {object} Data
 * @property {number} lines
 * @property {string[]} cells the characters of one line; none if there is a table
 * @property {number[]} widths of the cells in px
 * @property {Row[]} rows
 * @property {string} question that a class is asked about it, or nothing
 * @property {string[]} names of the tokenizers in the table
 * @property {string[]} texts
 * @property {{ tokens: number, unread: number }[][]} counts
 * @property {number} more lines
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.tip ??= tooltip(root, { of: ".box, .lost", align: "left" });
  root.picture ??= root.insertBefore(element("div"), root.tip.box);
  const show = () => {
    render(data.cells ? grid(root, data, send) : costs(data, send), root.picture);
    for (const text of root.picture.querySelectorAll(".text")) setDirection(text, data.cells);
  };
  if (!root.show) onWidth(root, () => root.show());
  root.show = show;
  show();
}

/** @param {any} root @param {Data} data */
function grid(root, { cells, widths, rows, lines, question }, send) {
  // On the projector a low picture grows until it is as wide as the window: no line breaks for that. It may then
  // reach EDGE beyond its frame (fit_picture.js), which is kept empty.
  const grows = Number(getComputedStyle(document.documentElement).getPropertyValue("--rb-grow")) || 1;
  const width = root.clientWidth * grows;
  const narrow = width < 700;
  const room = Math.max(width - (narrow ? 0 : LABEL + EDGE), 150);
  const asked = question.split(/[^\p{L}\d]+/u); // the question of a stop, which may name a tokenizer
  const starts = [0];
  let used = 0;
  widths.forEach((width, i) => {
    if (used + width > room) [used] = [0, starts.push(i)];
    used += width;
  });
  return html`
    ${lines > 1 ? html`<button class="all" data-save="no" @click=${() => send("line", -1)}>‹ All ${lines} lines</button>` : nothing}
    <p class="head"><span>tokens</span></p>
    <div class="lines ${narrow ? "narrow" : ""}">${starts.map((start, i) => html`
      <div class="block">${rows.map((row) => line(row, cells, widths, start, starts[i + 1] ?? cells.length, i === 0 || narrow, asked.includes(row.name)))}</div>`)}
    </div>`;
}

function line({ name, kind, count, size, boxes, lost }, cells, widths, start, end, named, asked) {
  const inside = ({ from, to }) => to > start && from < end;
  const edges = [0];
  for (let i = start; i < end; i++) edges.push(edges.at(-1) + widths[i]);
  const x = (at) => {
    const cell = Math.min(Math.floor(at), end - 1);
    return edges[cell - start] + (at - cell) * widths[cell];
  };
  const place = (from, to) => {
    const [left, right] = [x(Math.max(from, start)), x(Math.min(to, end))];
    return `inset-inline-start: ${left}px; width: ${right - left - 2}px`;
  };
  const label = named ? html`<span class="name">${name}</span><span class="count">${count}</span>` : nothing;
  return html`<div class=${asked ? "row asked" : "row"}>
    <div class="label" dir="ltr" title=${`${kind ? `${kind}; ` : ""}${size.toLocaleString("en")} tokens in the vocabulary`}>${label}</div>
    <div class="text" role="img" aria-label=${`${name}: ${count} tokens`} style="width: ${edges.at(-1)}px">
      ${lost.filter(([from, to]) => to > start && from < end).map(([from, to]) => html`<span class="lost" style=${place(from, to)} .tip=${`no token of ${name}`}></span>`)}
      ${boxes.filter(inside).map((box) => html`<span class="box ${box.state}" style=${place(box.from, box.to)} .tip=${box.tip}></span>`)}
      ${cells.slice(start, end).map((cell, i) => html`<span class="cell ${cell === "␣" ? "space" : ""}" style="inset-inline-start: ${edges[i]}px; width: ${widths[start + i] - 2}px">${cell}</span>`)}
    </div>
  </div>`;
}

/** @param {Data} data */
function costs({ names, texts, counts, more }, send) {
  const most = Math.max(...counts.flat().map(({ tokens }) => tokens), 1);
  return html`<div class="rb-wide"><table>
    <thead><tr><th scope="col">tokens</th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${texts.map((text, i) => html`<tr>
      <th scope="row"><button dir="auto" @click=${() => send("line", i)}>${text}</button></th>
      ${counts[i].map(({ tokens, unread }) => html`<td title=${unread > 0.005 ? `${percent(unread)} of the characters are not read` : ""}>
        <span class="amount ${unread > 0.3 ? "unread" : ""}"><span class="fill" style="width: ${percent(tokens / most)}"></span></span><span class="number">${tokens}</span></td>`)}
    </tr>`)}</tbody></table></div>
    ${more ? html`<p class="note">${more} more lines are in the table below.</p>` : nothing}`;
}

export default connect(draw);
