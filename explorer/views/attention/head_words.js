// The line above the picture: the heads that are drawn, and the weights of the focused token.
import { strong } from "../widgets/dom.js";
import { headName } from "../widgets/layer_names.js";
import { perCent } from "../widgets/numbers.js";
import { drawnHeads, weight } from "./head_data.js";
import { FAINTEST } from "./head_paint.js";

const NAMED = 5; // weights that the line gives
const EACH = 3; // heads that the line names one by one

export function say(view, focus, value) {
  const { says, hint, names, data } = view;
  hint.textContent = data.message ? "" : !view.state.locked ? "press a token to lock it" : view.state.locked.other === undefined ? "press one across, or it again" : "a second press releases it";
  if (data.message) says.textContent = "";
  else if (!focus && !view.visible) says.replaceChildren(strong(headsName(view)), `: no weight here reaches ${perCent(Math.max(FAINTEST, view.state.least))}, so there is nothing to draw`);
  else if (!focus) says.replaceChildren(strong(headsName(view)), ...habits(view));
  else if (focus.other !== undefined) {
    const [from, to] = focus.side === "from" ? [focus.at, focus.other] : [focus.other, focus.at];
    says.replaceChildren(`${lead(view, "from")} `, strong(names[from]), " to ", strong(names[to]), `: ${perCent(value(focus.other))}`);
  } else {
    const order = [...names.keys()].sort((a, b) => value(b) - value(a)).slice(0, NAMED);
    const parts = order.filter((i) => value(i) >= 0.005).map((i) => `${names[i]} ${perCent(value(i))}`);
    const other = focus.side === "from" ? "to" : "from";
    const row = `: ${other} ${parts.join(", ") || "nothing else"}`;
    says.replaceChildren(`${lead(view, focus.side)} `, strong(names[focus.at]), row);
  }
  const cut = says.scrollWidth > says.clientWidth ? says.textContent : "";
  says.title = data.message || focus || !view.visible ? cut : averages(view);
}

// The head and a side of its lines; for a class the side alone.
const lead = (view, side) => (view.data.plain ? `${side[0].toUpperCase()}${side.slice(1)}` : `${headsName(view)}, ${side}`);

// “Head L3H10”, “Heads L3H4 and L3H10, their mean”, or “The mean of all 12 heads of layer 3”.
export function headsName(view) {
  const { data } = view;
  const heads = drawnHeads(view);
  const name = (head) => headName(data.state.layer, head);
  if (heads.length === 1) return data.plain ? "One head" : `Head ${name(heads[0])}`;
  if (heads.length <= EACH && !data.plain) return `Heads ${heads.slice(0, -1).map(name).join(", ")} and ${name(heads.at(-1))}, their mean`;
  return `The mean of ${heads.length === data.heads ? "all " : ""}${heads.length} heads of layer ${data.state.layer + 1}`;
}

// The number of heads, and the kinds of this one.
function habits(view) {
  const { data } = view;
  const heads = drawnHeads(view);
  if (heads.length > 1) return [": where each word looks, on average"];
  const kind = data.kinds[heads[0]];
  return [`, one of ${data.layers * data.heads}: where each word looks${kind && `. Known for: ${kind}`}`];
}

// Mean weights to the token itself, its neighbours and special tokens, over the rows that have such a token
// (as in Clark et al. 2019). Only a tooltip, since it says little to a beginner.
function averages(view) {
  const { n, data } = view;
  const rows = data.tokens.map((_, from) => from);
  const mean = (list, value) => (list.reduce((sum, from) => sum + value(from), 0) / list.length).toFixed(2);
  const special = rows.filter((i) => data.tokens[i].quiet);
  const parts = [`itself ${mean(rows, (i) => weight(view, i, i))}`];
  if (n > 1) {
    parts.push(`before ${mean(rows.slice(1), (i) => weight(view, i, i - 1))}`);
    parts.push(`after ${mean(rows.slice(0, -1), (i) => weight(view, i, i + 1))}`);
  }
  if (special.length) {
    const onSpecial = (i) => special.reduce((sum, to) => sum + weight(view, i, to), 0);
    parts.push(`special ${mean(rows, onSpecial)}`);
  }
  return `Mean weights: ${parts.join(", ")}`;
}
