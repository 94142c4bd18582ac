// One fader for each layer, how much of it counts, and one for the whole. They may be fixed; then they only
// show which layers are taken. The server hears of a movement while it lasts, as fast as it answers.
import { oneAtATime } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { button, element } from "../widgets/dom.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ name: string, label: string, in_use: boolean, weight: number }[]} layers
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
  const mixer = (root.mixer ??= build(root));
  mixer.send = (move) => send("move", move);
  take(mixer, data);
  mixer.moves.answered();
}

function build(root) {
  const mixer = { root, faders: [], held: false, moves: oneAtATime((move) => mixer.send(move)) };
  mixer.row = element("div", "row");
  mixer.row.setAttribute("role", "group");
  root.append(mixer.row);
  const release = () => (mixer.held = false);
  for (const event of ["pointerup", "pointercancel", "blur"]) root.addEventListener(event, release, true);
  return mixer;
}

/**
 * @param {any} mixer
 * @param {Data} data
 */
function take(mixer, data) {
  mixer.row.setAttribute("aria-label", data.label);
  const shape = JSON.stringify([data.layers.map((layer) => layer.name), data.adjustable, Boolean(data.gamma)]);
  if (shape !== mixer.shape) lay(mixer, data, shape);
  data.layers.forEach((layer, i) => {
    const fader = mixer.faders[i];
    fader.classList.toggle("off", !layer.in_use);
    if (!mixer.held && !mixer.moves.waits) fader.input.value = layer.weight;
  });
  if (data.gamma && !mixer.held && !mixer.moves.waits) mixer.gamma.input.value = data.gamma.value;
  mixer.adjustable = data.adjustable;
  mixer.beside = data.beside;
  tell(mixer);
}

/**
 * @param {any} mixer
 * @param {Data} data
 * @param {any} shape
 */
function lay(mixer, data, shape) {
  mixer.shape = shape;
  mixer.faders = data.layers.map((layer, i) => fader(mixer, layer.name, layer.label, 0, 100, 1, data.adjustable && layer.in_use, i));
  const { gamma } = data;
  mixer.gamma = gamma && fader(mixer, "γ", "gamma, the size of everything", gamma.least, gamma.most, 0.05, true, -1);
  mixer.gamma?.classList.add("gamma");
  mixer.alike = button("alike", "All alike", () => {
    for (const each of mixer.faders) each.input.value = 50;
    if (mixer.gamma) mixer.gamma.input.value = 1;
    moved(mixer);
  });
  mixer.alike.hidden = !data.adjustable;
  mixer.row.classList.toggle("many", data.layers.length > 14); // no room for the shares of each
  mixer.row.replaceChildren(...mixer.faders, ...(mixer.gamma ? [mixer.gamma] : []), mixer.alike);
}

function fader(mixer, name, values, least, most, step, moves, index) {
  const strip = element("div", "fader");
  const solo = button("solo", name, () => {
    mixer.faders.forEach((each, i) => (each.input.value = i === index ? 100 : 0));
    moved(mixer);
  });
  solo.disabled = !moves || index < 0;
  solo.title = solo.disabled ? "" : `Only ${values}`;
  const slot = element("div", "slot");
  strip.fill = element("div", "fill");
  strip.input = element("input", "");
  Object.assign(strip.input, { type: "range", min: least, max: most, step, disabled: !moves });
  strip.input.setAttribute("aria-label", values);
  strip.input.addEventListener("pointerdown", () => (mixer.held = true));
  strip.input.addEventListener("input", () => moved(mixer));
  slot.append(strip.fill, strip.input);
  strip.share = element("span", "share");
  strip.append(solo, slot, strip.share);
  return strip;
}

function moved(mixer) {
  tell(mixer);
  mixer.moves.ask({ weights: weights(mixer), gamma: mixer.gamma ? Number(mixer.gamma.input.value) : null });
}

function weights(mixer) {
  return mixer.faders.map((each) => Number(each.input.value));
}

// Each layer's share of the whole, below its fader.
function tell(mixer) {
  const all = weights(mixer);
  const total = all.reduce((sum, each, i) => sum + (mixer.faders[i].classList.contains("off") ? 0 : each), 0);
  mixer.faders.forEach((each, i) => {
    const off = each.classList.contains("off");
    const share = off ? 0 : total ? all[i] / total : 0;
    each.fill.style.height = off ? "0" : `${all[i]}%`;
    each.share.textContent = off ? "" : mixer.beside ? "" : share.toFixed(2);
    each.input.setAttribute("aria-valuetext", `${share.toFixed(2)} of the whole`);
  });
  if (!mixer.gamma) return;
  const { input, fill, share } = mixer.gamma;
  share.textContent = Number(input.value).toFixed(2);
  fill.style.height = `${(100 * (input.value - input.min)) / (input.max - input.min)}%`;
}

export default connect(draw);
