// A sentence in one row with arcs from word to word: above the row for a look back, below it for a
// look ahead. Hover previews a word's own arcs, click locks them, Esc releases them. With `drawing`, a
// click on two words one after the other asks for an arc, and the arcs drawn so far are listed.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { button, byKeyboard, element, partOf, strong } from "../widgets/dom.js";
import { announceChanges } from "../widgets/live.js";
import { names } from "../widgets/names.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";

const NAMED = 5; // weights told in words
const HEADED = 0.25; // an arc this heavy ends in an arrowhead

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ text: string, quiet?: boolean }[]} tokens
 * @property {{ from: number, to: number, weight: number, kind: string }[]} arcs
 * @property {[number, number][] | null} drawn arcs that the visitor has drawn
 * @property {boolean} drawing
 * @property {string} caption
 * @property {string} hint
 * @property {string} name of the head
 * @property {string} message instead of a picture
 * @property {number} [scale] of the letters
 * @property {number} above px over the words
 * @property {number} below
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const changed = JSON.stringify(view.data?.tokens) !== JSON.stringify(data.tokens);
  view.data = data;
  view.draw = (from, to) => send("draw", { from, to });
  view.erase = (from, to) => send("erase", { from, to });
  if (changed) {
    view.locked = view.preview = view.pending = null;
    tokens(view);
  }
  if (!data.drawing) view.pending = null;
  view.stage.setAttribute("aria-label", data.label);
  view.message.hidden = !data.message;
  view.message.textContent = data.message;
  view.scroller.hidden = Boolean(data.message);
  chips(view);
  view.observer ??= new ResizeObserver(() => arcs(view));
  view.observer.observe(view.row);
  arcs(view);
  show(view);
}

function build(root) {
  const view = { root };
  const line = element("p", "line");
  view.caption = element("span", "caption");
  announceChanges(view.caption);
  view.hint = element("span", "hint");
  view.hint.dataset.save = "no";
  line.append(view.caption, view.hint);
  view.scroller = element("div", "scroller rb-wide");
  view.stage = element("div", "stage");
  view.stage.setAttribute("role", "group");
  view.svg = node("svg", { "aria-hidden": "true" }); // the words' labels say the same
  view.row = element("div", "words");
  view.stage.append(view.svg, view.row);
  view.scroller.append(view.stage);
  view.message = element("p", "message");
  view.chips = element("div", "chips");
  root.append(line, view.scroller, view.message, view.chips);
  listen(view);
  return view;
}

function listen(view) {
  const { root, row } = view;
  const wordAt = (event) => partOf(event, ".word");
  const preview = (word) => {
    const at = word ? Number(word.dataset.index) : null;
    if (at === view.preview) return;
    view.preview = at;
    show(view);
  };
  pointing(row, (event) => preview(wordAt(event)), () => preview(null));
  row.addEventListener("focusin", (event) => byKeyboard(event) && preview(wordAt(event)));
  row.addEventListener("focusout", () => preview(null));
  row.addEventListener("click", (event) => {
    const word = wordAt(event);
    if (!word) return;
    const at = Number(word.dataset.index);
    if (!view.data.drawing) view.locked = view.locked === at ? null : at;
    else if (view.data.tokens[at].quiet) return;
    else if (view.pending === null) view.pending = at;
    else {
      if (view.pending !== at) view.draw(view.pending, at);
      view.pending = null;
    }
    show(view);
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || (view.pending === null && view.locked === null)) return;
    view.pending = view.locked = null;
    show(view);
    event.preventDefault();
    event.stopPropagation();
  });
  roving(root, () => [...row.children], { axis: "across", wrap: true });
}

function tokens(view) {
  view.names = names(view.data.tokens);
  view.row.replaceChildren(
    ...view.data.tokens.map((token, index) => {
      const word = button("word", token.text);
      word.dataset.index = index;
      word.tabIndex = index === 0 ? 0 : -1;
      word.classList.toggle("quiet", Boolean(token.quiet));
      return word;
    }),
  );
  layOut(view.row, [...view.row.children]);
  // A long sentence is set smaller before it has to scroll; never below what the back row reads.
  view.root.style.setProperty("--size", `${(view.data.scale ?? 1) * (view.data.tokens.length > 16 ? 16 : 19)}px`);
}

function chips(view) {
  const { drawn } = view.data;
  view.chips.hidden = !drawn;
  const signature = JSON.stringify([drawn, view.names]);
  if (!drawn || view.chips.signature === signature) return; // a chip that has the focus keeps it
  view.chips.signature = signature;
  const name = (at) => view.names[at] ?? "?";
  const focused = [...view.chips.children].indexOf(view.root.getRootNode().activeElement);
  view.chips.replaceChildren(
    ...drawn.map(([from, to]) => {
      const chip = button("chip", `${name(from)} → ${name(to)}`, () => view.erase(from, to));
      chip.append(element("span", "close", "×"));
      chip.setAttribute("aria-label", `Take away the arc from ${name(from)} to ${name(to)}`);
      return chip;
    }),
  );
  if (focused >= 0) (view.chips.children[Math.min(focused, drawn.length - 1)] ?? view.row.firstChild)?.focus({ preventScroll: true });
}

// Every arc of the data, the drawn ones on top; a word that looks at itself gets a small loop.
function arcs(view) {
  const { data, stage, svg, row } = view;
  const words = [...row.children];
  if (!words.length || data.message) return svg.replaceChildren();
  stage.style.setProperty("--above", `${data.above}px`);
  stage.style.setProperty("--below", `${data.below}px`);
  const width = row.scrollWidth;
  const height = data.above + row.offsetHeight + data.below;
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  const middle = (at) => words[at].offsetLeft + words[at].offsetWidth / 2;
  const paths = [];
  const arc = (from, to, weight, kind) => {
    if (!words[from] || !words[to]) return;
    const back = to <= from;
    const base = back ? data.above - 1 : data.above + row.offsetHeight + 1;
    const room = (back ? data.above : data.below) - 8;
    const [start, end] = from === to ? [middle(from) - 7, middle(to) + 7] : [middle(from), middle(to)];
    const rise = from === to ? 17 : Math.min(room, 12 + (room - 12) * (Math.abs(end - start) / Math.max(width, 500)) ** 0.55);
    const top = base + ((back ? -1 : 1) * rise) / 0.75; // a cubic reaches three quarters of the way to its handles
    const headed = from !== to && (kind === "drawn" || kind === "hit" || (weight >= HEADED && kind !== "wanted"));
    const tip = base + (back ? -1 : 1) * (headed ? 6 : 0);
    const path = node("path", { class: `arc ${kind}`, d: `M${start} ${base}C${start} ${top} ${end} ${top} ${end} ${tip}` });
    path.dataset.weight = weight;
    if (kind !== "drawn" && kind !== "wanted") {
      path.style.strokeWidth = `${1 + (from === to ? 1.5 : 4) * weight}px`;
      path.style.strokeOpacity = kind === "hit" ? 1 : Math.min(1, weight ** 0.7 + 0.04);
    }
    path.ends = [from, to];
    paths.push(path);
    if (headed) {
      const side = back ? -1 : 1;
      const arrow = node("path", { class: `arrow ${kind}`, d: `M${end} ${base}l-5 ${side * 9}h10z` });
      arrow.style.fillOpacity = kind === "drawn" || kind === "hit" ? 1 : Math.min(1, weight ** 0.7 + 0.04);
      arrow.ends = [from, to];
      paths.push(arrow);
    }
  };
  for (const { from, to, weight, kind } of data.arcs) arc(from, to, weight, kind);
  for (const [from, to] of data.drawn ?? []) arc(from, to, 1, "drawn");
  svg.replaceChildren(...paths);
  show(view);
}

function show(view) {
  const { data, preview, locked, pending } = view;
  const focus = data.drawing ? (pending === null ? preview : null) : (preview ?? locked);
  view.root.classList.toggle("drawing", data.drawing);
  for (const path of view.svg.children) {
    const drawn = path.classList.contains("drawn");
    path.classList.toggle("off", focus !== null && !drawn && path.ends[0] !== focus);
  }
  const from = (at) => data.arcs.filter((arc) => arc.from === at && arc.kind !== "wanted").sort((a, b) => b.weight - a.weight);
  [...view.row.children].forEach((word, index) => {
    const strongest = from(index).slice(0, NAMED).map((arc) => `${view.names[arc.to]} ${arc.weight.toFixed(2)}`);
    word.classList.toggle("chosen", index === locked || index === pending);
    word.setAttribute("aria-pressed", index === locked || index === pending);
    word.setAttribute("aria-label", strongest.length ? `${view.names[index]}: to ${strongest.join(", ")}` : view.names[index]);
  });
  if (pending !== null) {
    view.caption.replaceChildren("From ", strong(view.names[pending]), preview !== null && preview !== pending ? ` to ${view.names[preview]}?` : " to which word?");
    view.hint.textContent = "click it again to cancel";
    return;
  }
  view.hint.textContent = locked !== null ? "a second click releases it" : data.hint;
  if (focus === null) {
    view.caption.textContent = data.caption;
    return;
  }
  const strongest = from(focus).slice(0, NAMED).map((arc) => `${view.names[arc.to]} ${arc.weight.toFixed(3)}`);
  view.caption.replaceChildren(data.name ? `${data.name}, from ` : "From ", strong(view.names[focus]), strongest.length ? `: to ${strongest.join(", ")}` : data.arcs.length ? ": nothing over 0.01" : "");
}

export default connect(draw);
