// From logits to choice: a row a token, a column a stage. Rows are updated in place, so that bars ease
// from one setting to the next; what is cut stays, hollow. Below, the line from 0 to 1 with the number drawn.
import { connect } from "../widgets/connect.js";
import { button, element, partOf, resize } from "../widgets/dom.js";
import { percent } from "../widgets/numbers.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

const LETTER_PX = 9.6; // of the code font at 16 px

/**
 * @typedef {object} Data
 * @property {{
 *   id: number, rank: string, token: string, tip: string, number: string, state: string, cut: unknown, covered: boolean,
 *   branch: string, logit: { bar: number, number: string }, scaled: { bar: number, number: string },
 *   after_temperature: number, chance: number,
 *   }[]} rows
 * @property {{ token: string, chance: number, after_temperature: number, number: string }} rest all other tokens together
 * @property {{ id: number, name: string, from: number, to: number, wide: boolean, hit: boolean }[]} ruler
 * @property {string[]} headings
 * @property {string} title
 * @property {string} which
 * @property {string} says
 * @property {number | null} instead the token on which the draw falls, where another one was taken
 * @property {number | null} draw from 0 to 1
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.list) build(root);
  root.data = data;
  root.heading.textContent = data.title;
  root.which.textContent = data.which;
  data.headings.forEach((text, index) => (root.heads[index].textContent = text));
  const rows = resize(root.list, data.rows.length, () => newRow());
  data.rows.forEach((row, index) => update(rows[index], row));
  if (!rows.some((row) => row.tabIndex === 0) && rows.length) rows[0].tabIndex = 0;
  others(root.others, data.rest);
  ruler(root, data);
  root.says.textContent = data.says;
  root.take.hidden = data.instead === null;
  root.take.onclick = () => send("pick", data.instead);
  root.line.onclick = (event) => {
    const part = partOf(event, ".part");
    if (part) send("pick", part.token);
  };
  root.list.onclick = (event) => {
    const row = partOf(event, "button");
    if (row && !row.data.covered && row.data.state !== "taken") send("pick", row.data.id);
  };
}

function build(root) {
  const head = element("div", "head");
  root.heading = element("b", "title");
  root.which = element("span", "which");
  head.append(root.heading, root.which);
  const columns = element("div", "columns");
  root.heads = [0, 1, 2].map(() => element("span"));
  columns.append(...root.heads);
  root.list = element("div", "list");
  root.list.setAttribute("role", "group");
  root.list.setAttribute("aria-label", "Candidates of this step, from logit to chance; click one to take it");
  root.others = newRow("div");
  root.others.classList.add("others");
  root.line = element("div", "line");
  root.line.setAttribute("role", "img");
  root.pin = element("i", "pin");
  root.line.append(root.pin);
  const foot = element("div", "foot");
  root.says = element("span", "says");
  root.take = button("take", "Branch");
  root.take.title = "Take the token on which the number falls";
  root.take.dataset.save = "no";
  foot.append(root.line, root.says, root.take);
  root.append(head, columns, root.list, root.others, foot);
  root.tip = tooltip(root, { of: ".row, .part" });
  new ResizeObserver(() => root.data && ruler(root, root.data)).observe(root.line);
  roving(root.list, () => [...root.list.children], { axis: "down" });
}

function newRow(tag = "button") {
  const row = element(tag, "row");
  if (tag === "button") row.type = "button";
  if (tag === "button") row.tabIndex = -1;
  row.parts = {};
  for (const name of ["rank", "token"]) row.append((row.parts[name] = element("span", name)));
  for (const name of ["logit", "scaled", "chance"]) {
    const track = element("span", `track ${name}`);
    const bar = element("span", "bar");
    const number = element("span", "number");
    track.append(bar);
    row.parts[name] = { track, bar, number };
    row.append(track, number);
  }
  row.parts.hollow = element("span", "hollow");
  row.parts.chance.track.append(row.parts.hollow);
  return row;
}

function update(row, data) {
  const { parts } = row;
  row.data = data;
  row.tip = `${data.token.trim()}: ${data.tip}`; // a long token is cut in its row
  row.className = `row ${data.state}`;
  row.classList.toggle("cut", Boolean(data.cut));
  row.classList.toggle("covered", data.covered);
  parts.rank.textContent = data.rank;
  parts.token.textContent = data.token;
  parts.token.classList.toggle("forked", Boolean(data.branch) && data.state !== "taken");
  for (const name of ["logit", "scaled"]) {
    parts[name].bar.style.width = percent(data[name].bar);
    parts[name].number.textContent = data[name].number;
  }
  parts.chance.bar.style.width = percent(data.cut ? 0 : data.chance);
  parts.hollow.style.width = percent(data.after_temperature);
  parts.chance.number.textContent = data.number;
  row.setAttribute("aria-pressed", data.state === "taken");
  const branch = data.branch && data.state !== "taken" ? `, leads to ${data.branch}` : "";
  row.setAttribute("aria-label", `${data.rank} ${data.token}, ${data.tip}${branch}`);
}

function others(row, data) {
  row.parts.token.textContent = data.token;
  row.parts.chance.bar.style.width = percent(data.chance);
  row.parts.hollow.style.width = percent(data.after_temperature);
  row.parts.chance.number.textContent = data.number;
}

/**
 * Parts keep their element by token, so that they glide when a setting moves.
 * @param {any} root
 * @param {Data} data
 */
function ruler(root, data) {
  const { line, pin } = root;
  const old = new Map([...line.querySelectorAll(".part")].map((part) => [part.token, part]));
  for (const part of data.ruler) {
    const span = old.get(part.id) || element("span", "part");
    old.delete(part.id);
    span.token = part.id;
    span.textContent = part.wide && LETTER_PX * (part.name.length + 0.5) <= (part.to - part.from) * line.clientWidth ? part.name : "";
    span.tip = `${part.name}: from ${part.from.toFixed(4)} to ${part.to.toFixed(4)}`;
    span.classList.toggle("hit", part.hit);
    span.style.left = percent(part.from);
    span.style.width = percent(part.to - part.from);
    if (!span.isConnected) line.insertBefore(span, pin);
  }
  for (const part of old.values()) part.remove();
  pin.hidden = data.draw === null;
  pin.style.left = percent(data.draw ?? 0);
  line.setAttribute("aria-label", `The draw, on a line from 0 to 1. ${data.says}`);
}

export default connect(draw);
