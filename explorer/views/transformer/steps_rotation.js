// The rotation of one pair of numbers, of the chosen word's query and key: before and after, and the angle.
import { html, svg } from "../widgets/lit.js";
import { fixed } from "../widgets/numbers.js";
import { scrubber, setSlider } from "../widgets/player.js";

const [SIZE, RADIUS] = [160, 58]; // px of a circle's square, and of the circle
const ARC = 24; // px from the middle

/** @param {any} view */
export function rotation(view) {
  const { turned, frequencies } = view.rotation;
  const question = view.asked && turned.flat().includes(view.asked.cell[0]) ? JSON.stringify(view.asked.cell) : "";
  if (question && question !== view.pairAsked) view.pair = view.asked.cell[2] % frequencies.length;
  view.pairAsked = question;
  view.pair = Math.min(view.pair ?? 0, frequencies.length - 1);
  view.pairs ??= scrubber("Pair of numbers", (pair) => {
    view.pair = pair;
    view.draws();
  });
  const { word } = view.place.value;
  const turn = word * frequencies[view.pair];
  const called = `Pair ${view.pair + 1} of ${frequencies.length}`;
  setSlider(view.pairs, view.pair, frequencies.length - 1, called);
  return html`
    <div class="rotation">
      <div class="pairs" data-save="no"><span>${called}</span>${view.pairs}</div>
      <div class="circles">${turned.map((names) => circle(view, names, view.pair, turn))}</div>
      <p class="angle">φ = ${word} × ${short(frequencies[view.pair])} = ${short(turn)} rad</p>
    </div>`;
}

function short(number) {
  return number === 0 || number >= 0.001 ? String(Number(number.toPrecision(3))) : number.toExponential(1);
}

function circle(view, [name, after], pair, turn) {
  const { role, columns } = view.arrays[name];
  const row = view.place.value.word * columns;
  const half = view.rotation.frequencies.length;
  const pairOf = (of) => [pair, pair + half].map((at) => view.arrays[of].numbers[row + at]);
  const edge = -SIZE / 2;
  const [start, end] = [pairOf(name), pairOf(after)];
  const hands = [["before", start], ["after", end]].map(([kind, [a, b]]) => {
    const length = Math.hypot(a, b) || 1;
    const [x, y] = [(a / length) * RADIUS, (-b / length) * RADIUS];
    return { kind, x, y, says: `${view.arrays[name].what}, numbers ${pair + 1} and ${pair + 1 + half}, ${kind}: ${fixed(a, 3)} and ${fixed(b, 3)}` };
  });
  const hand = ({ kind, x, y, says }) => svg`
    <g class=${kind} .says=${says}><line x2=${x} y2=${y}></line><circle cx=${x} cy=${y} r="8"></circle></g>`;
  // As one image its parts have no names of their own.
  return html`
    <svg class="circle ${role}" width=${SIZE} height=${SIZE} viewBox="${edge} ${edge} ${SIZE} ${SIZE}" role="img"
      aria-label=${hands.map(({ says }) => says).join("; ")}>
      <circle class="round" r=${RADIUS}></circle>
      <path class="arc" d=${arc(Math.atan2(start[1], start[0]), turn)}></path>
      ${hands.map(hand)}<text x=${edge + 2} y=${edge + 18}>${name[0].toUpperCase()}</text>
    </svg>`;
}

// From an angle on by a turn, of which whole rounds are not drawn; counter-clockwise is up on the screen.
function arc(from, turn) {
  const left = turn % (2 * Math.PI);
  const at = (angle) => `${ARC * Math.cos(angle)} ${-ARC * Math.sin(angle)}`;
  return `M${at(from)} A${ARC} ${ARC} 0 ${left > Math.PI ? 1 : 0} 0 ${at(from + left)}`;
}
