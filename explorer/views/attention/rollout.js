// From one token at a layer back to the words: on the left the tokens, one of them chosen; then strands
// through the layers, as wide as their shares; on the right the words with their numbers. Pointing at a
// word on the right leaves only its own paths.
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { isolated } from "../widgets/direction.js";
import { byKeyboard, partOf, strong } from "../widgets/dom.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { fixed, perCent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { filled, t } from "../widgets/translations.js";
import { isNarrow, onWidth } from "../widgets/width.js";

const ROW = { least: 20, most: 34, finger: 40 };
const FAINTEST = 0.002; // the smallest share that gets a line

/**
 * @typedef {object} Data
 * @property {number} room px of height for the rows
 * @property {{ text: string, name: string, quiet: boolean }[]} tokens
 * @property {number} layer
 * @property {number} chosen a token
 * @property {number[][]} levels the share of each token at each layer, [layer, place]
 * @property {[number, number, number, number][]} strands layer below, place above, place below, share
 * @property {{ kind: string, name: string, values: number[] | null, most: number, even: number }[]} columns
 * @property {boolean} plain whether a class reads it
 * @property {boolean} flowing whether flow is computed
 * @property {boolean} fits whether it can be
 * @property {string} help
 * @property {string} label
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= { root });
  Object.assign(view, { data, send, preview: null });
  drawTable(view);
  if (view.says) return;
  for (const part of ["says", "from", "words", "strands"]) view[part] = root.querySelector(`.${part}`);
  announceChanges(view.says);
  listen(view);
  onWidth(root, () => drawTable(view));
  drawStrands(view);
}

function listen(view) {
  const at = (event) => {
    const row = partOf(event, ".row");
    return row ? Number(row.dataset.index) : null;
  };
  const preview = (word) => {
    if (word === view.preview) return;
    view.preview = word;
    show(view);
  };
  pointing(view.words, (event) => preview(at(event)), () => preview(null), "pointerover");
  view.words.addEventListener("focusin", (event) => byKeyboard(event) && preview(at(event)));
  view.words.addEventListener("focusout", () => preview(null));
  for (const part of [view.from, view.words])
    roving(part, () => [...part.children], { axis: "down", wrap: true, stops: false, scroll: false });
}

function drawTable(view) {
  const { root, data } = view;
  const { tokens, layer, chosen, columns, label } = data;
  view.row = isNarrow(root) ? ROW.finger : Math.min(ROW.most, Math.max(ROW.least, data.room / Math.max(tokens.length, 1)));
  root.style.setProperty("--row", `${view.row}px`);
  root.style.setProperty("--columns", columns.length);
  root.style.setProperty("--shown", columnsWithValues(view).length);
  // Of many layers only some get a number, and none close to “words”, which needs the room.
  const every = Math.ceil(layer / 7);
  const named = (at) => every === 1 || ((layer - at) % every === 0 && at > layer / 6);
  const layers = Array.from({ length: layer + 1 }, (_, i) => (i === layer ? t("words") : named(layer - i) ? `${layer - i}` : ""));
  const from = (token, i) => html`
    <button type="button" class="row ${token.quiet ? "quiet" : ""} ${i === chosen ? "chosen" : ""}" tabindex=${i === chosen ? 0 : -1}
      aria-pressed=${i === chosen} aria-label=${t("{token} at layer {layer}", { token: token.name, layer })}
      @click=${() => view.send("choose", i)}><span class="token">${token.text}</span></button>`;
  const word = (token, i) => html`
    <div class="row ${token.quiet ? "quiet" : ""}" role="listitem" data-index=${i} tabindex=${i === 0 ? 0 : -1}
      aria-label="${token.name}: ${columnsWithValues(view).map((c) => `${c.name} ${perCent(c.values[i])}`).join(", ")}">
      <span class="token">${token.text}</span>${columns.map((column) => cell(column, i))}
    </div>`;
  render(html`
    <p class="line"><span class="says"></span><span class="hint" data-save="no">${t("press a token on the left; point at a word on the right")}</span></p>
    <div class="head">
      <span class="corner">${t("layer")}</span><span class="scale">${layers.map((name) => html`<i>${name}</i>`)}</span>
      <span class="headings"><i></i>${columns.map((column) => heading(view, column))}</span>
    </div>
    <div class="stage">
      <div class="from" role="group" aria-label=${t("The tokens at layer {layer}; one is chosen", { layer })}>${tokens.map(from)}</div>
      <svg class="strands" preserveAspectRatio="none" aria-hidden="true"></svg>
      <div class="words" role="list" aria-label=${label}>${tokens.map(word)}</div>
    </div>`, root);
  if (view.says) drawStrands(view);
}

function heading({ data, send }, column) {
  if (column.kind !== "flow") return html`<i>${column.name}</i>`;
  return html`
    <button type="button" class="turn" data-needs=${data.flowing ? nothing : "model"} ?disabled=${!data.fits} data-save=${data.flowing ? nothing : "no"} title=${data.help}
      aria-pressed=${data.flowing} @click=${() => send("flow", !data.flowing)}>${data.flowing ? t("flow") : t("compute flow")}</button>`;
}

function cell({ kind, values, most, even }, i) {
  if (!values) return html`<span class="cell ${kind}" hidden></span>`;
  return html`
    <span class="cell ${kind}">
      <i class="track"><i class="bar" style="width: ${(100 * values[i]) / most}%"></i><i class="tick" ?hidden=${!even}
        style="left: ${(100 * even) / most}%"></i></i>
      <span class="number">${perCent(values[i])}</span>
    </span>`;
}

// Darker for a larger share; opaque, so that strands that meet look like one.
function shades(root) {
  const [ground, full] = ["ground", "attention-1"].map((name) => palette(root, name));
  return (part) => mixed(ground, full, 0.25 + 0.65 * Math.sqrt(Math.min(part, 1)));
}

const columnsWithValues = (view) => view.data.columns.filter((column) => column.values);

// A strand is [layer below, place above, place below, share]; layer 0 is at the right edge.
function drawStrands(view) {
  const { strands: picture, row, data } = view;
  const { layer, levels } = data;
  const n = data.tokens.length;
  picture.setAttribute("viewBox", `0 0 ${100 * layer} ${n * row}`);
  picture.style.height = `${n * row}px`;
  const y = (place) => (place + 0.5) * row;
  const ascending = [...data.strands].sort((a, b) => a[3] - b[3]); // the widest are drawn last
  const strand = ([below, upper, lower, share]) => {
    const left = 100 * (layer - below - 1);
    return svg`<path class="strand" .strand=${{ below, upper, lower, share }}
      d="M${left} ${y(upper)}C${left + 45} ${y(upper)} ${left + 55} ${y(lower)} ${left + 100} ${y(lower)}"></path>`;
  };
  // Dots at all places make round joints.
  const dot = (at) => (mass, place) => svg`
    <path class="strand dot" .strand=${{ at, place, mass }} d="M${100 * (layer - at)} ${y(place)}h0"></path>`;
  render(svg`${ascending.map(strand)}${levels.map((level, at) => (at === 0 || at === layer ? nothing : level.map(dot(at))))}`, picture);
  const all = [...picture.children].map((path) => ({ path, ...path.strand }));
  view.dots = all.filter(({ path }) => path.classList.contains("dot"));
  view.paths = all.filter(({ path }) => !path.classList.contains("dot")).sort((a, b) => a.below - b.below); // from the words upwards, as `fromWord` adds them up
  view.mass = levels;
  show(view);
}

// The share of one word in each token of each layer, by the strands that are drawn.
function fromWord(view, word) {
  const share = view.data.levels.map((level) => level.map(() => 0));
  share[0][word] = 1;
  for (const { below, upper, lower, share: passes } of view.paths) {
    const whole = view.mass[below + 1][upper];
    if (whole > 0) share[below + 1][upper] += (passes / whole) * share[below][lower];
  }
  return share;
}

function show(view) {
  const { data, preview, row, says } = view;
  const { tokens, chosen, layer, columns, plain } = data;
  const shade = shades(view.root);
  const share = preview === null ? null : fromWord(view, preview);
  // The share of one word is small: it is drawn wider, and the line above says by how much.
  const wider = share ? Math.min(8, Math.max(1, Math.round(0.6 / Math.max(view.mass[0][preview], 1e-6)))) : 1;
  for (const { path, below, lower, share: passes } of view.paths) {
    const part = (share ? passes * share[below][lower] : passes) * wider;
    path.style.strokeWidth = `${Math.max(part * row * 1.1, 0.75)}px`;
    path.style.stroke = shade(part);
    path.style.visibility = part >= FAINTEST ? "" : "hidden";
  }
  for (const { path, at, place, mass } of view.dots) {
    const part = (share ? mass * share[at][place] : mass) * wider;
    path.style.strokeWidth = `${part > 0.004 ? part * row * 1.1 : 0}px`;
    path.style.stroke = shade(part);
  }
  [...view.words.children].forEach((word, i) => word.classList.toggle("pointed", i === preview));
  if (preview === null) {
    const shares = columns.find((column) => column.kind === "rollout").values;
    const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, 3);
    const most = order.map((i) => `${isolated(tokens[i].name)} ${perCent(shares[i])}`).join(", ");
    const text = plain ? t("{token} at layer {layer}: {shares}") : t("{token} at layer {layer}, by rollout: {shares}");
    says.replaceChildren(...filled(text, { token: strong(tokens[chosen].name), layer, shares: most }));
  } else {
    const shares = columnsWithValues(view).map((column) => `${column.name} ${fixed(column.values[preview], 4)}`).join(", ");
    const text = wider > 1 ? t("{token} from {word}: {shares}; drawn {times} times as wide") : t("{token} from {word}: {shares}");
    says.replaceChildren(...filled(text, { token: strong(tokens[chosen].name), word: strong(tokens[preview].name), shares, times: wider }));
  }
}

export default connect(draw);
