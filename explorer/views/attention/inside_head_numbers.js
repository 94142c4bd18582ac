// The numbers of one head: read from the buffer that Python sends, and computed from it for a pair of tokens.
import { unpack } from "../widgets/buffer.js";

// [length of the header, 4 bytes][header][q k v, n times d_head each, float32][x, n times d_model, one byte]
export function read(view, data) {
  const { header: head, buffer, start } = unpack(data);
  const count = head.tokens.length * head.size;
  const part = (index) => new Float32Array(buffer, start + 4 * index * count, count);
  view.changed = view.head && JSON.stringify(view.head.tokens) !== JSON.stringify(head.tokens);
  if (view.changed) view.preview = {};
  Object.assign(view, { head, n: head.tokens.length, q: part(0), k: part(1), v: part(2) });
  view.x = new Uint8Array(buffer, start + 12 * count);
  view.names = head.tokens.map((token) => token.name);
  const largest = (list) => list.reduce((most, number) => Math.max(most, Math.abs(number)), 1e-6);
  view.most = { query: largest(view.q), key: largest(view.k), value: largest(view.v) };
}

// Scores, weights and vectors for a pair of tokens, as the head computes them.
export function compute(view, query, key) {
  const { n, head } = view;
  const d = head.size;
  const q = view.q.subarray(query * d, query * d + d);
  const k = view.k.subarray(key * d, key * d + d);
  const v = view.v.subarray(key * d, key * d + d);
  // Products and scores share one scale for the whole row: this query with every key.
  let largest = 1e-6;
  const scores = head.tokens.map((_, at) => {
    let sum = 0;
    for (let i = 0; i < d; i++) {
      const product = q[i] * view.k[at * d + i];
      largest = Math.max(largest, Math.abs(product));
      sum += product;
    }
    return sum / head.scale;
  });
  const most = { ...view.most, ink: largest, score: scores.reduce((top, score) => Math.max(top, Math.abs(score)), 1e-6) };
  const open = (at) => !head.causal || at <= query;
  const top = Math.max(...scores.filter((_, at) => open(at)));
  const exponentials = scores.map((score, at) => (open(at) ? Math.exp(score - top) : 0));
  const total = exponentials.reduce((sum, number) => sum + number, 0);
  const weights = exponentials.map((number) => number / total);
  const output = new Float32Array(d);
  for (let at = 0; at < n; at++) for (let i = 0; i < d; i++) output[i] += weights[at] * view.v[at * d + i];
  return {
    scores, weights, open, most,
    bars: { q, k, v, "q × k": q.map((number, i) => number * k[i]), "w × v": v.map((number) => number * weights[key]), "Σ w × v": output },
  };
}
