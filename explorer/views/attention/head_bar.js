// The row above the picture: the layer, its heads, the smallest weight that is drawn, words or pieces,
// special tokens. A saved page has no server, so it shows no controls that need one.
import { add, button, resize } from "../widgets/dom.js";
import { blockName } from "../widgets/layer_names.js";
import { readAloud } from "../widgets/names.js";
import { roving } from "../widgets/roving.js";
import { calm } from "../widgets/motion.js";
import { pointing } from "../widgets/pointing.js";
import { paint } from "./head_paint.js";

const WALL = ".st-key-attention-wall"; // all heads, further down on the page
const MOST = 0.5; // the slider's end; few weights other than those of attention sinks are larger
const SEGMENTS = [["", "both sentences"], ["00", "A to A"], ["01", "A to B"], ["10", "B to A"], ["11", "B to B"]];

export function buildBar(view) {
  const bar = (view.bar = add(view.root, "div", "bar"));
  bar.dataset.save = "no"; // a saved picture has no controls
  view.layers = add(bar, "select", "layers");
  view.layers.setAttribute("aria-label", "Layer");
  view.layers.addEventListener("change", () => view.change({ layer: Number(view.layers.value) }));
  view.chips = add(bar, "div", "heads");
  view.chips.setAttribute("role", "group");
  listenToHeads(view);

  const least = add(bar, "label", "least");
  least.append("at least ");
  view.least = add(least, "input");
  Object.assign(view.least, { type: "range", min: 0, max: MOST, step: 0.01 });
  view.least.setAttribute("aria-label", "Weights below this are not drawn");
  view.leastText = add(least, "output");
  view.least.addEventListener("input", () => {
    view.state.least = Number(view.least.value);
    view.glides = false;
    drawBar(view);
    paint(view);
  });
  view.least.addEventListener("change", () => view.change({ least: Number(view.least.value) }));

  const tick = (name, words) => {
    const label = add(bar, "label", "tick");
    const box = add(label, "input");
    box.type = "checkbox";
    label.append(words);
    box.addEventListener("change", () => view.change({ [name]: box.checked }));
    return box;
  };
  view.merge = tick("merge", "whole words");
  view.hide = tick("hide", "hide special");
  view.every = add(bar, "button", "every");
  view.every.type = "button";
  view.every.addEventListener("click", () => document.querySelector(WALL)?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" }));
}

// For two sentences, which of them reads which: at the end of the line under the bar.
export function buildSegments(view, line) {
  view.segments = add(line, "select", "segments");
  view.segments.setAttribute("aria-label", "Between which sentences: A is the first, B the second");
  view.segments.title = "A is the first sentence, B the second";
  view.segments.dataset.save = "no";
  for (const [value, words] of SEGMENTS) view.segments.append(new Option(words, value));
  view.segments.addEventListener("change", () => view.change({ sides: view.segments.value }));
}

export function drawBar(view) {
  const { data, state } = view;
  resize(view.layers, data.layers, (layer) => new Option(blockName(layer), String(layer)));
  view.layers.value = state.layer;
  const count = data.heads + (data.heads > 1); // with one for all heads
  resize(view.chips, count, () => button("chip"));
  view.chips.setAttribute("aria-label", `Heads of layer ${data.state.layer + 1}`);
  [...view.chips.children].forEach((chip, head) => {
    const all = head === data.heads;
    const on = all ? state.on.length === data.heads : state.on.includes(head);
    chip.dataset.head = head;
    const name = all ? "all" : String(head + 1);
    if (chip.textContent !== name) chip.textContent = name;
    chip.classList.toggle("on", on);
    chip.classList.toggle("trying", head === view.tryingHead);
    chip.setAttribute("aria-pressed", on);
    chip.title = all ? "The mean of all heads" : data.kinds[head];
    chip.setAttribute("aria-label", all ? "All heads, their mean" : readAloud(`Head ${head + 1}. ${data.kinds[head]}`.trim()));
    chip.tabIndex = head === state.head ? 0 : -1; // one stop; the arrow keys walk inside it
  });
  if (document.activeElement !== view.least) view.least.value = state.least;
  view.leastText.textContent = state.least.toFixed(2);
  view.merge.checked = state.merge;
  view.hide.checked = state.hide;
  for (const box of [view.merge, view.hide]) box.parentNode.hidden = Boolean(data.fixed);
  view.every.hidden = Boolean(data.fixed);
  view.every.textContent = `all ${data.layers * data.heads} heads ↓`;
  view.hint.hidden = data.tokens.some((token) => token.side === 1);
  view.segments.hidden = !view.hint.hidden;
  view.segments.value = state.sides;
}

// A click switches a head on or off, with Shift all others off; pointing at a head previews it.
function listenToHeads(view) {
  const { chips } = view;
  const headOf = (event) => (event.target.dataset.head === undefined ? null : Number(event.target.dataset.head));
  const attempt = (head) => {
    if (head === view.tryingHead || head >= view.data.heads || (head !== null && head === view.clicked)) return;
    view.clicked = null;
    view.tryingHead = head;
    view.refresh();
  };
  pointing(chips, (event) => attempt(headOf(event)), () => attempt(null), "pointerover");
  chips.addEventListener("focusin", (event) => view.root.classList.contains("keys") && attempt(headOf(event)));
  chips.addEventListener("focusout", () => attempt(null));
  chips.addEventListener("click", (event) => {
    const head = headOf(event);
    if (head !== null) toggleHead(view, head, event.shiftKey);
  });
  roving(chips, () => [...chips.children], { axis: "across", wrap: true, stops: false });
}

function toggleHead(view, head, alone) {
  const { heads } = view.data;
  const { on } = view.state;
  view.tryingHead = null;
  view.clicked = head; // no preview of this head until another is pointed at: the result of the click shows
  if (head === heads) {
    const every = on.length === heads;
    view.change({ on: every ? [view.state.head] : [...Array(heads).keys()] });
  } else if (alone) view.change({ on: [head], head });
  else if (!on.includes(head)) view.change({ on: [...on, head].sort((a, b) => a - b), head });
  else if (on.length > 1) {
    const rest = on.filter((other) => other !== head);
    view.change({ on: rest, head: rest.includes(view.state.head) ? view.state.head : rest[0] });
  }
}
