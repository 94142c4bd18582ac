// A text as several tokenizers cut it: every row has the characters in the same columns, and a box for each token.
// Of several lines there is a table first: how many tokens each needs.
import { connect } from "../widgets/connect.js";
import { directionOf, orderOf, setDirection } from "../widgets/direction.js";
import { element } from "../widgets/dom.js";
import { html, nothing, render } from "../widgets/lit.js";
import { grouped, percent } from "../widgets/numbers.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";
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
    ${lines > 1 ? html`<button class="all" data-save="no" @click=${() => send("line", -1)}>‹ ${t("All {count} lines", { count: lines })}</button>` : nothing}
    <p class="head"><span>${t("tokens")}</span></p>
    <div class="lines ${narrow ? "narrow" : ""}">${starts.map((start, i) => {
      const cut = lineOf(root, cells, widths, start, starts[i + 1] ?? cells.length);
      return html`<div class="block">${rows.map((row) => line(row, cut, i === 0 || narrow, asked.includes(row.name)))}</div>`;
    })}
    </div>`;
}

// The cells of one line from `start` to `end`, and how far from where the line begins each stands. What runs the other
// way, as a number in Arabic, does so here too.
function lineOf(root, cells, widths, start, end) {
  const direction = directionOf(cells);
  const places = new Map();
  let wide = 0;
  for (const i of orderOf(root, cells.slice(start, end), direction)) {
    places.set(start + i, wide);
    wide += widths[start + i];
  }
  const against = (at) => /\p{L}|\p{N}/u.test(cells[at]) && directionOf(cells[at]) !== direction;
  return { cells, widths, start, end, places, wide, against };
}

// Where a piece stands, in px: in one part, or in several if what stands between them belongs to others.
function partsOf({ from, to }, { widths, start, end, places, against }) {
  const parts = [];
  for (let at = Math.max(Math.floor(from), start); at < Math.min(to, end); at++) {
    const shares = [Math.max(from - at, 0), Math.min(to - at, 1)];
    const [first, last] = against(at) ? [1 - shares[1], 1 - shares[0]] : shares;
    parts.push([places.get(at) + first * widths[at], places.get(at) + last * widths[at]]);
  }
  const joined = [];
  for (const part of parts.sort(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last && part[0] - last[1] < 1) last[1] = part[1];
    else joined.push(part);
  }
  return joined;
}

function line({ name, kind, count, size, boxes, lost }, cut, named, asked) {
  const { cells, widths, start, end, places, wide } = cut;
  const spans = (piece, look, tip) => partsOf(piece, cut).map(([first, last]) => html`<span class=${look}
    style="inset-inline-start: ${first}px; width: ${last - first - 2}px" .tip=${tip}></span>`);
  const label = named ? html`<span class="name">${name}</span><span class="count">${count}</span>` : nothing;
  return html`<div class=${asked ? "row asked" : "row"}>
    <div class="label" dir="ltr" title=${`${kind ? `${kind}; ` : ""}${t("{count} tokens in the vocabulary", { count: grouped(size) })}`}>${label}</div>
    <div class="text" role="img" aria-label=${t("{name}: {count} tokens", { name, count })} style="width: ${wide}px">
      ${lost.map(([from, to]) => spans({ from, to }, "lost", t("no token of {name}", { name })))}
      ${boxes.map((box) => spans(box, `box ${box.state}`, box.tip))}
      ${cells.slice(start, end).map((cell, i) => html`<span class="cell ${cell === "␣" ? "space" : ""}" style="inset-inline-start: ${places.get(start + i)}px; width: ${widths[start + i] - 2}px">${cell}</span>`)}
    </div>
  </div>`;
}

/** @param {Data} data */
function costs({ names, texts, counts, more }, send) {
  const most = Math.max(...counts.flat().map(({ tokens }) => tokens), 1);
  return html`<div class="rb-wide"><table>
    <thead><tr><th scope="col">${t("tokens")}</th>${names.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
    <tbody>${texts.map((text, i) => html`<tr>
      <th scope="row"><button dir="auto" @click=${() => send("line", i)}>${text}</button></th>
      ${counts[i].map(({ tokens, unread }) => html`<td title=${unread > 0.005 ? t("{share} of the characters are not read", { share: percent(unread) }) : ""}>
        <span class="amount ${unread > 0.3 ? "unread" : ""}"><span class="fill" style="width: ${percent(tokens / most)}"></span></span><span class="number">${tokens}</span></td>`)}
    </tr>`)}</tbody></table></div>
    ${more ? html`<p class="note">${t("{count} more lines are in the table below.", { count: more })}</p>` : nothing}`;
}

export default connect(draw);
