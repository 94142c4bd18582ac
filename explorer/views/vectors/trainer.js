// A training run as its visitor holds it: a button, how far it is, and the loss as a curve. When what
// came last stands on the screen it asks for more, so that nothing runs for somebody who has gone.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { button, element } from "../widgets/dom.js";
import { pointing } from "../widgets/pointing.js";
import { node } from "../widgets/svg.js";

const BREATH_MS = 260; // between two turns: the dots glide, and other visitors are served
const ASK_AGAIN_MS = 4000;
const CURVE = { wide: 300, high: 118, left: 34, top: 12, bottom: 26 };

/**
 * @typedef {object} Data
 * @property {number} run
 * @property {number} at where the training stands: what is asked for belongs to it
 * @property {number} steps
 * @property {boolean} going
 * @property {string} button
 * @property {string} note
 * @property {[number, number][]} losses step and nats
 * @property {number} start the loss of a guess
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.button) build(root);
  root.button.textContent = data.button;
  root.button.onclick = () => send("turn", data.button);
  root.note.textContent = data.note;
  root.done.style.width = `${(100 * data.at) / Math.max(data.steps, 1)}%`;
  root.setAttribute("aria-busy", data.going);
  drawCurve(root, data);

  const place = `${data.run}:${data.at}`;
  const more = () => send("more", { run: data.run, at: data.at });
  if (data.going) root.asker.ask(place, more, { after: BREATH_MS, again: ASK_AGAIN_MS });
  else root.asker.stop();
}

function build(root) {
  root.asker = asker(root);
  root.button = button("turn");
  root.note = element("span", "note");
  const track = element("div", "track");
  root.done = element("div", "done");
  track.append(root.done);
  const row = element("div", "row");
  row.append(root.button, root.note);
  root.svg = node("svg", {});
  root.svg.setAttribute("role", "img");
  root.value = element("span", "value");
  const curve = element("div", "curve");
  curve.append(root.svg, root.value);
  root.append(row, track, curve);
  pointing(curve, (event) => point(root, event), () => point(root, null));
}

/**
 * @param {any} root
 * @param {Data} data
 */
function drawCurve(root, data) {
  const { wide, high, left, top, bottom } = CURVE;
  root.svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  const most = Math.max(data.start * 1.08, ...data.losses.map(([, loss]) => loss));
  const x = (at) => left + ((wide - left - 8) * at) / Math.max(data.steps, 1);
  const y = (loss) => top + (high - top - bottom) * (1 - loss / most);
  root.points = data.losses.map(([at, loss]) => ({ at, loss, x: x(at), y: y(loss) }));
  const guess = node("line", { x1: left, x2: wide - 8, y1: y(data.start), y2: y(data.start), class: "guess" });
  const floor = node("line", { x1: left, x2: wide - 8, y1: y(0), y2: y(0), class: "floor" });
  const path = node("polyline", { points: root.points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ") });
  const words = [
    text(left - 6, y(data.start) + 5, data.start.toFixed(1), "end"),
    text(left - 6, y(0) + 5, "0", "end"),
    text(left, high - 4, "loss, nats", "start"),
  ];
  root.dot = node("circle", { r: 5 });
  root.svg.replaceChildren(floor, guess, path, ...words, root.dot);
  root.svg.setAttribute("aria-label", `loss from ${data.start.toFixed(2)} nats, now ${data.losses.at(-1)?.[1].toFixed(2) ?? "not known yet"}`);
  point(root, null);
}

// The last point, or the one below the pointer, with its numbers.
function point(root, event) {
  const { points } = root;
  let latest = points.at(-1);
  if (event && points.length) {
    const box = root.svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * CURVE.wide;
    latest = points.reduce((best, p) => (Math.abs(p.x - at) < Math.abs(best.x - at) ? p : best));
  }
  root.dot.setAttribute("visibility", latest ? "visible" : "hidden");
  root.value.textContent = latest ? `${latest.loss.toFixed(2)} at step ${latest.at}` : "";
  if (!latest) return;
  root.dot.setAttribute("cx", latest.x);
  root.dot.setAttribute("cy", latest.y);
}

function text(x, y, words, anchor) {
  const label = node("text", { x, y, "text-anchor": anchor });
  label.textContent = words;
  return label;
}

export default connect(draw);
