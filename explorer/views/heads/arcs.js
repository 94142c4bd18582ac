// A sentence in one row with arcs from word to word: above the row for a look back, below it for a
// look ahead. Hover previews a word's own arcs, click locks them, Esc releases them. With `drawing`, a
// click on two words one after the other asks for an arc, and the arcs drawn so far are listed.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { byKeyboard, partOf } from "../widgets/dom.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { names } from "../widgets/names.js";
import { perCent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { remember, roving } from "../widgets/roving.js";
import { filled, t } from "../widgets/translations.js";

const NAMED = 5; // weights told in words
const HEADED = 0.25; // an arc this heavy ends in an arrowhead

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, quiet?: boolean }[]} tokens
 * @property {{ from: number, to: number, weight: number, kind: string }[]} arcs
 * @property {[number, number][] | null} drawn arcs that the visitor has drawn
 * @property {boolean} drawing
 * @property {string} caption
 * @property {string} hint
 * @property {string} name of the head
 * @property {string} message instead of a picture
 * @property {number} [scale] of the letters
 * @property {number} above px over the words
 * @property {number} below
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= { root });
  if (JSON.stringify(view.data?.tokens) !== JSON.stringify(data.tokens)) view.locked = view.preview = view.pending = null;
  view.data = data;
  view.names = names(data.tokens);
  view.draw = (from, to) => send("draw", { from, to });
  view.erase = (from, to) => send("erase", { from, to });
  if (!data.drawing) view.pending = null;
  // A long sentence is set smaller before it has to scroll; never below what the back row reads.
  root.style.setProperty("--size", `${(data.scale ?? 1) * (data.tokens.length > 16 ? 16 : 19)}px`);
  root.classList.toggle("drawing", data.drawing);
  drawWords(view);
  if (!view.row) listen(view);
  layOut(view.row, [...view.row.children]);
  root.querySelector(".scroller").dir = view.row.dir; // a long sentence is scrolled from its beginning
  arcs(view);
}

function listen(view) {
  const { root } = view;
  const row = (view.row = root.querySelector(".words"));
  announceChanges(root.querySelector(".caption"));
  new ResizeObserver(() => arcs(view)).observe(row);
  const wordAt = (event) => partOf(event, ".word");
  const preview = (word) => {
    const at = word ? word.at : null;
    if (at === view.preview) return;
    view.preview = at;
    show(view);
  };
  pointing(row, (event) => preview(wordAt(event)), () => preview(null));
  row.addEventListener("focusin", (event) => byKeyboard(event) && preview(wordAt(event)));
  row.addEventListener("focusout", () => preview(null));
  row.addEventListener("click", (event) => {
    const word = wordAt(event);
    if (!word) return;
    const { at } = word;
    if (!view.data.drawing) view.locked = view.locked === at ? null : at;
    else if (view.data.tokens[at].quiet) return;
    else if (view.pending === null) view.pending = at;
    else {
      if (view.pending !== at) view.draw(view.pending, at);
      view.pending = null;
    }
    show(view);
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || (view.pending === null && view.locked === null)) return;
    view.pending = view.locked = null;
    show(view);
    event.preventDefault();
    event.stopPropagation();
  });
  roving(root, () => [...row.children], { axis: "across", wrap: true });
  remember(root.querySelector(".chips"), () => [...root.querySelectorAll(".chip")], false);
}

// Every arc of the data, the drawn ones on top; a word that looks at itself gets a small loop.
function arcs(view) {
  const { data, row } = view;
  const stage = row.parentElement;
  const words = [...row.children];
  if (!words.length || data.message) return;
  stage.style.setProperty("--above", `${data.above}px`);
  stage.style.setProperty("--below", `${data.below}px`);
  const width = row.scrollWidth;
  const middle = (at) => row.offsetLeft + words[at].offsetLeft + words[at].offsetWidth / 2;
  const focus = focusOf(view);
  const arc = ({ from, to, weight, kind }) => {
    if (!words[from] || !words[to]) return nothing;
    const back = to <= from;
    const base = back ? data.above - 1 : data.above + row.offsetHeight + 1;
    const room = (back ? data.above : data.below) - 8;
    const [start, end] = from === to ? [middle(from) - 7, middle(to) + 7] : [middle(from), middle(to)];
    const rise = from === to ? 17 : Math.min(room, 12 + (room - 12) * (Math.abs(end - start) / Math.max(width, 500)) ** 0.55);
    const top = base + ((back ? -1 : 1) * rise) / 0.75; // a cubic reaches three quarters of the way to its handles
    const headed = from !== to && (kind === "drawn" || kind === "hit" || (weight >= HEADED && kind !== "wanted"));
    const tip = base + (back ? -1 : 1) * (headed ? 6 : 0);
    const shown = kind === "drawn" || kind === "wanted";
    const look = shown ? nothing : `stroke-width: ${1 + (from === to ? 1.5 : 4) * weight}px; stroke-opacity: ${kind === "hit" ? 1 : Math.min(1, weight ** 0.7 + 0.04)}`;
    const opacity = kind === "drawn" || kind === "hit" ? 1 : Math.min(1, weight ** 0.7 + 0.04);
    const off = kind !== "drawn" && focus !== null && from !== focus ? "off" : "";
    return svg`
      <path class="arc ${kind} ${off}" d="M${start} ${base}C${start} ${top} ${end} ${top} ${end} ${tip}" style=${look} data-weight=${weight}></path>
      ${headed ? svg`<path class="arrow ${kind} ${off}" d="M${end} ${base}l-5 ${back ? -9 : 9}h10z" style="fill-opacity: ${opacity}"></path>` : nothing}`;
  };
  render(svg`${data.arcs.map(arc)}${(data.drawn ?? []).map(([from, to]) => arc({ from, to, weight: 1, kind: "drawn" }))}`, stage.querySelector("svg"));
}

const focusOf = ({ data, preview, locked, pending }) => (data.drawing ? (pending === null ? preview : null) : (preview ?? locked));

function show(view) {
  drawWords(view);
  arcs(view);
}

function drawWords(view) {
  const { data, locked, pending, names } = view;
  const from = (at) => data.arcs.filter((arc) => arc.from === at && arc.kind !== "wanted").sort((a, b) => b.weight - a.weight).slice(0, NAMED);
  const reads = (at) => from(at).map((arc) => `${names[arc.to]} ${perCent(arc.weight)}`).join(", ");
  const word = ({ text, quiet }, at) => {
    const chosen = at === locked || at === pending;
    const said = reads(at);
    return html`
      <button type="button" class="word ${quiet ? "quiet" : ""} ${chosen ? "chosen" : ""}" .at=${at} aria-pressed=${chosen}
        aria-label=${said ? t("{token}: to {shares}", { token: names[at], shares: said }) : names[at]}>${text}</button>`;
  };
  const name = (at) => names[at] ?? "?";
  const chip = ([one, other]) => html`
    <button type="button" class="chip" aria-label=${t("Take away the arc from {word} to {other}", { word: name(one), other: name(other) })}
      @click=${() => view.erase(one, other)}>${name(one)} → ${name(other)}<span class="close">×</span></button>`;
  const hint = pending !== null ? t("press it again to cancel") : locked !== null ? t("a second press releases it") : data.hint;
  render(html`
    <p class="line"><span class="caption">${caption(view, reads)}</span><span class="hint" data-save="no">${hint}</span></p>
    <div class="scroller rb-wide" ?hidden=${data.message}>
      <div class="stage" role="group" aria-label=${data.label}><svg aria-hidden="true"></svg><div class="words">${data.tokens.map(word)}</div></div>
    </div>
    <p class="message" ?hidden=${!data.message}>${data.message}</p>
    <div class="chips" ?hidden=${!data.drawn}>${(data.drawn ?? []).map(chip)}</div>`, view.root);
}

function caption(view, reads) {
  const { data, names, preview, pending } = view;
  const bold = (at) => html`<b dir="auto">${names[at]}</b>`;
  if (pending !== null) {
    const open = preview === null || preview === pending;
    return filled(open ? t("From {word} to which word?") : t("From {word} to {other}?"), { word: bold(pending), other: names[preview] });
  }
  const focus = focusOf(view);
  if (focus === null) return data.caption;
  const fields = { heads: data.name, token: bold(focus), shares: reads(focus) };
  if (fields.shares) return filled(data.name ? t("{heads}, from {token}: to {shares}") : t("From {token}: to {shares}"), fields);
  if (data.arcs.length) return filled(data.name ? t("{heads}, from {token}: nothing over 1%") : t("From {token}: nothing over 1%"), fields);
  return filled(data.name ? t("{heads}, from {token}") : t("From {token}"), fields);
}

export default connect(draw);
