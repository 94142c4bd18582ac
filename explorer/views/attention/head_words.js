// The line above the picture: which heads are drawn, and what the looked-at token reads, in numbers.
import { strong } from "../widgets/dom.js";
import { drawnHeads, weight } from "./head_data.js";
import { FAINTEST } from "./head_paint.js";

const NAMED = 5; // weights told in words
const EACH = 3; // heads that are called by their names

export function say(view, focus, value) {
  const { says, hint, names, data } = view;
  hint.textContent = data.message ? "" : !view.state.locked ? "click a token to lock it" : view.state.locked.other === undefined ? "click one across, or Esc" : "Esc releases, arrows walk";
  if (data.message) says.textContent = "";
  else if (!focus && !view.seen) says.replaceChildren(strong(headsName(view)), `: no weight here reaches ${Math.max(FAINTEST, view.state.least).toFixed(2)}, so there is nothing to draw`);
  else if (!focus) says.replaceChildren(strong(headsName(view)), ...habits(view));
  else if (focus.other !== undefined) {
    const [from, to] = focus.side === "from" ? [focus.at, focus.other] : [focus.other, focus.at];
    says.replaceChildren(`${headsName(view)}, from `, strong(names[from]), " to ", strong(names[to]), `: ${value(focus.other).toFixed(3)}`);
  } else {
    const order = [...names.keys()].sort((a, b) => value(b) - value(a)).slice(0, NAMED);
    const parts = order.filter((i) => value(i) >= 0.0005).map((i) => `${names[i]} ${value(i).toFixed(3)}`);
    const other = focus.side === "from" ? "to" : "from";
    const row = `: ${other} ${parts.join(", ") || "nothing else"}`;
    says.replaceChildren(`${headsName(view)}, ${focus.side} `, strong(names[focus.at]), row);
  }
  const cut = says.scrollWidth > says.clientWidth ? says.textContent : "";
  says.title = data.message || focus || !view.seen ? cut : averages(view);
}

// Head L2H9; heads L2H3 and L2H9, their mean; the mean of all 12 heads of layer 2.
export function headsName(view) {
  const { data } = view;
  const heads = drawnHeads(view);
  const name = (head) => `L${data.state.layer}H${head}`;
  if (heads.length === 1) return `Head ${name(heads[0])}`;
  if (heads.length <= EACH) return `Heads ${heads.slice(0, -1).map(name).join(", ")} and ${name(heads.at(-1))}, their mean`;
  return `The mean of ${heads.length === data.heads ? "all " : ""}${heads.length} heads of layer ${data.state.layer}`;
}

// How many heads there are, and what this one is known for.
function habits(view) {
  const { data } = view;
  const heads = drawnHeads(view);
  if (heads.length > 1) return [": where each word looks, on average"];
  const kind = data.kinds[heads[0]];
  return [`, one of ${data.layers * data.heads}: where each word looks${kind && `. Known for: ${kind}`}`];
}

// Where a row's weight goes here, averaged over the rows that have such a place (Clark et al. 2019 sort
// heads so): for the pointer, since it says little to who does not know yet what a head is.
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
