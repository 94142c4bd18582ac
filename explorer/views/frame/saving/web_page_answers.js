// What the app does after a click, where a picture needs it: the settings that a component sends come back to it
// as data. Of other clicks nothing comes.
import { withState } from "../../attention/layers.js";

/** The name that a component sends with the field of its data that it changes. */
const FIELDS = {
  "senses/sense_map": { layer: "layer" },
  "widgets/cosine_matrix": { lock: "locked" },
  "widgets/word_map": { lock: "locked" },
  "attention/rollout": { choose: "choice" },
  "probing/two_trees": { layer: "layer" },
  "elmo/bilm": { pick: "locked" },
  "transformer/translator": { choose: "chosen" },
};
const HEADS = "attention/head";

/**
 * A component's data as its script takes them.
 * @param {any} part
 */
export function current(part) {
  if (ArrayBuffer.isView(part.data)) return part.data;
  if (part.name !== HEADS) return chosen({ ...part.data, ...part.changes });
  const state = { layer: part.data.layer, ...part.changes };
  return withState(part.data.layers[state.layer], state, part.answered ?? 0);
}

// Of several lists one is drawn; in a strip one token is marked.
function chosen(data) {
  if (data.choices && data.steps) return withStrands(data.choices[data.choice], data);
  if (data.choices) return data.choices[data.choice];
  if (data.choice === undefined) return data;
  return { ...data, tokens: data.tokens.map((token, at) => ({ ...token, selected: at === data.choice })) };
}

// Of a token’s share at a layer, each part of its step there passes on to a token of the layer below. The `most` widest
// strands are drawn, if their share is at `least` that.
function withStrands(data, { steps, least, most }) {
  const strands = steps.flatMap((step, below) => step.flatMap((row, upper) => row.map((part, lower) =>
    [below, upper, lower, data.levels[below + 1][upper] * part]))).filter((strand) => strand[3] >= least);
  return { ...data, strands: strands.sort((a, b) => b[3] - a[3]).slice(0, most) };
}

/**
 * Take what a component sends; returns the components of the cell to be drawn again.
 * @param {any} part
 * @param {string} name
 * @param {any} value
 * @param {any[]} cell
 */
export function answers(part, name, value, cell) {
  if (part.name === HEADS) {
    const { request, ...changes } = value;
    return [change(part, changes, request)];
  }
  if (part.name === "attention/wall" && name === "open") {
    const heads = cell.find((other) => other.name === HEADS);
    return [change(heads, { ...value, on: [value.head] }, heads.answered)];
  }
  if (part.name === "widgets/token_strip") {
    const list = cell[cell.indexOf(part) + 1];
    return list?.data.choices?.[value] ? [change(part, { choice: value }), change(list, { choice: value })] : [];
  }
  if (part.name === "widgets/tree" && part.data.lengths) {
    const choice = part.data.branches.findIndex((branch) => branch.number === value.number);
    const text = cell[cell.indexOf(part) - 1];
    return [change(part, { here: value.number, length: part.data.lengths[choice] }), change(text, { choice })];
  }
  if (part.name === "senses/sense_map" && name === "lock") {
    return [change(part, { locked: value, near: part.data.nearest[value] ?? part.data.near })];
  }
  const field = FIELDS[part.name]?.[name];
  return field ? [change(part, { [field]: value })] : [];
}

function change(part, changes, answered) {
  part.changes = { ...part.changes, ...changes };
  part.answered = answered;
  return part;
}
