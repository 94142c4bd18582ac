// Every token of a vocabulary as one cell, in the order of their ids. One pixel a token is painted once; what is in
// view of it is enlarged, so that 250,000 scroll as smoothly as 8,000.
import { palette } from "../widgets/colours.js";
import { penOf } from "../widgets/canvas.js";
import { connect } from "../widgets/connect.js";
import { element } from "../widgets/dom.js";
import { html, nothing, render } from "../widgets/lit.js";
import { grouped } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";

const CELL = 8; // px
const HIGH = 400; // px of the map in view
const MATCHES = 7; // listed
const PALE = 0.16; // of a token that is not meant

/**
 * @typedef {object} Data
 * @property {string} name
 * @property {string[]} texts
 * @property {number[]} colours of each token: a number of the legend, or with `shades` 0 to 100
 * @property {[string, string | null][]} legend a name and a share, null if no token has it
 * @property {boolean} shades
 * @property {number[] | null} lacking ids of the tokens that the other vocabulary lacks
 * @property {string} beside its name
 * @property {string} search
 * @property {string} heading
 * @property {{ text: string, id: number }[]} list
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  const view = (root.view ??= build(root));
  view.data = data;
  const wanted = data.search.trim().toLowerCase();
  view.matches = wanted ? data.texts.flatMap((text, id) => (text.toLowerCase().includes(wanted) ? [id] : [])) : null;
  view.meant = view.matches ? new Set(view.matches) : data.lacking && new Set(data.lacking);
  paint(view);
  render(side(view), view.side);
  const first = view.matches?.[0];
  if (first !== undefined && view.searched !== wanted) view.frame.scrollTop = Math.floor(first / view.across) * CELL - HIGH / 3;
  view.searched = wanted;
  show(view);
}

function build(root) {
  /** @type {Record<string, any>} */
  const view = { root, frame: element("div", "frame"), side: element("div", "side"), canvas: element("canvas"), room: element("div", "room") };
  const two = element("div", "two");
  view.frame.tabIndex = 0;
  view.frame.setAttribute("role", "img");
  view.room.append(view.canvas);
  view.frame.append(view.room);
  two.append(view.frame, view.side);
  root.append(two);
  view.tip = tooltip(root);
  view.frame.addEventListener("scroll", () => requestAnimationFrame(() => show(view)), { passive: true });
  const point = (event) => view.tip.follow(event, words(view, tokenAt(view, event)));
  pointing(view.frame, point, () => view.tip.hide());
  onWidth(root, () => (paint(view), show(view)));
  return view;
}

function tokenAt(view, event) {
  const box = view.canvas.getBoundingClientRect();
  const zoom = box.width / view.canvas.offsetWidth;
  const [x, y] = [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom + view.frame.scrollTop];
  const id = Math.floor(y / CELL) * view.across + Math.floor(x / CELL);
  return x >= 0 && x < view.across * CELL && id < view.data.texts.length ? id : -1;
}

function words(view, id) {
  const { data } = view;
  if (id < 0) return "";
  const kind = data.shades ? "" : `  ·  ${data.legend[data.colours[id]][0]}`;
  return `${data.texts[id]}  ·  ${t("number {id}", { id: grouped(id) })}${kind}`;
}

/** One pixel for each token. */
function paint(view) {
  const { data, frame } = view;
  view.across = Math.max(Math.floor(frame.clientWidth / CELL), 8);
  const rows = Math.ceil(data.texts.length / view.across);
  view.map = new OffscreenCanvas(view.across, rows);
  const pen = /** @type {any} */ (view.map.getContext("2d"));
  const image = pen.createImageData(view.across, rows);
  const colours = palettes(view);
  data.colours.forEach((colour, id) => {
    const [red, green, blue] = colours(colour);
    const alpha = view.meant && !view.meant.has(id) ? PALE * 255 : 255;
    image.data.set([red, green, blue, alpha], 4 * id);
  });
  pen.putImageData(image, 0, 0);
  view.room.style.height = `${rows * CELL}px`;
  frame.setAttribute("aria-label", t("{count} tokens of {name}, in the order of their ids", { count: grouped(data.texts.length), name: data.name }));
}

/** From the number of a colour to red, green and blue. */
function palettes(view) {
  const { root, data } = view;
  if (data.shades) {
    const [from, to] = ["layers-0", "layers-1"].map((name) => palette(root, name));
    return (part) => from.map((low, i) => low + ((to[i] - low) * part) / 100);
  }
  const named = data.legend.map((_, i) => palette(root, i < 6 ? `senses-${i}` : i === 6 ? "quiet" : "accent"));
  return (number) => named[number];
}

function show(view) {
  const { canvas, frame } = view;
  const ratio = devicePixelRatio;
  const wide = view.across * CELL;
  Object.assign(canvas, { width: wide * ratio, height: HIGH * ratio });
  Object.assign(canvas.style, { width: `${wide}px`, height: `${HIGH}px` });
  const pen = penOf(canvas);
  pen.imageSmoothingEnabled = false;
  pen.scale(ratio, ratio);
  pen.drawImage(view.map, 0, frame.scrollTop / CELL, view.across, HIGH / CELL, 0, 0, wide, HIGH);
  pen.fillStyle = getComputedStyle(view.root).getPropertyValue("--rb-ground");
  for (let x = CELL; x < wide; x += CELL) pen.fillRect(x - 1, 0, 1, HIGH);
  for (let y = CELL - (frame.scrollTop % CELL); y < HIGH; y += CELL) pen.fillRect(0, y - 1, wide, 1);
}

function side(view) {
  const { data, matches } = view;
  const [heading, list] = matches
    ? [t("{count} tokens have “{text}”", { count: grouped(matches.length), text: data.search.trim() }), matches.slice(0, MATCHES).map((id) => ({ id, text: data.texts[id] }))]
    : [data.heading, data.list];
  const colour = (i) => `background: rgb(${palettes(view)(data.shades ? i * 100 : i).map(Math.round).join(" ")})`;
  return html`
    <ul class="legend">${data.legend.map(([name, share], i) => (share === null ? nothing : html`
      <li><span class="swatch" style=${colour(i)}></span><span>${name}</span><span class="share">${share}</span></li>`))}</ul>
    ${data.lacking ? html`<p>${t("{count} of {total} are not in {name}.", { count: grouped(data.lacking.length), total: grouped(data.texts.length), name: data.beside })}</p>` : nothing}
    <p class="heading">${heading}</p>
    <ol>${list.map(({ text, id }) => html`<li><span class="token">${text}</span><span class="share">${grouped(id)}</span></li>`)}</ol>`;
}

export default connect(draw);
