// The data from Python: one buffer with the length of the header in four bytes, the header as JSON, and the
// weights of every head of a layer as float16, [head, from, to]. Half precision keeps three digits.
import { unpack } from "../widgets/buffer.js";

let halves; // the value of every half-precision number from 0 to 1: there are 15,361

export function read(bytes) {
  const { header, buffer, start } = unpack(bytes);
  halves ??= Float32Array.from({ length: 0x3c01 }, (_, half) => {
    const exponent = half >> 10;
    return exponent ? 2 ** (exponent - 15) * (1 + (half & 1023) / 1024) : half * 2 ** -24;
  });
  header.weights = Float32Array.from(new Uint16Array(buffer, start), (half) => halves[half]);
  return header;
}

// The heads that are drawn: the one that is pointed at, or else all that are switched on.
export const drawnHeads = (view) => (view.tryingHead === null ? view.state.on : [view.tryingHead]);
export const headWeight = (view, head, from, to) => view.data.weights[(head * view.n + from) * view.n + to];
export const weight = (view, from, to) => view.mean[from * view.n + to];

export function meanOf(view) {
  const cells = view.n * view.n;
  const heads = drawnHeads(view);
  if (heads.length === 1) return view.data.weights.subarray(heads[0] * cells, (heads[0] + 1) * cells);
  const mean = new Float32Array(cells);
  for (const head of heads) {
    for (let cell = 0, at = head * cells; cell < cells; cell++, at++) mean[cell] += view.data.weights[at];
  }
  return mean.map((sum) => sum / heads.length);
}

// Whether a weight is drawn: not below the least, and between the chosen sentences.
export function passes(view, from, to, least) {
  const { sides } = view.state;
  const { tokens } = view.data;
  if (sides && (tokens[from].side !== Number(sides[0]) || tokens[to].side !== Number(sides[1]))) return false;
  return weight(view, from, to) >= least;
}
