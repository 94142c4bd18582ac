// The same sentences on small maps side by side, one a model. Between the word's own vector and its vectors
// in context the dots glide. Pointing at a dot lights its sentence up on every map; a click locks it, Esc
// releases it, arrow keys walk from sentence to sentence. Equal vectors are one dot with their number, or the words that it is all of them.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { byKeyboard } from "../widgets/dom.js";
import { presents } from "../widgets/fill_window.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { announceChanges } from "../widgets/live.js";
import { pointing } from "../widgets/pointing.js";
import { arrow } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";
import { colour, icon } from "../widgets/occurrence.js";

const HALF = 120; // of the drawing's own units
const PAD = 22;
const GRAIN = 10000;
const FEW = 6; // sentences that a stage has room for below the maps
const REACH = 22; // from the pointer to a dot that it means

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {any[]} panels { name, title, layer, parted, comparison, problem } and, of a model that could be read, { dots, places, alike, reads, judged, right, chance, guesses }; places and alike for the word alone, `static`, and in `context`
 * @property {{ text: string, colour: number, path: string }[]} marks
 * @property {{ colour: number, path: string }} unknown
 * @property {boolean} static whether the word alone is shown
 * @property {string} locked a dot's id, or nothing
 * @property {string} hint
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.view ??= build(root);
  root.view.send = send;
  take(root.view, data);
}

function build(root) {
  render(html`<div class="legend"></div><div class="grid"></div><div class="strip"></div>`, root);
  const [legend, grid, strip] = root.children;
  announceChanges(strip);
  root.setAttribute("role", "group");
  return { root, legend, grid, strip, panels: [], signature: "", locked: null, over: null };
}

/**
 * @param {any} view
 * @param {Data} data
 */
function take(view, data) {
  const { static: still, locked, ...rest } = data;
  const signature = JSON.stringify(rest);
  view.state = still ? "static" : "context";
  view.data = data;
  if (signature !== view.signature) {
    Object.assign(view, { signature, over: null });
    view.root.setAttribute("aria-label", data.label);
    const open = data.marks.length && data.panels.some((panel) => panel.dots?.some((dot) => dot.mark < 0));
    const marks = open ? [...data.marks, { ...data.unknown, text: t("no sense given") }] : data.marks;
    render(marks.map((mark) => html`<span>${icon(mark)}${mark.text}</span>`), view.legend);
    const shape = getComputedStyle(view.root).getPropertyValue("--rb-four-shape") || "1";
    const [across, down = 1] = shape.split("/").map(Number);
    render(nothing, view.grid);
    view.panels = data.panels.map((model) => ({ model, aspect: across / down }));
  }
  // A lock from elsewhere, a link or another view, has no map of its own.
  if (locked !== idOf(view.locked)) view.locked = locked ? { ids: [locked], panel: null } : null;
  show(view);
}

function idOf(spot) {
  return spot ? spot.ids[0] : "";
}

// Where a dot stands, in the drawing's units: all of a map, the word alone too, fill its frame.
function at(panel, state, i) {
  const { scale, middle } = (panel.view ??= viewOf(panel));
  return [0, 1].map((axis) => (axis ? -1 : 1) * (panel.model.places[state][2 * i + axis] - middle[axis]) * scale);
}

function viewOf({ model, aspect }) {
  const places = [...model.places.static, ...model.places.context];
  const ends = [0, 1].map((axis) => {
    const along = places.filter((_, i) => i % 2 === axis);
    return [Math.min(...along), Math.max(...along)];
  });
  const [wide, high] = ends.map(([low, top]) => Math.max((top - low) / 2, GRAIN / 50));
  return { scale: Math.min((HALF * aspect - PAD) / wide, (HALF - PAD) / high), middle: ends.map(([low, top]) => (low + top) / 2) };
}

// One model: its dots, those with the same vector as one with their number, and what the model makes of what is lit.
function drawPanel(view, panel, ids) {
  const { model } = panel;
  const head = html`
    <div class="head">
      <button type="button" class="title" title=${t("Open this model’s map")} @click=${() => view.send("open", model.name)}>${model.title}</button>
      <span class="layer">${view.state === "static" && model.dots ? t("word alone") : model.layer}</span>
    </div>
    <p class="says">${model.comparison ?? " "}</p>`;
  if (!model.dots) return html`<section class="panel">${head}<p class="problem">${model.problem}</p></section>`;
  const lit = model.dots.map((dot) => ids.has(dot.id));
  const any = lit.some(Boolean);
  const all = lit.length > 1 && lit.every(Boolean); // rings around everything would point at nothing
  const many = (state) => model.alike[state].filter((group) => group.length > 1);
  const sameMark = (group) => group.every((i) => model.dots[i].mark === model.dots[group[0]].mark);
  const hidden = new Set(many(view.state).flatMap((group) => (sameMark(group) ? group.slice(1) : group)));
  const size = model.dots.length > 60 ? 0.6 : model.dots.length > 12 ? 0.95 : 1.4;
  const dot = ({ mark: number }, i) => {
    const [x, y] = at(panel, view.state, i);
    const mark = number < 0 ? view.data.unknown : view.data.marks[number];
    const look = [number < 0 && "unknown", hidden.has(i) && "inside", lit[i] && !all && "lit", any && !lit[i] && "pale"].filter(Boolean).join(" ");
    return svg`
      <g class="dot ${look}" style="--own: ${colour(mark.colour)}; transform: translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${size})">
        <circle class="ring" r="14"></circle><path class="shape" d=${mark.path}></path>
      </g>`;
  };
  const one = (state) => (group) => {
    const [x, y] = at(panel, state, group[0]);
    const mine = group.some((i) => lit[i]);
    const look = [sameMark(group) && "same", state !== view.state && "gone", mine && "lit", any && !mine && "pale"].filter(Boolean).join(" ");
    return svg`
      <g class="one ${look}" style="transform: translate(${x}px, ${y}px)">
        <circle class="ring" r="15"></circle><circle r="10"></circle>${group.length < lit.length
          ? svg`<text x="17" y="0">×${group.length}</text>`
          : svg`<text y=${y > 0 ? -34 : 34} text-anchor=${anchor(x)}>${t("all {count} sentences", { count: group.length })}</text>`}
      </g>`;
  };
  const anchor = (x) => (Math.abs(x) < HALF / 3 ? "middle" : x < 0 ? "start" : "end");
  const spots = model.alike[view.state].length;
  const counts = { model: model.title, count: model.dots.length, spots };
  const spread = spots === 1
    ? t("{model}: {count} sentences, {spots} different vector.", counts)
    : t("{model}: {count} sentences, {spots} different vectors.", counts);
  const called = `${spread} ${scoreOf(view, model)}`;
  const right = view.state === "static" ? model.chance : model.right;
  const bar = () => html`
    <div class="bar"><i style="width: ${(100 * right) / model.judged}%"></i><b style="left: calc(${(100 * model.chance) / model.judged}% - 1px)"></b></div>`;
  const half = HALF * panel.aspect;
  return html`
    <section class="panel">
      ${head}
      <svg class="map ${view.over?.panel === panel ? "over" : ""}" viewBox="${-half} ${-HALF} ${2 * half} ${2 * HALF}" tabindex="0" role="img" aria-label=${called}>
        <g>${model.dots.map(dot)}</g><g>${["static", "context"].map((state) => many(state).map(one(state)))}</g>
      </svg>
      <div class="verdict">${verdict(view, panel, any ? lit.indexOf(true) : -1, ids.size)}</div>
      ${model.judged ? bar() : nothing}
    </section>`;
}

function listen(view, panel) {
  const { map } = panel;
  pointing(map, (event) => point(view, panel, nearest(view, panel, event)), () => point(view, panel, -1));
  map.addEventListener("click", (event) => lock(view, panel, nearest(view, panel, event)));
  map.addEventListener("focus", (event) => byKeyboard(event) && panel.model.dots[panel.left] && point(view, panel, panel.left));
  map.addEventListener("blur", () => {
    panel.left = view.over?.first;
    point(view, panel, -1);
  });
  map.addEventListener("keydown", (event) => {
    const now = view.over?.panel === panel ? view.over.first : indexOf(panel, idOf(view.locked));
    const [right, down] = arrow(event) ?? [0, 0];
    const by = right + down;
    const { length } = panel.model.dots;
    if (by) point(view, panel, now < 0 && by < 0 ? length - 1 : (now + by + length) % length);
    else if ((event.key === "Enter" || event.key === " ") && now >= 0) lock(view, panel, now);
    else if (event.key === "Escape") release(view);
    else return;
    event.preventDefault();
  });
}

// The dot that a pointer means, or -1.
function nearest(view, panel, event) {
  const box = panel.map.getBoundingClientRect();
  const scale = 2 * HALF * Math.max(panel.aspect / box.width, 1 / box.height);
  const [x, y] = [(event.clientX - box.left - box.width / 2) * scale, (event.clientY - box.top - box.height / 2) * scale];
  let [closest, best] = [-1, REACH];
  panel.model.dots.forEach((_, i) => {
    const [dx, dy] = at(panel, view.state, i);
    const away = Math.hypot(dx - x, dy - y);
    if (away < best) [closest, best] = [i, away];
  });
  return closest;
}

function indexOf(panel, id) {
  return panel.model.dots?.findIndex((dot) => dot.id === id) ?? -1;
}

// All sentences that share the vector of one.
function shared(view, panel, i) {
  const group = panel.model.alike[view.state].find((members) => members.includes(i)) ?? [i];
  return [i, ...group.filter((j) => j !== i)].map((j) => panel.model.dots[j].id);
}

function point(view, panel, i) {
  const over = i < 0 ? null : { ids: shared(view, panel, i), panel, first: i };
  if (over?.first === view.over?.first && over?.panel === view.over?.panel) return;
  view.over = over;
  show(view);
}

function lock(view, panel, i) {
  if (i < 0 || idOf(view.locked) === panel.model.dots[i].id) return release(view);
  view.locked = { ids: shared(view, panel, i), panel };
  view.send("lock", idOf(view.locked));
  return show(view);
}

function release(view) {
  view.locked = null;
  view.send("lock", "");
  show(view);
}

// What is pointed at, or else locked: its dots, what each model makes of it, and the sentence.
function show(view) {
  const spot = view.over ?? view.locked;
  const ids = new Set(spot?.ids);
  render(view.panels.map((panel) => drawPanel(view, panel, ids)), view.grid);
  for (const dot of view.grid.querySelectorAll(".dot.lit")) dot.parentNode.append(dot); // no other dot covers it
  for (const [i, box] of [...view.grid.children].entries()) {
    const panel = view.panels[i];
    if (panel.map || !panel.model.dots) continue;
    panel.map = box.querySelector(".map");
    listen(view, panel);
  }
  tellSentence(view, spot);
}

// Below a map: how many it gets right, or, of one sentence, the sense that it is nearest to.
function verdict(view, panel, i, size) {
  const { model } = panel;
  const quiet = (words) => html`<span class="quiet">${words}</span>`;
  if (i < 0) return scoreOf(view, model);
  const group = model.alike[view.state].find((members) => members.includes(i));
  const own = new Set(group.map((j) => model.dots[j].mark));
  if (!model.judged || size > group.length) return quiet(model.judged ? " " : "");
  if (own.size > 1) return quiet(t("one vector for {count}: cannot tell", { count: group.length }));
  if (view.state === "static") return quiet(t("has not read it yet"));
  const guess = model.guesses[i];
  const mark = view.data.marks.find(({ text }) => text === guess);
  const { sense } = model.dots[i];
  const words = !sense ? t("nearest: {sense}", { sense: guess }) : guess === sense ? t("{sense}, right", { sense }) : t("{guess}, not {sense}", { guess, sense });
  return html`${icon(mark)}${words}`;
}

function scoreOf(view, model) {
  if (!model.judged) return "";
  const counts = { right: model.right, judged: model.judged, guessed: guessed(model) };
  if (view.state === "static" || model.alike.context.length === 1) return t("{guessed} of {judged}, by luck", counts);
  return model.parted ? t("{right} of {judged} right; luck: {guessed}", counts) : t("No layer parts them: {right} of {judged} right", counts);
}

// How many guessing gets right, in whole dots: 1 or 2.
const guessed = ({ chance }) => (chance % 1 ? t("{low} or {high}", { low: Math.floor(chance), high: Math.ceil(chance) }) : chance);

// The sentence, pale where the map's model has not read it.
function tellSentence(view, spot) {
  const panel = spot?.panel ?? view.panels.find((one) => indexOf(one, idOf(spot)) >= 0);
  const dot = panel?.model.dots?.[indexOf(panel, idOf(spot))];
  const every = view.panels.find(({ model }) => model.dots)?.model.dots ?? [];
  const lists = !dot && presents() && every.length <= FEW;
  view.strip.classList.toggle("sentences", lists);
  view.strip.classList.toggle("idle", !dot && !lists);
  if (lists) return render(every.map((one) => html`<span>${icon(view.data.marks[one.mark] ?? view.data.unknown)}${one.parts.join("")}</span>`), view.strip);
  if (!dot) return render(view.data.hint, view.strip);
  const [before, word, after] = dot.parts;
  const reads = !spot.panel ? "both" : view.state === "static" ? "nothing" : panel.model.reads;
  const part = (text, read) => html`<span class=${read ? "" : "unread"}>${text}</span>`;
  const [many, model] = [spot.ids.length, { model: spot.panel?.model.title }];
  const note = !spot.panel ? "" : {
    nothing: view.state === "static" ? t("{model} has read only the word so far", model) : t("{model} reads only the word", model),
    left: t("{model} has not read the pale part", model),
    both: t("{model} has read all of it", model),
  }[reads];
  const whole = many === 1 ? note && t("{note}.", { note })
    : many === 2 ? t("{note}; 1 other sentence has the very same vector.", { note })
    : t("{note}; {count} other sentences have the very same vector.", { note, count: many - 1 });
  render(html`
    <span>${part(before, reads !== "nothing")}<b dir="auto">${word}</b>${part(after, reads === "both")}</span><span
      class="note">${whole}</span>`, view.strip);
  return setDirection(view.strip.firstElementChild, before + word + after);
}

export default connect(draw);
