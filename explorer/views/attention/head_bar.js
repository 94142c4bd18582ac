// The row above the picture: the layer, its heads, the smallest weight that is drawn, words or pieces,
// special tokens. A saved page has no server, so it shows no controls that need one.
import { blockName } from "../widgets/layer_names.js";
import { html, render } from "../widgets/lit.js";
import { readAloud } from "../widgets/names.js";
import { roving } from "../widgets/roving.js";
import { calm } from "../widgets/motion.js";
import { pointing } from "../widgets/pointing.js";
import { paint } from "./head_paint.js";

const WALL = ".st-key-attention-wall"; // all heads, further down on the page
const MOST = 0.5; // the slider's end; few weights other than those of attention sinks are larger
const SEGMENTS = [["", "both sentences"], ["00", "A to A"], ["01", "A to B"], ["10", "B to A"], ["11", "B to B"]];

/** The row itself; a saved picture has no controls. @param {any} view */
export function bar(view) {
  const tick = (name, words) => html`
    <label class="tick"><input type="checkbox" name=${name} @change=${(event) => view.change({ [name]: event.target.checked })}>${words}</label>`;
  const pull = ({ target }) => {
    view.state.least = Number(target.value);
    view.glides = false;
    drawBar(view);
    paint(view);
  };
  const wall = () => document.querySelector(WALL)?.scrollIntoView({ behavior: calm() ? "auto" : "smooth" });
  return html`
    <div class="bar" data-save="no">
      <select class="layers" aria-label="Layer" @change=${({ target }) => view.change({ layer: Number(target.value) })}></select>
      <div class="heads" role="group"></div>
      <label class="least">at least <input type="range" min="0" max=${MOST} step="0.01" aria-label="Weights below this are not drawn"
        @input=${pull} @change=${({ target }) => view.change({ least: Number(target.value) })}><output></output></label>
      ${tick("merge", "whole words")}${tick("hide", "hide special")}
      <button type="button" class="every" @click=${wall}></button>
    </div>`;
}

/** For two sentences, which of them reads which: at the end of the line under the bar. @param {any} view */
export function segments(view) {
  return html`
    <select class="segments" data-save="no" aria-label="Between which sentences: A is the first, B the second"
      title="A is the first sentence, B the second" @change=${({ target }) => view.change({ sides: target.value })}>
      ${SEGMENTS.map(([value, words]) => html`<option value=${value}>${words}</option>`)}
    </select>`;
}

export function drawBar(view) {
  const { data, state } = view;
  const upTo = (count) => [...Array(count).keys()];
  render(upTo(data.layers).map((layer) => html`<option value=${layer}>${blockName(layer)}</option>`), view.layers);
  view.layers.value = state.layer;
  view.chips.setAttribute("aria-label", `Heads of layer ${data.state.layer + 1}`);
  // With one for all heads; one stop, the arrow keys walk inside it.
  render(upTo(data.heads + (data.heads > 1)).map((head) => {
    const all = head === data.heads;
    const on = all ? state.on.length === data.heads : state.on.includes(head);
    return html`
      <button type="button" class="chip ${on ? "on" : ""} ${head === view.tryingHead ? "trying" : ""}" data-head=${head} aria-pressed=${on}
        title=${all ? "The mean of all heads" : data.kinds[head]} tabindex=${head === state.head ? 0 : -1}
        aria-label=${all ? "All heads, their mean" : readAloud(`Head ${head + 1}. ${data.kinds[head]}`.trim())}>${all ? "all" : head + 1}</button>`;
  }), view.chips);
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
export function listenToHeads(view) {
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
