// A training run as its visitor holds it: a button, how far it is, and the loss as a curve. When what
// came last stands on the screen it asks for more, so that nothing runs for somebody who has gone.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { pointing } from "../widgets/pointing.js";

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

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.asker ??= asker(root);
  root.setAttribute("aria-busy", data.going);
  root.show = (event) => show(root, data, send, event);
  root.show(null);
  if (!root.curve) {
    root.curve = root.querySelector(".curve");
    pointing(root.curve, (event) => root.show(event), () => root.show(null));
  }
  const place = `${data.run}:${data.at}`;
  const more = () => send("more", { run: data.run, at: data.at });
  if (data.going) root.asker.ask(place, more, { after: BREATH_MS, again: ASK_AGAIN_MS });
  else root.asker.stop();
}

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 * @param {PointerEvent | null} event of a pointer over the curve
 */
function show(root, data, send, event) {
  const { wide, high, left, top, bottom } = CURVE;
  const most = Math.max(data.start * 1.08, ...data.losses.map(([, loss]) => loss));
  const x = (at) => left + ((wide - left - 8) * at) / Math.max(data.steps, 1);
  const y = (loss) => top + (high - top - bottom) * (1 - loss / most);
  const points = data.losses.map(([at, loss]) => ({ at, loss, x: x(at), y: y(loss) }));
  const told = nearest(root, points, event);
  const turn = () => {
    send("turn", data.button);
    if (matchMedia("(max-width: 640px)").matches) root.scrollIntoView(); // the map is below
  };
  const level = (loss, kind) => svg`<line x1=${left} x2=${wide - 8} y1=${y(loss)} y2=${y(loss)} class=${kind} />`;
  const text = (at, height, words, anchor) => svg`<text x=${at} y=${height} text-anchor=${anchor}>${words}</text>`;
  render(html`
    <div class="row">
      <button type="button" class="turn" @click=${turn}>${data.button}</button>
      <span class="note">${data.note}</span>
    </div>
    <div class="track"><div class="done" style="width: ${(100 * data.at) / Math.max(data.steps, 1)}%"></div></div>
    <div class="curve">
      <svg viewBox="0 0 ${wide} ${high}" role="img"
        aria-label="loss from ${data.start.toFixed(2)} nats, now ${data.losses.at(-1)?.[1].toFixed(2) ?? "not known yet"}">
        ${level(0, "floor")}${level(data.start, "guess")}
        <polyline points=${points.map((point) => `${point.x.toFixed(1)},${point.y.toFixed(1)}`).join(" ")} />
        ${text(left - 6, y(data.start) + 5, data.start.toFixed(1), "end")}
        ${text(left - 6, y(0) + 5, "0", "end")}${text(left, high - 4, "loss, nats", "start")}
        ${told ? svg`<circle r="5" cx=${told.x} cy=${told.y} />` : nothing}
      </svg>
      <span class="value">${told ? `${told.loss.toFixed(2)} at step ${told.at}` : ""}</span>
    </div>`, root);
}

// The last point, or the one below the pointer.
function nearest(root, points, event) {
  if (!event || !points.length) return points.at(-1);
  const box = root.querySelector("svg").getBoundingClientRect();
  const at = ((event.clientX - box.left) / box.width) * CURVE.wide;
  return points.reduce((best, point) => (Math.abs(point.x - at) < Math.abs(best.x - at) ? point : best));
}

export default connect(draw);
