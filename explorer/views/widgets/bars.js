// Candidates as horizontal bars: hover shows the full numbers, a click acts, arrow keys walk.
// Rows are updated in place, so that a bar moves smoothly to its new length; an outline stays for some
// seconds where the bar of the same token ended before. Pinned rows stay in view below the list, which
// scrolls when it is long.
import { connect } from "./connect.js";
import { fillWindow } from "./fill_window.js";
import { inView } from "./into_view.js";
import { html, render } from "./lit.js";
import { percent } from "./numbers.js";
import { t } from "./translations.js";
import { walkParts } from "./walk_with_tips.js";

const ROW_PX = 27;
const FINGER_PX = 40; // a row on a phone
const [WORD, NUMBER] = [14, 7]; // letters of a column, as in the style
const LETTER_PX = 10.2; // at the usual size
const BESIDE_PX = 70; // a bar, and the gaps
const MOST_LARGER = 2; // times, in presenter mode
const GHOST_MS = 15_000; // that the lengths before a change stay in view

/**
 * @typedef {{
 *   rank: string, token: string, tip: string, said: string, number: string, probability: number, covered: boolean,
 *   state?: string, chance?: number, second?: string, beside?: number, pinned?: boolean, repeats?: boolean,
 *   }} Row
 * @typedef {object} Data
 * @property {Row[]} rows
 * @property {string[]} headings
 * @property {string} label
 * @property {boolean} active whether a click acts
 * @property {number} visible rows in view
 * @property {boolean} cosines
 * @property {boolean} [ghosts] whether the lengths before a change are shown
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const two = data.rows.some((row) => row.chance !== undefined);
  root.classList.toggle("active", data.active);
  root.classList.toggle("one", !two);
  root.classList.toggle("cosines", Boolean(data.cosines));
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.style.setProperty("--numbers", two ? 2 : 1);
  root.style.setProperty("--rank", `${Math.max(2, ...data.rows.map((row) => row.rank.length))}ch`);
  noteGhosts(root, data);
  root.redraw = () => drawRows(root, data, send);
  root.redraw();

  const letters = WORD + (two ? 2 : 1) * NUMBER + Math.max(2, ...data.rows.map((row) => row.rank.length));
  const plain = data.rows.filter((row) => !row.pinned).length;
  const scrolls = plain > data.visible;
  root.classList.toggle("scrolls", scrolls);
  // Half a row at the end says that there is more.
  const seen = Math.min(data.visible - (scrolls ? 0.5 : 0), plain);
  fillWindow(root, (free) => {
    const usual = matchMedia("(max-width: 640px)").matches ? FINGER_PX : ROW_PX;
    const rows = seen + data.rows.length - plain + (data.headings.length ? 1 : 0);
    const row = Math.min(usual + free / rows, MOST_LARGER * usual);
    root.style.setProperty("--row", `${row}px`);
    const across = (root.clientWidth - BESIDE_PX) / (letters * LETTER_PX);
    root.style.setProperty("--larger", String(Math.max(1, Math.min(row / usual, across))));
    root.querySelector(".list").style.maxHeight = `${Math.ceil(seen * row)}px`;
  });
  walkParts(root, { axis: "down" });
}

function drawRows(root, data, send) {
  const line = (row) => drawRow(row, root.ghosts.get(row.token), () => {
    if (data.active && !row.covered) send("click", data.rows.indexOf(row));
  });
  const pinned = data.rows.filter((row) => row.pinned);
  // A row scrolled into view gets the pointer or the focus before its list reports the scroll.
  const leave = () => root.tip?.part && !inView(root.tip.part.parentElement, root.tip.part) && root.tip.hide();
  render(html`
    <div class="head" ?hidden=${!data.headings.length}>${data.headings.map((text) => html`<span>${text}</span>`)}</div>
    <div class="list" @scroll=${leave}>${data.rows.filter((row) => !row.pinned).map(line)}</div>
    <div class="pinned" ?hidden=${!pinned.length}>${pinned.map(line)}</div>`, root);
}

// Keep the rows before the last change, by token, for as long as they are shown.
function noteGhosts(root, data) {
  const now = new Map(data.rows.filter((row) => !row.pinned && !row.covered).map((row) => [row.token, row]));
  const lengths = JSON.stringify([...now.values()].map((row) => [row.token, lengthOf(row)]));
  if (lengths !== root.lengths) {
    root.ghosts = data.ghosts && root.now ? root.now : new Map();
    clearTimeout(root.fading);
    root.fading = setTimeout(() => {
      root.ghosts = new Map();
      root.redraw();
    }, GHOST_MS);
  }
  [root.now, root.lengths] = [now, lengths];
}

const lengthOf = (row) => (row.state === "cut" ? 0 : (row.chance ?? row.probability));
const numberOf = (row) => (row.chance === undefined ? row.number : row.second);

// The solid bar is the chance if there is one, else the probability. The hollow bar is the model's own
// probability if the chance differs or the row is cut, or the probability of the same word elsewhere. An outline is at
// the length of the row before, if that was another.
/**
 * @param {Row} row
 * @param {Row | undefined} before
 * @param {() => unknown} click
 */
function drawRow(row, before, click) {
  const { rank, token, tip, said, number, probability, covered, state = "", chance, second, beside, repeats } = row;
  const two = chance !== undefined;
  // A very short outline would only be a stroke over the bar.
  const outlined = two || state === "cut" || (beside ?? 0) > 0.01;
  const ghost = before && Math.abs(lengthOf(before) - lengthOf(row)) > 0.0005 && numberOf(before) !== numberOf(row);
  const was = ghost ? `, ${t("was {number}", { number: numberOf(before) })}` : "";
  return html`
    <button type="button" class="row ${state} ${covered ? "covered" : ""} ${repeats ? "repeats" : ""}" aria-pressed=${state === "chosen"}
      aria-label="${rank} ${token}, ${said + was}" .tip=${tip + was} @click=${click}>
      <span class="rank">${rank}</span>
      <span class="token">${token}</span>
      <span class="track">
        <span class="solid" style="width: ${percent(lengthOf(row))}"></span>
        <span class="hollow" ?hidden=${!outlined} style="width: ${percent(beside ?? probability)}"></span>
        <span class="ghost" data-save="no" ?hidden=${!ghost} style="width: ${percent(ghost ? lengthOf(before) : 0)}"></span>
      </span>
      <span class="number first">${number}</span>
      <span class="number" ?hidden=${!two}>${second}</span>
    </button>`;
}

export default connect(draw);
