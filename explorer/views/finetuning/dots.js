// A map of what the head reads: a dot for each watched example, with the mark of its class, hollow where
// the head predicts another. Dots glide to new places. The maps of a finished training can be played.
import { connect } from "../widgets/connect.js";
import { byKeyboard } from "../widgets/dom.js";
import { html, render, svg } from "../widgets/lit.js";
import { drawLegend, inkOf } from "../widgets/marks.js";
import { calm } from "../widgets/motion.js";
import { stepper } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { arrow } from "../widgets/roving.js";
import { placeAbove } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

const GLIDE_MS = 320;
const STAND_MS = 450; // how long a map stands while they are played
const PAD = 16; // px between the outermost dot and the edge
const REACH = 18; // px from a dot within which a pointer means it

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} height
 * @property {string[]} sides the classes that left and right stand for; may be empty
 * @property {{ x: number, y: number, mark: number, wrong: boolean, tip: string }[]} dots x and y from -1 to 1
 * @property {{ colour: number, path: string }[]} marks
 * @property {[number, string][]} legend
 * @property {string} note
 * @property {[number, number][][]} frames the dots' places at each update, the last one as in `dots`; may be empty
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.plane ??= build(root);
  const plane = root.plane;
  const signature = JSON.stringify(data);
  if (signature === plane.signature) return;
  [plane.signature, plane.data] = [signature, data];
  plane.steps.answer(data.frames.length - 1, () => {}, true);
  drawAll(plane);
  if (!plane.tip) listen(plane);
  settle(plane);
  point(plane, -1);
}

function build(root) {
  const plane = { root, at: [], over: -1 };
  const show = () => (drawAll(plane), settle(plane));
  plane.steps = stepper({ root, label: t("The training, from before to after"), last: () => plane.data.frames.length - 1, ms: () => STAND_MS, show });
  return plane;
}

function drawAll(plane) {
  const { data, root, steps } = plane;
  const { dots, marks, frames, sides } = data;
  steps.mark(t("update {step} of {all}", { step: steps.place.value, all: steps.slider.max }));
  const shape = (dot) => svg`
    <path d=${marks.at(dot.mark).path} class=${dot.wrong ? "wrong" : "right"} style="--own: ${inkOf(marks.at(dot.mark))}"></path>`;
  render(html`
    <div class="sides" ?hidden=${!sides.length}>${sides.map((name, i) => html`<span>${i ? t("says {name} →", { name }) : t("← says {name}", { name })}</span>`)}</div>
    <div class="stage" style="height: ${data.height}px">
      <svg role="img" tabindex="0" aria-label=${data.label}>${dots.map(shape)}</svg>
      <div class="tip" data-save="no"></div>
    </div>
    <div class="foot">
      <div class="legend">${drawLegend(data.legend, marks)}
        <span ?hidden=${!dots.some((dot) => dot.wrong)}><svg viewBox="-12 -12 24 24" aria-hidden="true"><circle r="8" class="wrong"></circle></svg>${t("the head is wrong")}</span></div>
      <div class="note">${frames.length ? "" : data.note}</div>
      <div class="bar" ?hidden=${!frames.length}>
        <button type="button" class="control" title=${t("Play the training")} @click=${steps.toggle}>${steps.playing ? t("Pause") : t("Play")}</button>
        <button type="button" class="end" @click=${() => steps.go(0)}>${t("before")}</button>${steps.slider}<button type="button" class="end"
          @click=${() => steps.go(frames.length - 1)}>${t("after")}</button>
      </div>
    </div>`, root);
  plane.svg = root.querySelector(".stage > svg");
  plane.shapes = [...plane.svg.children];
}

function listen(plane) {
  const { svg } = plane;
  plane.tip = plane.root.querySelector(".tip");
  pointing(svg, (event) => point(plane, nearest(plane, event)), () => point(plane, -1));
  svg.addEventListener("focus", (event) => byKeyboard(event) && plane.shapes[plane.left] && point(plane, plane.left));
  svg.addEventListener("blur", () => ((plane.left = plane.over), point(plane, -1)));
  svg.addEventListener("keydown", (event) => {
    const { length } = plane.shapes;
    const by = (arrow(event) ?? [0, 0]).reduce((a, b) => a + b);
    if (event.key === "Escape") point(plane, -1);
    else if (by && length) point(plane, plane.over < 0 && by < 0 ? length - 1 : (plane.over + by + length) % length);
    else return;
    event.preventDefault();
    event.stopPropagation(); // the page around has arrow keys of its own
  });
  new ResizeObserver(() => plane.root.clientWidth !== plane.width && settle(plane)).observe(plane.root);
}

// Where everything is going.
function settle(plane) {
  plane.width = plane.root.clientWidth;
  if (!plane.width) return;
  const { dots, height, frames } = plane.data;
  const places = frames[plane.steps.place.value] ?? dots.map(({ x, y }) => [x, y]);
  const [wide, high] = [plane.width / 2 - PAD, height / 2 - PAD];
  plane.to = places.map(([x, y]) => [plane.width / 2 + x * wide, height / 2 - y * high]);
  const sameDots = plane.at.length === dots.length;
  plane.from = sameDots ? plane.at : plane.to;
  plane.began = sameDots && !calm() ? performance.now() : -Infinity;
  plane.frame ??= requestAnimationFrame((time) => step(plane, time));
}

function step(plane, time) {
  plane.frame = null;
  if (!plane.root.isConnected) return;
  const part = Math.min(Math.max((time - plane.began) / GLIDE_MS, 0), 1);
  const eased = 1 - (1 - part) ** 2;
  plane.at = plane.to.map(([x, y], i) => {
    const from = plane.from[i];
    return [from[0] + (x - from[0]) * eased, from[1] + (y - from[1]) * eased];
  });
  plane.at.forEach(([x, y], i) => plane.shapes[i].setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${size(plane, i)})`));
  if (part < 1) plane.frame = requestAnimationFrame((later) => step(plane, later));
}

function size(plane, i) {
  return (plane.data.dots[i].mark < 0 ? 0.34 : plane.data.dots.length > 300 ? 0.42 : plane.data.dots.length > 90 ? 0.55 : 0.72) * (i === plane.over ? 1.5 : 1);
}

// The dot that a pointer means, or -1.
function nearest(plane, event) {
  const box = plane.svg.getBoundingClientRect();
  const scale = plane.width / box.width; // presenter mode enlarges the page
  const [x, y] = [(event.clientX - box.left) * scale, (event.clientY - box.top) * scale];
  let [closest, best] = [-1, REACH];
  plane.at.forEach(([dx, dy], i) => {
    const away = Math.hypot(dx - x, dy - y);
    if (away < best) [closest, best] = [i, away];
  });
  return closest;
}

function point(plane, i) {
  if (i === plane.over) return;
  plane.over = i;
  plane.tip.classList.toggle("on", i >= 0);
  plane.frame ??= requestAnimationFrame((time) => step(plane, time));
  if (i < 0) return;
  plane.tip.textContent = plane.data.dots[i].tip;
  placeAbove(plane.tip, plane.at[i][0], plane.at[i][1], plane.width, 14);
}

export default connect(draw);
