// The rotation of one pair of numbers, of the chosen word's query and key: before and after, and the angle.
import { add, element } from "../widgets/dom.js";
import { fixed } from "../widgets/numbers.js";
import { scrubber, setSlider } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { node } from "../widgets/svg.js";

const [SIZE, RADIUS] = [160, 58]; // px of a circle's square, and of the circle
const ARC = 24; // px from the middle

/**
 * @param {any} view
 * @param {any} step
 */
export function rotation(view, step) {
  const { turned, frequencies } = view.rotation;
  const question = view.asked && turned.flat().includes(view.asked.cell[0]) ? JSON.stringify(view.asked.cell) : "";
  if (question && question !== view.pairAsked) view.pair = view.asked.cell[2] % frequencies.length;
  view.pairAsked = question;
  view.pair = Math.min(view.pair ?? 0, frequencies.length - 1);
  const box = element("div", "rotation");
  const choose = add(box, "div", "pairs");
  const label = add(choose, "span");
  const slider = scrubber("Pair of numbers", (pair) => show(pair));
  choose.append(slider);
  choose.dataset.save = "no";
  const circles = add(box, "div", "circles");
  const angle = add(box, "p", "angle");
  const show = (pair) => {
    view.pair = pair;
    const position = view.place.value.word;
    const turn = position * frequencies[pair];
    label.textContent = `Pair ${pair + 1} of ${frequencies.length}`;
    setSlider(slider, pair, frequencies.length - 1, label.textContent);
    angle.textContent = `φ = ${position} × ${short(frequencies[pair])} = ${short(turn)} rad`;
    circles.replaceChildren(...turned.map((names) => circle(view, names, pair, turn, step)));
  };
  show(view.pair);
  return box;
}

function short(number) {
  return number === 0 || number >= 0.001 ? String(Number(number.toPrecision(3))) : number.toExponential(1);
}

function circle(view, [name, after], pair, turn, step) {
  const { role, columns } = view.arrays[name];
  const row = view.place.value.word * columns;
  const half = view.rotation.frequencies.length;
  const pairOf = (of) => [pair, pair + half].map((at) => view.arrays[of].numbers[row + at]);
  const half_ = SIZE / 2;
  const svg = node("svg", { class: `circle ${role}`, width: SIZE, height: SIZE, viewBox: `${-half_} ${-half_} ${SIZE} ${SIZE}`, role: "img" });
  svg.append(node("circle", { class: "round", r: RADIUS }));
  const [start, end] = [pairOf(name), pairOf(after)];
  const from = Math.atan2(start[1], start[0]);
  svg.append(node("path", { class: "arc", d: arc(from, turn) }));
  const what = view.arrays[name].what;
  const both = [];
  for (const [kind, [a, b]] of [["before", start], ["after", end]]) {
    const length = Math.hypot(a, b) || 1;
    const [x, y] = [(a / length) * RADIUS, (-b / length) * RADIUS];
    const says = `${what}, numbers ${pair + 1} and ${pair + 1 + half}, ${kind}: ${fixed(a, 3)} and ${fixed(b, 3)}`;
    both.push(says);
    const hand = node("g", { class: kind });
    hand.append(node("line", { x2: x, y2: y }), node("circle", { cx: x, cy: y, r: 8 }));
    pointing(hand, () => (view.caption.textContent = says), () => (view.caption.textContent = step.caption), "pointerover");
    svg.append(hand);
  }
  svg.setAttribute("aria-label", both.join("; ")); // as one image its parts have no names of their own
  svg.append(node("text", { x: -half_ + 2, y: -half_ + 18 }, name[0].toUpperCase()));
  return svg;
}

// From an angle on by a turn, of which whole rounds are not drawn; counter-clockwise is up on the screen.
function arc(from, turn) {
  const left = turn % (2 * Math.PI);
  const at = (angle) => `${ARC * Math.cos(angle)} ${-ARC * Math.sin(angle)}`;
  return `M${at(from)} A${ARC} ${ARC} 0 ${left > Math.PI ? 1 : 0} 0 ${at(from + left)}`;
}
