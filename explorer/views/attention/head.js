// One attention head of a layer, or the mean of several, drawn twice: lines from each token to those that
// it reads, and a map of the same weights, with a row beside each token. Hover previews, click locks, Esc
// releases; arrow keys walk to the neighbouring head or layer. Nodes are updated in place. A change is
// shown at once, and is kept until Python has answered it.

import { palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { blockName } from "../widgets/layer_names.js";
import { html, render } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { calm } from "../widgets/motion.js";
import { names, readAloud } from "../widgets/names.js";
import { fixed, perCent } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";
import { isNarrow, onWidth } from "../widgets/width.js";
import { drawnHeads, headWeight, meanOf, read, weight } from "./head_data.js";
import { paint, paintLines, shade, tint } from "./head_paint.js";
import { listen } from "./head_touch.js";
import { headsName, say } from "./head_words.js";

// The row above the picture: the layer, its heads, the smallest weight that is drawn, words or pieces,
// special tokens. A saved page has no server, so it shows no controls that need one.

const WALL = ".st-key-attention-wall"; // all heads, further down on the page
const MOST = 0.5; // the slider's end; few weights other than those of attention sinks are larger
const segmentNames = () => [["", t("both sentences")], ["00", t("A to A")], ["01", t("A to B")], ["10", t("B to A")], ["11", t("B to B")]];

/** The row itself; a saved picture has no controls. @param {any} view */
function bar(view) {
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
      <select class="layers" aria-label=${t("Layer")} @change=${({ target }) => view.change({ layer: Number(target.value) })}></select>
      <div class="heads" role="group"></div>
      <label class="least">${t("at least")} <input type="range" min="0" max=${MOST} step="0.01" aria-label=${t("Weights below this are not drawn")}
        @input=${pull} @change=${({ target }) => view.change({ least: Number(target.value) })}><output></output></label>
      ${tick("merge", t("whole words"))}${tick("hide", t("hide special"))}
      <button type="button" class="every" @click=${wall}></button>
    </div>`;
}

/** For two sentences, which of them reads which: at the end of the line under the bar. @param {any} view */
function segments(view) {
  return html`
    <select class="segments" data-save="no" aria-label=${t("Between which sentences: A is the first, B the second")}
      title=${t("A is the first sentence, B the second")} @change=${({ target }) => view.change({ sides: target.value })}>
      ${segmentNames().map(([value, words]) => html`<option value=${value}>${words}</option>`)}
    </select>`;
}

function drawBar(view) {
  const { data, state } = view;
  const upTo = (count) => [...Array(count).keys()];
  render(upTo(data.layers).map((layer) => html`<option value=${layer}>${blockName(layer)}</option>`), view.layers);
  view.layers.value = state.layer;
  view.chips.setAttribute("aria-label", t("Heads of layer {layer}", { layer: data.state.layer + 1 }));
  // With one for all heads; one stop, the arrow keys walk inside it.
  render(upTo(data.heads + (data.heads > 1)).map((head) => {
    const all = head === data.heads;
    const on = all ? state.on.length === data.heads : state.on.includes(head);
    return html`
      <button type="button" class="chip ${on ? "on" : ""} ${head === view.tryingHead ? "trying" : ""}" data-head=${head} aria-pressed=${on}
        title=${all ? t("The mean of all heads") : data.kinds[head]} tabindex=${head === state.head ? 0 : -1}
        aria-label=${all ? t("All heads, their mean") : readAloud(`${t("Head {head}", { head: head + 1 })}. ${data.kinds[head]}`.trim())}>${all ? t("all") : head + 1}</button>`;
  }), view.chips);
  if (document.activeElement !== view.least) view.least.value = state.least;
  view.leastText.textContent = fixed(state.least);
  view.merge.checked = state.merge;
  view.hide.checked = state.hide;
  for (const box of [view.merge, view.hide]) box.parentNode.hidden = Boolean(data.fixed);
  view.every.hidden = Boolean(data.fixed);
  view.every.textContent = t("all {count} heads ↓", { count: data.layers * data.heads });
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

const ROOM = 340; // px for the rows of a text of up to 20 tokens; a longer text grows downwards
const ROW = { least: 17, most: 38, finger: 40 };
const LETTERS = 8; // of a column’s label

/**
 * Its data: as head_data.js says
 * @type {import("../widgets/connect.js").Draw<Uint8Array>}
 */
export function draw(root, data, send) {
  const next = read(data); // it has the texts of what is built
  const view = (root.view ??= build(root));
  const other = view.data && (view.data.model !== next.model || JSON.stringify(view.data.tokens) !== JSON.stringify(next.tokens));
  view.request ??= next.answered;
  if (other) {
    view.preview = view.tryingHead = null;
    view.glides = false;
  }
  if (next.answered >= view.request) view.pending = {};
  view.data = next;
  view.n = next.tokens.length;
  view.state = { ...next.state, ...view.pending };
  if (Math.max(view.state.locked?.at ?? 0, view.state.locked?.other ?? 0) >= view.n) view.state.locked = null;
  view.state.on = view.state.on.filter((head) => head < next.heads);
  if (!view.state.on.length) view.state.on = [next.state.head];
  view.change = (changes) => {
    Object.assign(view.pending, changes);
    Object.assign(view.state, changes);
    view.request += 1;
    send("change", { request: view.request, ...view.pending });
    refresh(view);
  };
  drawText(view);
  refresh(view);
}

function build(root) {
  const view = { root, pending: {}, preview: null, tryingHead: null, refresh: () => refresh(view), show: () => show(view) };
  // The tokens' labels say in words what the map and the lines show.
  render(html`
    ${bar(view)}
    <p class="line"><span class="says"></span>${segments(view)}<span class="hint" data-save="no"></span></p>
    <div class="stage" tabindex="0" role="group">
      <div class="columns" aria-hidden="true"></div>
      <span class="heading">${t("from")}</span><span class="heading">${t("to")}</span>
      <svg class="map" preserveAspectRatio="none" aria-hidden="true"><rect class="ground"></rect><g class="cells"></g><path class="border"></path><rect
        class="outline"></rect></svg>
      <div class="from"></div>
      <svg class="wires" aria-hidden="true"><g class="faint-lines"></g><g class="lines"></g></svg>
      <div class="to"></div>
    </div>
    <p class="message"></p>`, root);
  const parts = {
    bar: ".bar", layers: ".layers", chips: ".heads", least: ".least input", leastText: ".least output", merge: "[name=merge]", hide: "[name=hide]",
    every: ".every", says: ".says", segments: ".segments", hint: ".hint", stage: ".stage", columns: ".columns", map: ".map", from: ".from",
    wires: ".wires", to: ".to", message: ".message", cells: ".cells", border: ".border", outline: ".outline", faint: ".faint-lines", lines: ".lines",
  };
  for (const [name, part] of Object.entries(parts)) view[name] = root.querySelector(part);
  announceChanges(view.says);
  listenToHeads(view);
  new ResizeObserver(() => view.data && !view.data.message && paintLines(view)).observe(view.wires);
  listen(view);
  onWidth(root, () => view.data && drawText(view));
  return view;
}

// Everything that depends on the text and the width alone.
function drawText(view) {
  const { tokens, message } = view.data;
  const { n, root } = view;
  view.row = isNarrow(root) ? ROW.finger : Math.min(ROW.most, Math.max(ROW.least, ROOM / Math.max(n, 1)));
  root.style.setProperty("--row", `${view.row}px`);
  root.style.setProperty("--side", `${Math.min(n * view.row, ROOM)}px`);
  root.style.setProperty("--size", `${Math.min(20, Math.max(16, view.row * 0.62))}px`);
  root.style.setProperty("--room", `${ROOM}px`);
  root.style.setProperty("--count", n);
  root.dataset.palette = view.data.palette;
  view.ramp = [0, 1].map((end) => palette(root, `attention-${end}`));
  view.stage.hidden = view.bar.hidden = Boolean(message);
  view.message.hidden = !message;
  view.message.textContent = message;
  view.names = names(tokens);
  for (const side of ["from", "to"]) drawTokens(view, side);
  drawColumns(view);
  view.map.setAttribute("viewBox", `0 0 ${Math.max(n, 1)} ${Math.max(n, 1)}`);
  for (const name of ["width", "height"]) view.map.firstChild.setAttribute(name, n);
  const second = tokens.findIndex((token) => token.side === 1);
  view.border.setAttribute("d", second > 0 ? `M0 ${second}H${n}M${second} 0V${n}` : "");
}

function drawTokens(view, side) {
  const { tokens } = view.data;
  render(tokens.map(({ text, quiet, side: sentence }, index) => {
    const second = index > 0 && sentence === 1 && tokens[index - 1].side === 0;
    return html`
      <button type="button" class="token ${quiet ? "quiet" : ""} ${second ? "second" : ""}" data-index=${index} tabindex=${index ? -1 : 0}
        aria-label=${side === "from" ? t("from {token}", { token: view.names[index] }) : t("to {token}", { token: view.names[index] })}><span class="label" title=${text.length > 11 ? text : ""}>${text}</span><span
        class="value"></span><span class="strip" aria-hidden="true"></span></button>`; // one stop per column; the arrow keys walk inside it
  }), view[side]);
}

// The words above the map’s columns, where a column is wide enough for one.
function drawColumns(view) {
  const shown = view.n * ROW.least <= ROOM ? view.data.tokens : [];
  render(shown.map(({ text, quiet }, index) => {
    const letters = [...text];
    const short = letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("")}…` : text;
    return html`<span class=${quiet ? "quiet" : ""} style="--at: ${(index + 0.5) / view.n}">${short}</span>`;
  }), view.columns);
}

// Everything that depends on the heads that are drawn.
function refresh(view) {
  drawBar(view);
  if (view.data.message) return say(view);
  view.mean = meanOf(view);
  view.root.style.setProperty("--heads", drawnHeads(view).length);
  view.stage.setAttribute("aria-label", t("{heads}. Left and right arrows change the head, up and down the layer.", { heads: headsName(view) }));
  paint(view);
  show(view);
}

// For the wall of all heads, if there is one: the heads to frame, and the selected pair of tokens.
function tellWall(view, focus) {
  const heads = { layer: view.data.state.layer, on: drawnHeads(view) };
  if (focus?.other !== undefined) {
    const [from, to] = focus.side === "from" ? [focus.at, focus.other] : [focus.other, focus.at];
    heads.pair = { from, to, of: view.n, names: [view.names[from], view.names[to]] };
  }
  document.documentElement.dataset.riverbankHeads = JSON.stringify(heads);
  document.dispatchEvent(new CustomEvent("riverbank:heads"));
}

// Everything that depends on the token that is pointed at or locked: cheap, and no mark is created.
function show(view) {
  const { n, root, state } = view;
  const focus = view.preview ?? state.locked;
  const other = focus?.side === "from" ? "to" : "from";
  const heads = drawnHeads(view);
  const pair = (index) => (focus.side === "from" ? [focus.at, index] : [index, focus.at]);
  const value = (index) => weight(view, ...pair(index));
  root.classList.toggle("several", heads.length > 1);
  for (const side of ["from", "to"]) {
    [...view[side].children].forEach((token, index) => {
      const [label, number, strip] = token.children;
      const isLocked = state.locked?.side === side ? state.locked.at === index : state.locked?.other === index;
      const numbered = Boolean(focus) && side === other;
      const colours = numbered && value(index) >= 0.005 && tint(view, value(index));
      token.classList.toggle("locked", isLocked);
      token.classList.toggle("chosen", focus?.side === side ? focus.at === index : focus?.other === index && numbered);
      token.classList.toggle("faint", numbered && value(index) < 0.005);
      token.classList.toggle("out", Boolean(state.sides) && view.data.tokens[index].side !== Number(state.sides[side === "from" ? 0 : 1]));
      token.setAttribute("aria-pressed", isLocked);
      label.style.background = colours ? colours.ground : "";
      label.style.color = colours ? colours.ink : "";
      number.textContent = numbered ? perCent(value(index)) : "";
      drawStrip(view, strip, numbered && heads.length > 1 ? heads.map((head) => headWeight(view, head, ...pair(index))) : []);
    });
  }
  tellWall(view, focus);
  // The weight that each head of this layer gives to the pair.
  const joined = focus?.other !== undefined && pair(focus.other);
  [...view.chips.children].forEach((chip, head) => {
    const share = joined && head < view.data.heads ? headWeight(view, head, ...joined) : 0;
    const colours = share >= 0.005 && tint(view, shade(share));
    chip.style.background = colours ? colours.ground : "";
    chip.style.color = colours ? colours.ink : "";
  });
  const outline = focus ? { [focus.side === "from" ? "y" : "x"]: focus.at } : {};
  view.outline.toggleAttribute("hidden", !focus);
  view.outline.setAttribute("x", outline.x ?? 0);
  view.outline.setAttribute("y", outline.y ?? 0);
  view.outline.setAttribute("width", outline.x === undefined ? n : 1);
  view.outline.setAttribute("height", outline.y === undefined ? n : 1);
  say(view, focus, focus && value);
}

// Beside a mean, a square for each of its heads.
function drawStrip(view, strip, weights) {
  render(weights.map((share) => html`<i style="background: ${tint(view, shade(share)).ground}"></i>`), strip);
}

export default connect(draw);
