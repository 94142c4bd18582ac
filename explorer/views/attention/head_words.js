// The line above the picture: the heads that are drawn, and the weights of the focused token.
import { strong } from "../widgets/dom.js";
import { headName } from "../widgets/layer_names.js";
import { fixed, perCent } from "../widgets/numbers.js";
import { filled, t } from "../widgets/translations.js";
import { drawnHeads, weight } from "./head_data.js";
import { FAINTEST } from "./head_paint.js";

const NAMED = 5; // weights that the line gives
const EACH = 3; // heads that the line names one by one

export function say(view, focus, value) {
  const { says, hint, names, data } = view;
  const { locked } = view.state;
  hint.textContent = data.message ? "" : !locked ? t("press a token to lock it") : locked.other === undefined ? t("press one across, or it again") : t("a second press releases it");
  const heads = headsName(view);
  if (data.message) says.textContent = "";
  else if (!focus) says.replaceChildren(...habits(view, strong(heads)));
  else if (focus.other !== undefined) {
    const [from, to] = focus.side === "from" ? [focus.at, focus.other] : [focus.other, focus.at];
    const share = perCent(value(focus.other));
    const text = data.plain ? t("From {reader} to {read}: {share}") : t("{heads}, from {reader} to {read}: {share}");
    says.replaceChildren(...filled(text, { heads, reader: strong(names[from]), read: strong(names[to]), share }));
  } else {
    const order = [...names.keys()].sort((a, b) => value(b) - value(a)).slice(0, NAMED);
    const shares = order.filter((i) => value(i) >= 0.005).map((i) => `${names[i]} ${perCent(value(i))}`).join(", ") || t("nothing else");
    const text = focus.side === "from"
      ? data.plain ? t("From {token}: to {shares}") : t("{heads}, from {token}: to {shares}")
      : data.plain ? t("To {token}: from {shares}") : t("{heads}, to {token}: from {shares}");
    says.replaceChildren(...filled(text, { heads, token: strong(names[focus.at]), shares }));
  }
  const cut = says.scrollWidth > says.clientWidth ? says.textContent : "";
  says.title = data.message || focus || !view.visible ? cut : averages(view);
}

// “Head L3H10”, “Heads L3H4 and L3H10, their mean”, or “The mean of all 12 heads of layer 3”.
export function headsName(view) {
  const { data } = view;
  const heads = drawnHeads(view);
  const name = (head) => headName(data.state.layer, head);
  if (heads.length === 1) return data.plain ? t("One head") : t("Head {head}", { head: name(heads[0]) });
  if (heads.length <= EACH && !data.plain) return t("Heads {heads} and {last}, their mean", { heads: heads.slice(0, -1).map(name).join(", "), last: name(heads.at(-1)) });
  const fields = { count: heads.length, layer: data.state.layer + 1 };
  return heads.length === data.heads ? t("The mean of all {count} heads of layer {layer}", fields) : t("The mean of {count} heads of layer {layer}", fields);
}

// The number of heads, and the kinds of this one; or that none of its weights is drawn.
function habits(view, heads) {
  const { data, state, visible } = view;
  const drawn = drawnHeads(view);
  if (!visible) return filled(t("{heads}: no weight here reaches {share}, so there is nothing to draw"), { heads, share: perCent(Math.max(FAINTEST, state.least)) });
  if (drawn.length > 1) return filled(t("{heads}: where each word looks, on average"), { heads });
  const kind = data.kinds[drawn[0]];
  const text = kind ? t("{heads}, one of {count}: where each word looks. Known for: {kind}") : t("{heads}, one of {count}: where each word looks");
  return filled(text, { heads, count: data.layers * data.heads, kind });
}

// Mean weights to the token itself, its neighbours and special tokens, over the rows that have such a token
// (as in Clark et al. 2019). Only a tooltip, since it says little to a beginner.
function averages(view) {
  const { n, data } = view;
  const rows = data.tokens.map((_, from) => from);
  const mean = (list, value) => fixed(list.reduce((sum, from) => sum + value(from), 0) / list.length);
  const special = rows.filter((i) => data.tokens[i].quiet);
  const parts = [t("itself {share}", { share: mean(rows, (i) => weight(view, i, i)) })];
  if (n > 1) {
    parts.push(t("before {share}", { share: mean(rows.slice(1), (i) => weight(view, i, i - 1)) }));
    parts.push(t("after {share}", { share: mean(rows.slice(0, -1), (i) => weight(view, i, i + 1)) }));
  }
  if (special.length) {
    const onSpecial = (i) => special.reduce((sum, to) => sum + weight(view, i, to), 0);
    parts.push(t("special {share}", { share: mean(rows, onSpecial) }));
  }
  return t("Mean weights: {shares}", { shares: parts.join(", ") });
}
