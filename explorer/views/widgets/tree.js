// The tree of continuations: its branches one below the other, each as wide at a token as the token was probable.
// The branch on the screen is dark up to the step in view. A click walks there; arrow keys go from branch to branch.
import { connect } from "./connect.js";
import { setDirection } from "./direction.js";
import { zoomOf } from "./dom.js";
import { html, nothing, render, svg } from "./lit.js";
import { pointing } from "./pointing.js";
import { roving } from "./roving.js";
import { tooltip } from "./tooltip.js";
import { t } from "./translations.js";

const ROW = 44, LINE = 33, PAD = 7, LEAST = 12;
const NAME = 26, LETTER = 10; // px of a branch’s name, at the top of its row, and of a letter of it with some to spare

/**
 * @typedef {object} Data
 * @property {{
 *   number: number, parent: number, at: number, name: string, called: string, words: string,
 *   widths: number[], tips: string[],
 *   }[]} branches from top to bottom; `widths` are the probabilities of a branch's own tokens, from token `at` on
 * @property {number} here the branch on the screen
 * @property {number} length its tokens
 * @property {number} shown the step in view
 * @property {number} versus the branch that it is compared with, or -1
 * @property {boolean} undo whether there is something to undo
 * @property {string} says
 * @property {string} [heading] the heading; by default the number of branches
 * @property {boolean} [fixed] whether branches can be neither cut nor named
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  if (!root.field) build(root);
  root.send = (action, more = {}) => send("act", { what: action, number: data.here, ...more });
  root.data = data;
  drawTree(root, data);
  const here = data.branches.find((branch) => branch.number === data.here);
  root.foot.hidden = Boolean(data.fixed) || (data.branches.length < 2 && !data.undo); // with one branch there is nothing to do
  root.field.classList.toggle("tall", root.foot.hidden);
  root.field.classList.toggle("fixed", Boolean(data.fixed));
  root.undo.disabled = !data.undo;
  root.prune.disabled = !here || here.parent < 0;
  if (root.getRootNode().activeElement !== root.name) root.name.value = here?.name || "";
  root.name.placeholder = here?.called || "";
  choices(root, data);
  root.says.textContent = data.says;
}

function build(root) {
  render(html`
    <div class="head"><span class="count"></span></div>
    <div class="field" role="group" aria-label=${t("The tree of branches")}><svg aria-hidden="true"></svg><div class="names"></div></div>
    <div class="foot" data-save="no">
      <input class="name" data-needs="model" aria-label=${t("Name of this branch")} maxlength="40" dir="auto" /><select class="versus" aria-label=${t("Compare this branch with another")}></select>
      <button type="button" class="control prune" data-needs="model" title=${t("Cut this branch and all that grew from it")} @click=${() => root.send("prune")}>${t("Prune")}</button>
      <button type="button" class="control undo" data-needs="model" title=${t("Undo the last fork, cut or name")} @click=${() => root.send("undo")}>${t("Undo")}</button>
    </div>
    <div class="says"></div>`, root);
  for (const part of ["count", "field", "names", "foot", "name", "versus", "prune", "undo", "says"]) root[part] = root.querySelector(`.${part}`);
  root.svg = root.querySelector("svg");
  root.tip = tooltip(root, { gap: ROW - NAME });

  root.name.addEventListener("keydown", (event) => {
    if (event.key === "Enter") root.name.blur();
    event.stopPropagation(); // so that the app's one-letter shortcuts do not act
  });
  root.name.addEventListener("blur", () => {
    const here = root.data.branches.find((branch) => branch.number === root.data.here);
    if (here && root.name.value.trim() !== here.name) root.send("name", { name: root.name.value.trim() });
  });
  root.versus.addEventListener("change", () => {
    const number = Number(root.versus.value);
    root.send("compare", { number: number < 0 ? root.data.here : number });
  });
  root.field.addEventListener("keydown", (event) => {
    if (event.key === "Delete" && !root.foot.hidden && root.names.contains(event.target) && !root.prune.disabled) root.send("prune");
  });
  roving(root.field, () => [...root.names.children], { axis: "down", stops: false });
  const spot = (event) => {
    const zoom = zoomOf(root);
    const box = root.svg.getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / zoom / ROW);
    const branch = root.data.branches[row];
    if (!branch) return null;
    const left = (event.clientX - box.left) / zoom;
    const at = Math.floor((left - PAD) / root.step);
    const name = root.names.children[row];
    const onName = (event.clientY - box.top) / zoom - row * ROW < NAME && left >= name.offsetLeft;
    return { branch, at, own: at - branch.at, row, shortened: onName && name.dataset.shortened };
  };
  root.field.addEventListener("click", (event) => {
    const place = spot(event);
    if (!place || event.detail === 0) return;
    const on = place.own >= 0 && place.own < place.branch.widths.length;
    root.send("walk", { number: place.branch.number, at: on ? place.at : -1 });
  });
  const point = (event) => {
    const place = spot(event);
    const tip = place?.shortened || place?.branch.tips[place.own];
    root.tip.show(tip ? root.names.children[place.row] : null, tip);
  };
  pointing(root.field, point, root.tip.hide);
  let width = 0;
  new ResizeObserver(() => {
    if (root.field.clientWidth === width) return;
    width = root.field.clientWidth;
    requestAnimationFrame(() => root.data && drawTree(root, root.data));
  }).observe(root.field);
}

/**
 * @param {any} root
 * @param {Data} data
 */
function drawTree(root, data) {
  const { names, field } = root;
  const count = data.branches.length;
  root.count.textContent = data.heading ? data.heading : count === 1 ? t("The tree: one branch so far") : t("The tree: {count} branches", { count });
  const longest = Math.max(LEAST, ...data.branches.map((branch) => branch.at + branch.widths.length));
  const width = field.clientWidth || 380;
  root.step = (width - 2 * PAD) / longest;
  const x = (at) => PAD + at * root.step;
  const y = (row) => row * ROW + LINE;
  root.svg.setAttribute("width", width);
  root.svg.setAttribute("height", count * ROW);
  names.style.height = `${count * ROW}px`;
  const trail = path(data);
  const lines = data.branches.flatMap((branch, row) => branch.widths.map((probability, own) => {
    const at = branch.at + own;
    const forks = own === 0 && branch.parent >= 0;
    const [from, to] = [[x(at), y(forks ? branch.parent : row)], [x(at + 1), y(row)]];
    const on = at < (trail.get(branch.number) ?? 0);
    return { on, at, row, d: `M${from} C${from[0]},${to[1]} ${from[0]},${to[1]} ${to}`, thick: 2 + 8 * probability };
  }));
  const line = ({ on, d, thick }) => svg`<path class=${on ? "on" : "off"} d=${d} fill="none" stroke-width=${thick}></path>`;
  const spot = lines.find(({ on, at }) => on && at === data.shown);
  // The spot is last, so that no line covers it.
  render(svg`${[false, true].map((on) => lines.filter((one) => one.on === on).map(line))}
    ${spot ? svg`<circle class="spot" cx=${x(spot.at + 0.5)} cy=${y(spot.row)} r="6.5"></circle>` : nothing}`, root.svg);
  const branch = ({ number, parent, at, name, called, words }, index) => {
    const left = Math.min(x(at + (parent < 0 ? 0 : 1)), width * (data.fixed ? 0.86 : 0.62));
    const letters = [...words], fit = Math.floor((width - left - PAD - 8) / LETTER) - (name ? name.length + 2 : 0);
    const shortened = letters.length > fit;
    const here = number === data.here;
    const walk = (event) => event.detail === 0 && root.send("walk", { number, at: -1 }); // the field hears the mouse
    return html`
      <button type="button" class="branch ${here ? "here" : ""} ${number === data.versus ? "rival" : ""}" tabindex=${here ? 0 : -1}
        style="top: ${index * ROW}px; left: ${left}px; max-width: ${width - left - PAD}px" data-shortened=${shortened ? words : ""}
        aria-pressed=${here} aria-label=${t("Branch {name}: {words}", { name: called, words })} @click=${walk}>${name ? html`<b>${name}: </b>` : nothing}<span
        class="words">${shortened ? `${letters.slice(0, Math.max(fit - 1, 0)).join("")}…` : words}</span></button>`;
  };
  const focused = [...names.children].findIndex((row) => row === root.getRootNode().activeElement);
  render(data.branches.map(branch), names);
  names.querySelectorAll(".words").forEach((words, i) => setDirection(words, data.branches[i].words));
  if (focused >= 0) names.children[Math.min(focused, count - 1)]?.focus({ preventScroll: true });
  const row = data.branches.findIndex((branch) => branch.number === data.here);
  if (root.last !== data.here) {
    root.last = data.here;
    field.scrollTop = Math.max(0, (row + 1) * ROW - field.clientHeight);
  }
}

/**
 * How far the branch on the screen follows each of its parts.
 * @param {Data} data
 */
function path(data) {
  const until = new Map();
  let branch = data.branches.find((one) => one.number === data.here);
  let end = data.length;
  while (branch) {
    until.set(branch.number, end);
    end = branch.at;
    branch = data.branches[branch.parent];
  }
  return until;
}

/**
 * @param {any} root
 * @param {Data} data
 */
function choices(root, data) {
  const others = data.branches.filter((branch) => branch.number !== data.here);
  const options = [["-1", t("Compare with")], ...others.map((branch) => [String(branch.number), branch.called])];
  render(options.map(([value, text]) => html`<option value=${value}>${text}</option>`), root.versus);
  root.versus.disabled = others.length === 0;
  root.versus.value = String(data.versus);
}

export default connect(draw);
