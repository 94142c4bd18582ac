// The row of a training: a button, its progress, its loss and its score on held-out examples as curves.
// While it goes on it asks for updates, so that nothing is sent to visitors who have left.
import { asker } from "./answers.js";
import { connect } from "./connect.js";
import { html, nothing, render, svg } from "./lit.js";
import { fixed, perCent } from "./numbers.js";
import { pointing } from "./pointing.js";
import { t } from "./translations.js";

const BREATH_MS = 300; // between two updates: the dots glide, and other visitors are served
const ASK_AGAIN_MS = 3000;
const CURVE = { wide: 240, high: 100, left: 40, right: 10, top: 12, bottom: 10 };

/**
 * @typedef {object} Data
 * @property {string | number} run
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
 * @property {boolean} [plain] without its numbers
 * @property {[number, number][]} points step and value
 * @property {number} most the top of the axis
 * @property {number | null} level what guessing reaches
 * @property {string} caption what that is called
 * @property {boolean} percent
 * @property {boolean} [alone] whether its last value stands in large letters, without the curve
 * @property {number} [of] where its axis of steps ends, if not with the training
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.asker ??= asker(root);
  root.setAttribute("aria-busy", data.going);
  const turn = () => {
    send("turn", data.button);
    if (matchMedia("(max-width: 640px)").matches) root.scrollIntoView(); // the picture is below
  };
  render(html`
    <div class="row">
      <button type="button" class="control main turn" data-needs="model" @click=${turn}>${data.button}</button>
      <span class="note" role="status">${data.note}</span>
    </div>
    <div class="track"><div class="done" style="width: ${(100 * data.step) / Math.max(data.of, 1)}%"></div></div>
    <div class="curves">${data.curves.map(() => html`<div class="curve"></div>`)}</div>`, root);
  root.querySelectorAll(".curve").forEach((chart, i) => {
    const { of = data.of } = data.curves[i];
    if (!chart.show) pointing(chart, (event) => chart.show(event), () => chart.show(null));
    chart.show = (event) => drawCurve(chart, data.curves[i], of, event);
    chart.show(null);
  });
  const more = () => send("more", { run: data.run, at: data.at });
  if (data.going) root.asker.ask(`${data.run}:${data.at}`, more, { after: BREATH_MS, again: ASK_AGAIN_MS });
  else root.asker.stop();
}

// With its last point, or the one below the pointer, and that point's number.
function drawCurve(chart, curve, of, event) {
  const { wide, high, left, right, top, bottom } = CURVE;
  const x = (at) => left + ((wide - left - right) * at) / Math.max(of, 1);
  const y = (value) => top + (high - top - bottom) * (1 - Math.min(value / curve.most, 1));
  const say = (value) => (curve.plain ? "" : curve.percent ? perCent(value) : fixed(value));
  const points = curve.points.map(([at, value]) => ({ at, value, x: x(at), y: y(value) }));
  const current = nearest(chart, points, event);
  const across = (value, kind) => svg`<line x1=${left} x2=${wide - right} y1=${y(value)} y2=${y(value)} class=${kind}></line>`;
  const text = (at, height, words) => svg`<text x=${at} y=${height} text-anchor="end">${words}</text>`;
  const { level } = curve;
  // Its name stands where the curve is not: a loss begins above the line, a score below it.
  const below = level !== null && curve.percent && y(level) + 19 < y(0) - 2;
  const last = points.at(-1);
  chart.classList.toggle("alone", Boolean(curve.alone));
  const step = current && (event || chart.matches(":only-child:not(.alone)")); // there is room for it
  render(html`
    <div class="head"><span class="title">${curve.title}</span><span class="value">${current ? say(current.value) : ""}${step && !curve.plain ? ` ${t("at step {step}", { step: current.at })}` : ""}</span></div>
    <svg viewBox="0 0 ${wide} ${high}" role="img" aria-label="${curve.title}: ${last ? say(last.value) : t("nothing yet")}">
      ${across(0, "floor")}${text(left - 6, y(0) + 5, "0")}
      ${level === null ? nothing : svg`
        ${across(level, "guess")}${text(left - 6, y(level) + 5, curve.plain ? "" : curve.percent ? Math.round(100 * level) : fixed(level, 1))}
        ${text(wide - right, y(level) + (below ? 19 : -5), curve.caption)}`}
      ${curve.percent && (level ?? 0) < 0.85 ? text(left - 6, y(1) + 5, "100") : nothing}
      <polyline points=${points.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ")}></polyline>
      ${current ? svg`<circle r="4.5" cx=${current.x} cy=${current.y}></circle>` : nothing}
    </svg>`, chart);
}

function nearest(chart, points, event) {
  if (!event || !points.length) return points.at(-1);
  const box = chart.querySelector("svg").getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * CURVE.wide;
  return points.reduce((best, p) => (Math.abs(p.x - at) < Math.abs(best.x - at) ? p : best));
}

export default connect(draw);
