// Candidates as horizontal bars: hover shows the full numbers, a click acts, arrow keys walk.
// Rows are updated in place, so that a bar moves smoothly to its new length; an outline stays for some
// seconds where the bar of the same token ended before. Pinned rows stay in view below the list, which
// scrolls when it is long.
import { connect } from "./connect.js";
import { add, button, element, partOf, resize } from "./dom.js";
import { fillWindow } from "./fill_window.js";
import { inView } from "./into_view.js";
import { percent } from "./numbers.js";
import { roving } from "./roving.js";
import { tooltip } from "./tooltip.js";

const ROW_PX = 27;
const FINGER_PX = 40; // a row on a phone
const MOST_LARGER = 2; // times, in presenter mode
const GHOST_MS = 15_000; // that the lengths before a change stay in view

/**
 * @typedef {object} Data
 * @property {{
 *   rank: string, token: string, tip: string, number: string, probability: number, covered: boolean, state?: string,
 *   chance?: number, second?: string, beside?: number, pinned?: boolean,
 *   }[]} rows
 * @property {string[]} headings
 * @property {string} label
 * @property {boolean} active whether a click acts
 * @property {number} visible rows in view
 * @property {boolean} cosines
 * @property {boolean} [ghosts] whether the lengths before a change are shown
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("./connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.list) build(root);
  const two = data.rows.some((row) => row.chance !== undefined);
  root.classList.toggle("active", data.active);
  root.classList.toggle("one", !two);
  root.classList.toggle("cosines", Boolean(data.cosines));
  root.setAttribute("aria-label", data.label);
  root.style.setProperty("--numbers", two ? 2 : 1);
  root.style.setProperty("--rank", `${Math.max(2, ...data.rows.map((row) => row.rank.length))}ch`);
  root.head.hidden = data.headings.length === 0;
  root.head.replaceChildren(...data.headings.map((text) => element("span", "", text)));

  const plain = data.rows.filter((row) => !row.pinned);
  resize(root.list, plain.length, newRow);
  resize(root.pinned, data.rows.length - plain.length, newRow);
  const scrolls = plain.length > data.visible;
  root.classList.toggle("scrolls", scrolls);
  // Half a row at the end says that there is more.
  const seen = Math.min(data.visible - (scrolls ? 0.5 : 0), plain.length);
  fillWindow(root, (free) => {
    const usual = matchMedia("(max-width: 640px)").matches ? FINGER_PX : ROW_PX;
    const row = Math.min(usual + free / (seen + root.pinned.children.length + (data.headings.length ? 1 : 0)), MOST_LARGER * usual);
    root.style.setProperty("--row", `${row}px`);
    root.style.setProperty("--larger", String(row / usual));
    root.list.style.maxHeight = `${Math.ceil(seen * row)}px`;
  });
  root.pinned.hidden = data.rows.length === plain.length;
  const buttons = rows(root);
  const ghosts = ghostsOf(root, data);
  data.rows.forEach((row, index) => update(buttons[index], row, index, ghosts.get(row.token)));
  if (buttons.length && !buttons.some((each) => each.tabIndex === 0)) buttons[0].tabIndex = 0;
  root.tip.refresh();

  root.onclick = (event) => {
    const row = partOf(event, "button");
    if (row && data.active && !row.covered) send("click", Number(row.dataset.index));
  };
}

function build(root) {
  for (const part of ["head", "list", "pinned"]) root[part] = add(root, "div", part);
  root.setAttribute("role", "group");
  root.tip = tooltip(root, { of: "button" });
  // A row scrolled into view gets the pointer or the focus before its list reports the scroll.
  root.list.addEventListener("scroll", () => {
    const row = root.tip.part;
    if (row && !inView(row.parentElement, row)) root.tip.hide();
  });
  roving(root, () => rows(root), { axis: "down" });
}

// The rows before the last change, by token, for as long as they are shown.
function ghostsOf(root, data) {
  const now = new Map(data.rows.filter((row) => !row.pinned && !row.covered).map((row) => [row.token, row]));
  const lengths = JSON.stringify([...now.values()].map((row) => [row.token, lengthOf(row)]));
  if (lengths !== root.lengths) {
    root.ghosts = data.ghosts && root.now ? root.now : new Map();
    clearTimeout(root.fading);
    root.fading = setTimeout(() => {
      root.ghosts = new Map();
      rows(root).forEach((line) => setGhost(line, undefined));
    }, GHOST_MS);
  }
  [root.now, root.lengths] = [now, lengths];
  return root.ghosts;
}

const lengthOf = (row) => (row.state === "cut" ? 0 : (row.chance ?? row.probability));
const numberOf = (row) => (row.chance === undefined ? row.number : row.second);

// An outline at the length of the row before, if that was another.
function setGhost(line, before) {
  const { ghost } = line.parts;
  const differs = before && Math.abs(lengthOf(before) - line.share) > 0.0005 && numberOf(before) !== line.number;
  ghost.hidden = !differs;
  if (differs) ghost.style.width = percent(Math.max(lengthOf(before), 0));
  line.tip = line.told + (differs ? `, was ${numberOf(before)}` : "");
}

function rows(root) {
  return [...root.list.children, ...root.pinned.children];
}

function newRow() {
  const row = button("row");
  row.tabIndex = -1;
  row.parts = {
    rank: element("span", "rank"),
    token: element("span", "token"),
    ghost: element("span", "ghost"),
    hollow: element("span", "hollow"),
    solid: element("span", "solid"),
    first: element("span", "number first"),
    second: element("span", "number"),
  };
  const track = element("span", "track");
  row.parts.ghost.dataset.save = "no"; // no part of a saved picture
  track.append(row.parts.solid, row.parts.hollow, row.parts.ghost);
  row.append(row.parts.rank, row.parts.token, track, row.parts.first, row.parts.second);
  return row;
}

// The solid bar is the chance if there is one, else the probability. The hollow bar is the model's own
// probability if the chance differs or the row is cut, or the probability of the same word elsewhere.
function update(line, row, index, before) {
  const { rank, token, hollow, solid, first, second } = line.parts;
  const two = row.chance !== undefined;
  line.className = `row ${row.state || ""}`;
  line.dataset.index = index;
  line.covered = row.covered;
  line.classList.toggle("covered", row.covered);
  line.setAttribute("aria-pressed", row.state === "chosen");
  rank.textContent = row.rank;
  token.textContent = row.token;
  first.textContent = row.number;
  second.textContent = two ? row.second : "";
  second.hidden = !two;
  solid.style.width = row.state === "cut" ? "0%" : percent(two ? row.chance : row.probability);
  const elsewhere = row.beside !== undefined;
  hollow.style.width = percent(elsewhere ? row.beside : row.probability);
  // A very short outline would only be a stroke over the bar.
  const outlined = elsewhere && row.beside > 0.01;
  hollow.hidden = !(two || outlined || row.state === "cut");
  [line.told, line.share, line.number] = [row.tip, lengthOf(row), numberOf(row)];
  setGhost(line, before);
  line.setAttribute("aria-label", `${row.rank} ${row.token}, ${line.tip}`);
}

export default connect(draw);
