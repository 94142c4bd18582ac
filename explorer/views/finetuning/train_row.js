// A training as its visitor holds it: a button, how far it is, the loss and the score on examples kept
// aside as curves. While it goes on it asks for what came since, so that nothing is sent to somebody who
// has gone; the training itself runs on without.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { add, button, element } from "../widgets/dom.js";
import { node } from "../widgets/svg.js";

const BREATH_MS = 300; // between two looks: the dots glide, and other visitors are served
const ASK_AGAIN_MS = 3000;
const CURVE = { wide: 240, high: 100, left: 40, right: 10, top: 12, bottom: 10 };

/**
 * @typedef {object} Data
 * @property {string} run
 * @property {number} at how often the page has looked: what is asked for belongs to it
 * @property {number} done steps made
 * @property {number} of steps in all
 * @property {boolean} going
 * @property {string} button
 * @property {boolean} idle whether the button does nothing now
 * @property {string} note
 * @property {{ title: string, points: [number, number][], most: number, line: number | null, lined: string, percent: boolean }[]} curves
 *   step and value; `line` is what guessing reaches, and `lined` what it is called
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  if (!root.button) build(root);
  root.button.textContent = data.button;
  root.button.disabled = data.idle;
  root.button.onclick = () => send("turn", data.button);
  root.note.textContent = data.note;
  root.done.style.width = `${(100 * data.done) / Math.max(data.of, 1)}%`;
  root.setAttribute("aria-busy", data.going);
  data.curves.forEach((curve, i) => drawCurve(root.curves[i], curve, data.of));

  const more = () => send("more", { run: data.run, at: data.at });
  if (data.going) root.asker.ask(`${data.run}:${data.at}`, more, { after: BREATH_MS, again: ASK_AGAIN_MS });
  else root.asker.stop();
}

function build(root) {
  root.asker = asker(root);
  const row = add(root, "div", "row");
  root.button = button("turn");
  root.note = element("span", "note");
  root.note.setAttribute("role", "status");
  row.append(root.button, root.note);
  root.done = add(add(root, "div", "track"), "div", "done");
  const both = add(root, "div", "curves");
  root.curves = [0, 1].map(() => newCurve(both));
}

function newCurve(parent) {
  const made = add(parent, "div", "curve");
  made.head = add(made, "div", "head");
  made.name = add(made.head, "span", "title");
  made.told = add(made.head, "span", "told");
  made.svg = node("svg", { viewBox: `0 0 ${CURVE.wide} ${CURVE.high}`, role: "img" });
  made.append(made.svg);
  made.addEventListener("pointermove", (event) => point(made, event));
  made.addEventListener("pointerleave", () => point(made, null));
  return made;
}

function drawCurve(made, curve, of) {
  const { wide, high, left, right, top, bottom } = CURVE;
  const x = (at) => left + ((wide - left - right) * at) / Math.max(of, 1);
  const y = (value) => top + (high - top - bottom) * (1 - Math.min(value / curve.most, 1));
  made.say = (value) => (curve.percent ? `${Math.round(100 * value)} %` : value.toFixed(2));
  made.name.textContent = curve.title;
  made.points = curve.points.map(([at, value]) => ({ at, value, x: x(at), y: y(value) }));
  const across = (value, kind) => node("line", { x1: left, x2: wide - right, y1: y(value), y2: y(value), class: kind });
  const parts = [across(0, "floor"), text(left - 6, y(0) + 5, curve.percent ? "0" : "0", "end")];
  if (curve.line !== null) {
    // Its name stands where the curve is not: a loss begins above the line, a score below it.
    const below = y(curve.line) + 19 < y(0) - 2;
    parts.push(across(curve.line, "guess"), text(left - 6, y(curve.line) + 5, curve.percent ? `${Math.round(100 * curve.line)}` : curve.line.toFixed(1), "end"));
    parts.push(text(wide - right, y(curve.line) + (below && curve.percent ? 19 : -5), curve.lined, "end"));
  }
  if (curve.percent && (curve.line ?? 0) < 0.85) parts.push(text(left - 6, y(1) + 5, "100", "end"));
  const path = node("polyline", { points: made.points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ") });
  made.dot = node("circle", { r: 4.5 });
  made.svg.replaceChildren(...parts, path, made.dot);
  const last = curve.points.at(-1);
  made.svg.setAttribute("aria-label", `${curve.title}: ${last ? made.say(last[1]) : "nothing yet"}`);
  point(made, null);
}

// The last point, or the one below the pointer, with its numbers.
function point(made, event) {
  const { points } = made;
  let told = points.at(-1);
  if (event && points.length) {
    const box = made.svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * CURVE.wide;
    told = points.reduce((best, p) => (Math.abs(p.x - at) < Math.abs(best.x - at) ? p : best));
  }
  made.dot.setAttribute("visibility", told ? "visible" : "hidden");
  made.told.textContent = told ? made.say(told.value) : "";
  if (!told) return;
  made.dot.setAttribute("cx", told.x);
  made.dot.setAttribute("cy", told.y);
}

function text(x, y, words, anchor) {
  const made = node("text", { x, y, "text-anchor": anchor });
  made.textContent = words;
  return made;
}

export default connect(draw);
