// A mixing desk: one fader for each layer, how much of it counts, and one for the whole. What is on the
// desk may be fixed; then it only shows which layers are taken. The server hears of a movement while it
// lasts, as fast as it answers.
import { oneAtATime } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { button, element } from "../widgets/dom.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ name: string, said: string, taken: boolean, weight: number }[]} layers
 * @property {boolean} adjustable
 * @property {boolean} beside whether layers stand beside one another: then they have no shares
 * @property {{ value: number, least: number, most: number } | null} gamma
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  const desk = (root.desk ??= build(root));
  desk.send = (move) => send("move", move);
  take(desk, data);
  desk.moves.answered();
}

function build(root) {
  const desk = { root, faders: [], held: false, moves: oneAtATime((move) => desk.send(move)) };
  desk.row = element("div", "row");
  desk.row.setAttribute("role", "group");
  root.append(desk.row);
  const release = () => (desk.held = false);
  for (const event of ["pointerup", "pointercancel", "blur"]) root.addEventListener(event, release, true);
  return desk;
}

/**
 * @param {any} desk
 * @param {Data} data
 */
function take(desk, data) {
  desk.row.setAttribute("aria-label", data.label);
  const shape = JSON.stringify([data.layers.map((layer) => layer.name), data.adjustable, Boolean(data.gamma)]);
  if (shape !== desk.shape) lay(desk, data, shape);
  data.layers.forEach((layer, i) => {
    const fader = desk.faders[i];
    fader.classList.toggle("off", !layer.taken);
    if (!desk.held && !desk.moves.waits) fader.input.value = layer.weight;
  });
  if (data.gamma && !desk.held && !desk.moves.waits) desk.gamma.input.value = data.gamma.value;
  desk.adjustable = data.adjustable;
  desk.beside = data.beside;
  tell(desk);
}

/**
 * @param {any} desk
 * @param {Data} data
 * @param {any} shape
 */
function lay(desk, data, shape) {
  desk.shape = shape;
  desk.faders = data.layers.map((layer, i) => fader(desk, layer.name, layer.said, 0, 100, 1, data.adjustable && layer.taken, i));
  const { gamma } = data;
  desk.gamma = gamma && fader(desk, "γ", "gamma, the size of everything", gamma.least, gamma.most, 0.05, true, -1);
  desk.gamma?.classList.add("gamma");
  desk.alike = button("alike", "All alike", () => {
    for (const each of desk.faders) each.input.value = 50;
    if (desk.gamma) desk.gamma.input.value = 1;
    moved(desk);
  });
  desk.alike.hidden = !data.adjustable;
  desk.row.classList.toggle("many", data.layers.length > 14); // no room for the shares of each
  desk.row.replaceChildren(...desk.faders, ...(desk.gamma ? [desk.gamma] : []), desk.alike);
}

function fader(desk, name, said, least, most, step, moves, index) {
  const made = element("div", "fader");
  const solo = button("solo", name, () => {
    desk.faders.forEach((each, i) => (each.input.value = i === index ? 100 : 0));
    moved(desk);
  });
  solo.disabled = !moves || index < 0;
  solo.title = solo.disabled ? "" : `Only ${said}`;
  const slot = element("div", "slot");
  made.fill = element("div", "fill");
  made.input = element("input", "");
  Object.assign(made.input, { type: "range", min: least, max: most, step, disabled: !moves });
  made.input.setAttribute("aria-label", said);
  made.input.addEventListener("pointerdown", () => (desk.held = true));
  made.input.addEventListener("input", () => moved(desk));
  slot.append(made.fill, made.input);
  made.share = element("span", "share");
  made.append(solo, slot, made.share);
  return made;
}

function moved(desk) {
  tell(desk);
  desk.moves.ask({ weights: weights(desk), gamma: desk.gamma ? Number(desk.gamma.input.value) : null });
}

function weights(desk) {
  return desk.faders.map((each) => Number(each.input.value));
}

// Each layer's share of the whole, below its fader.
function tell(desk) {
  const all = weights(desk);
  const total = all.reduce((sum, each, i) => sum + (desk.faders[i].classList.contains("off") ? 0 : each), 0);
  desk.faders.forEach((each, i) => {
    const off = each.classList.contains("off");
    const share = off ? 0 : total ? all[i] / total : 0;
    each.fill.style.height = off ? "0" : `${all[i]}%`;
    each.share.textContent = off ? "" : desk.beside ? "" : share.toFixed(2);
    each.input.setAttribute("aria-valuetext", `${share.toFixed(2)} of the whole`);
  });
  if (!desk.gamma) return;
  const { input, fill, share } = desk.gamma;
  share.textContent = Number(input.value).toFixed(2);
  fill.style.height = `${(100 * (input.value - input.min)) / (input.max - input.min)}%`;
}

export default connect(draw);
