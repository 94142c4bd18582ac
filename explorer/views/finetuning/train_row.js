// The row of a training: a button, its progress, its loss and its score on held-out examples as curves.
// While it goes on it asks for updates, so that nothing is sent to visitors who have left; the training
// itself goes on without them.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { add, button, element, resize } from "../widgets/dom.js";
import { pointing } from "../widgets/pointing.js";
import { node } from "../widgets/svg.js";

const BREATH_MS = 300; // between two updates: the dots glide, and other visitors are served
const ASK_AGAIN_MS = 3000;
const CURVE = { wide: 240, high: 100, left: 40, right: 10, top: 12, bottom: 10 };

/**
 * @typedef {object} Data
 * @property {string} run
 * @property {number} at how many updates there were
 * @property {number} step steps so far
 * @property {number} of steps in all
 * @property {boolean} going
 * @property {string} button
 * @property {string} note
 * @property {Curve[]} curves
 */

/**
 * @typedef {object} Curve
 * @property {string} title
 * @property {[number, number][]} points step and value
 * @property {number} most the top of the axis
 * @property {number | null} level what guessing reaches
 * @property {string} caption what that is called
 * @property {boolean} percent
 * @property {boolean} [alone] whether its last value stands in large letters, without the curve
 * @property {number} [of] where its axis of steps ends, if not with the training
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  if (!root.button) build(root);
  root.button.textContent = data.button;
  root.button.onclick = () => send("turn", data.button);
  root.note.textContent = data.note;
  root.done.style.width = `${(100 * data.step) / Math.max(data.of, 1)}%`;
  root.setAttribute("aria-busy", data.going);
  const curves = resize(root.both, data.curves.length, newCurve);
  data.curves.forEach((curve, i) => drawCurve(curves[i], curve, curve.of ?? data.of));

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
  root.both = add(root, "div", "curves");
}

function newCurve() {
  const chart = element("div", "curve");
  chart.head = add(chart, "div", "head");
  chart.name = add(chart.head, "span", "title");
  chart.value = add(chart.head, "span", "value");
  chart.svg = node("svg", { viewBox: `0 0 ${CURVE.wide} ${CURVE.high}`, role: "img" });
  chart.append(chart.svg);
  pointing(chart, (event) => point(chart, event), () => point(chart, null));
  return chart;
}

function drawCurve(chart, curve, of) {
  const { wide, high, left, right, top, bottom } = CURVE;
  const x = (at) => left + ((wide - left - right) * at) / Math.max(of, 1);
  const y = (value) => top + (high - top - bottom) * (1 - Math.min(value / curve.most, 1));
  chart.say = (value) => (curve.percent ? `${Math.round(100 * value)}%` : value.toFixed(2));
  chart.classList.toggle("alone", Boolean(curve.alone));
  chart.name.textContent = curve.title;
  chart.points = curve.points.map(([at, value]) => ({ at, value, x: x(at), y: y(value) }));
  const across = (value, kind) => node("line", { x1: left, x2: wide - right, y1: y(value), y2: y(value), class: kind });
  const parts = [across(0, "floor"), text(left - 6, y(0) + 5, "0", "end")];
  if (curve.level !== null) {
    // Its name stands where the curve is not: a loss begins above the line, a score below it.
    const below = y(curve.level) + 19 < y(0) - 2;
    parts.push(across(curve.level, "guess"), text(left - 6, y(curve.level) + 5, curve.percent ? `${Math.round(100 * curve.level)}` : curve.level.toFixed(1), "end"));
    parts.push(text(wide - right, y(curve.level) + (below && curve.percent ? 19 : -5), curve.caption, "end"));
  }
  if (curve.percent && (curve.level ?? 0) < 0.85) parts.push(text(left - 6, y(1) + 5, "100", "end"));
  const path = line(chart.points);
  chart.dot = node("circle", { r: 4.5 });
  chart.svg.replaceChildren(...parts, path, chart.dot);
  const last = curve.points.at(-1);
  chart.svg.setAttribute("aria-label", `${curve.title}: ${last ? chart.say(last[1]) : "nothing yet"}`);
  point(chart, null);
}

// The last point, or the one below the pointer, with its numbers.
function point(chart, event) {
  const { points } = chart;
  let current = points.at(-1);
  if (event && points.length) {
    const box = chart.svg.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * CURVE.wide;
    current = points.reduce((best, p) => (Math.abs(p.x - at) < Math.abs(best.x - at) ? p : best));
  }
  chart.dot.setAttribute("visibility", current ? "visible" : "hidden");
  chart.value.textContent = current ? chart.say(current.value) : "";
  if (!current) return;
  chart.dot.setAttribute("cx", current.x);
  chart.dot.setAttribute("cy", current.y);
}

function line(points) {
  return node("polyline", { points: points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ") });
}

function text(x, y, words, anchor) {
  return node("text", { x, y, "text-anchor": anchor }, words);
}

export default connect(draw);
