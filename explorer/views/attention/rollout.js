// From one token at a layer back to the words: on the left the tokens, one of them chosen; then strands
// through the layers, as wide as their shares; on the right the words with their numbers. Pointing at a
// word on the right leaves only its own paths.
import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { isolated } from "../widgets/direction.js";
import { add, button, byKeyboard, element, partOf, resize, strong } from "../widgets/dom.js";
import { make } from "../widgets/drawn.js";
import { announceChanges } from "../widgets/live.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
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
 * @property {boolean} flowing whether flow is computed
 * @property {boolean} fits whether it can be
 * @property {string} help
 * @property {string} label
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.view ??= build(root);
  const view = root.view;
  view.data = data;
  view.preview = null;
  view.choose = (at) => send("choose", at);
  view.turn = () => send("flow", !data.flowing);
  drawTable(view);
}

function build(root) {
  const view = { root };
  const line = make(root, "p", "line");
  view.says = make(line, "span", "says");
  announceChanges(view.says);
  view.hint = make(line, "span", "hint");
  view.hint.dataset.save = "no";
  view.head = make(root, "div", "head");
  view.stage = make(root, "div", "stage");
  view.from = make(view.stage, "div", "from");
  view.from.setAttribute("role", "group");
  view.picture = make(view.stage, "svg", "strands");
  view.picture.setAttribute("preserveAspectRatio", "none");
  view.picture.setAttribute("aria-hidden", "true"); // the words on the right say what arrives
  view.words = make(view.stage, "div", "words");
  view.words.setAttribute("role", "list");
  listen(view);
  onWidth(root, () => view.data && drawTable(view));
  return view;
}

function listen(view) {
  const at = (event, part) => {
    const row = partOf(event, ".row");
    return row && row.parentNode === part ? Number(row.dataset.index) : null;
  };
  const preview = (word) => {
    if (word === view.preview) return;
    view.preview = word;
    show(view);
  };
  pointing(view.words, (event) => preview(at(event, view.words)), () => preview(null), "pointerover");
  view.words.addEventListener("focusin", (event) => byKeyboard(event) && preview(at(event, view.words)));
  view.words.addEventListener("focusout", () => preview(null));
  view.from.addEventListener("click", (event) => {
    const chosen = at(event, view.from);
    if (chosen !== null) view.choose(chosen);
  });
  for (const part of [view.from, view.words])
    roving(part, () => [...part.children], { axis: "down", wrap: true, stops: false, scroll: false });
}

function drawTable(view) {
  const { data } = view;
  const { tokens, layer, chosen, columns, label } = data;
  const n = tokens.length;
  const row = isNarrow(view.root) ? ROW.finger : Math.min(ROW.most, Math.max(ROW.least, data.room / Math.max(n, 1)));
  view.row = row;
  view.root.style.setProperty("--row", `${row}px`);
  view.root.style.setProperty("--columns", columns.length);
  view.root.style.setProperty("--shown", columnsWithValues(view).length);
  view.from.setAttribute("aria-label", `The tokens at layer ${layer}; one is chosen`);
  view.words.setAttribute("aria-label", label);
  // Of many layers only some get a number, and none close to “words”, which needs the room.
  const every = Math.ceil(layer / 7);
  const named = (at) => every === 1 || ((layer - at) % every === 0 && at > layer / 6);
  const layers = Array.from({ length: layer + 1 }, (_, i) => (i === layer ? "words" : named(layer - i) ? `${layer - i}` : ""));
  view.head.replaceChildren();
  make(view.head, "span", "corner", "layer");
  const scale = make(view.head, "span", "scale");
  for (const name of layers) make(scale, "i", "", name);
  const headings = make(view.head, "span", "headings");
  make(headings, "i", "");
  for (const column of columns) {
    if (column.kind !== "flow") {
      make(headings, "i", "", column.name);
      continue;
    }
    const turn = button("turn", data.flowing ? "flow" : "compute flow", view.turn);
    headings.append(turn);
    turn.disabled = !data.fits;
    if (!data.flowing) turn.dataset.save = "no";
    turn.title = data.help;
    turn.setAttribute("aria-pressed", data.flowing);
  }

  resize(view.from, n, () => newRow("button"));
  resize(view.words, n, () => newRow("div"));
  tokens.forEach((token, i) => {
    for (const part of [view.from, view.words]) {
      const item = part.children[i];
      item.dataset.index = i;
      item.classList.toggle("quiet", token.quiet);
      item.label.textContent = token.text;
    }
    const from = view.from.children[i];
    from.classList.toggle("chosen", i === chosen);
    from.setAttribute("aria-pressed", i === chosen);
    from.setAttribute("aria-label", `${token.name} at layer ${layer}`);
    from.tabIndex = i === chosen ? 0 : -1;
    const word = view.words.children[i];
    word.tabIndex = i === 0 ? 0 : -1;
    word.setAttribute("role", "listitem");
    const cells = resize(word, columns.length + 1, newCell).slice(1);
    columns.forEach((column, c) => {
      const cell = cells[c];
      cell.className = `cell ${column.kind}`;
      cell.hidden = !column.values;
      if (!column.values) return;
      const value = column.values[i];
      cell.bar.style.width = `${(100 * value) / column.most}%`;
      cell.tick.style.left = `${(100 * column.even) / column.most}%`;
      cell.tick.hidden = !column.even;
      cell.number.textContent = value.toFixed(2);
    });
    word.setAttribute("aria-label", `${token.name}: ${columnsWithValues(view).map((c) => `${c.name} ${c.values[i].toFixed(3)}`).join(", ")}`);
  });
  strands(view);
  show(view);
}

// Darker for a larger share; opaque, so that strands that meet look like one.
function shades(root) {
  const [ground, full] = ["ground", "attention-1"].map((name) => palette(root, name));
  return (part) => mixed(ground, full, 0.25 + 0.65 * Math.sqrt(Math.min(part, 1)));
}

const columnsWithValues = (view) => view.data.columns.filter((column) => column.values);

function newRow(tag) {
  const row = tag === "button" ? button("row") : element(tag, "row");
  row.label = add(row, "span", "token");
  return row;
}

function newCell() {
  const cell = element("span", "cell");
  const track = add(cell, "i", "track");
  cell.bar = add(track, "i", "bar");
  cell.tick = add(track, "i", "tick");
  cell.number = add(cell, "span", "number");
  return cell;
}

// A strand is [layer below, place above, place below, share]; layer 0 is at the right edge.
function strands(view) {
  const { picture, row, data } = view;
  const { layer, levels } = data;
  const n = data.tokens.length;
  const width = 100 * layer;
  picture.setAttribute("viewBox", `0 0 ${width} ${n * row}`);
  picture.style.height = `${n * row}px`;
  picture.replaceChildren();
  const y = (place) => (place + 0.5) * row;
  const ascending = [...data.strands].sort((a, b) => a[3] - b[3]); // the widest are drawn last
  view.strands = ascending.map(([below, upper, lower, share]) => {
    const path = make(picture, "path", "strand");
    const left = 100 * (layer - below - 1);
    path.setAttribute("d", `M${left} ${y(upper)}C${left + 45} ${y(upper)} ${left + 55} ${y(lower)} ${left + 100} ${y(lower)}`);
    return { path, below, upper, lower, share };
  });
  // Dots at all places make round joints.
  view.dots = data.levels.flatMap((level, at) =>
    (at === 0 || at === layer ? [] : level).map((mass, place) => {
      const path = make(picture, "path", "strand dot");
      path.setAttribute("d", `M${100 * (layer - at)} ${y(place)}h0`);
      return { path, at, place, mass };
    }),
  );
  view.strands.sort((a, b) => a.below - b.below); // from the words upwards, as `fromWord` adds them up
  view.mass = levels;
}

// The share of one word in each token of each layer, by the strands that are drawn.
function fromWord(view, word) {
  const share = view.data.levels.map((level) => level.map(() => 0));
  share[0][word] = 1;
  for (const { below, upper, lower, share: passes } of view.strands) {
    const whole = view.mass[below + 1][upper];
    if (whole > 0) share[below + 1][upper] += (passes / whole) * share[below][lower];
  }
  return share;
}

function show(view) {
  const { data, preview, row, says, hint } = view;
  const { tokens, chosen, layer, columns } = data;
  const shade = shades(view.root);
  const share = preview === null ? null : fromWord(view, preview);
  // The share of one word is small: it is drawn wider, and the line above says by how much.
  const wider = share ? Math.min(8, Math.max(1, Math.round(0.6 / Math.max(view.mass[0][preview], 1e-6)))) : 1;
  for (const { path, below, lower, share: passes } of view.strands) {
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
  hint.textContent = "click a token on the left; point at a word on the right";
  if (preview === null) {
    const shares = columns.find((column) => column.kind === "rollout").values;
    const order = [...shares.keys()].sort((a, b) => shares[b] - shares[a]).slice(0, 3);
    says.replaceChildren(strong(tokens[chosen].name), ` at layer ${layer}, by rollout: `, order.map((i) => `${isolated(tokens[i].name)} ${shares[i].toFixed(3)}`).join(", "));
  } else {
    const parts = columnsWithValues(view).map((column) => `${column.name} ${column.values[preview].toFixed(4)}`).join(", ");
    says.replaceChildren(strong(tokens[chosen].name), " from ", strong(tokens[preview].name), `: ${parts}${wider > 1 ? `; drawn ${wider} times as wide` : ""}`);
  }
}

export default connect(draw);
