// Numbers as dots, one a phone, on the question's scale; the model's number is a line. Dots glide to their place.
import { connect } from "../../widgets/connect.js";
import { html, render, svg } from "../../widgets/lit.js";
import { tooltip } from "../../widgets/tooltip.js";
import { onWidth } from "../../widgets/width.js";

const [EDGE, TOP, GROUND] = [20, 34, 250]; // px

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ at: number, level: number, tip: string }[]} dots
 * @property {{ at: number, text: string, look: "tick" | "model" | "right" }[]} lines
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.again = () => redraw(root, data);
  root.again();
  if (root.tip) return;
  root.tip = tooltip(root, { of: "circle", align: "middle" });
  onWidth(root, () => root.again());
}

function redraw(root, data) {
  const width = root.clientWidth;
  const radius = (width - 2 * EDGE) / 82; // where the next one would touch, one stands above the other
  const levels = Math.max(1, ...data.dots.map(({ level }) => level));
  const step = Math.min(2 * radius + 1, (GROUND - TOP - 2 * radius) / levels);
  const x = (at) => EDGE + at * (width - 2 * EDGE);
  const line = ({ at, text, look }) => {
    const [top, bottom, words] = look !== "tick" ? [TOP, GROUND, TOP - 8] : [GROUND, GROUND + 6, GROUND + 28];
    const anchor = at < 0.05 ? "start" : at > 0.95 ? "end" : "middle";
    return svg`<g class=${look}><line x1=${x(at)} x2=${x(at)} y1=${top} y2=${bottom}></line>
      <text x=${x(at)} y=${words} text-anchor=${anchor}>${text}</text></g>`;
  };
  const dot = ({ at, level, tip }) => svg`
    <circle r=${radius} .tip=${tip} style="transform: translate(${x(at)}px, ${GROUND - radius - 1 - level * step}px)"></circle>`;
  render(html`
    <svg width=${width} height=${GROUND + 34} role="img" aria-label=${data.label}>
      <line x1=${EDGE} x2=${width - EDGE} y1=${GROUND} y2=${GROUND}></line>${data.lines.map(line)}${data.dots.map(dot)}
    </svg>`, root);
}

export default connect(draw);
