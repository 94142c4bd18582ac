// The same sentences on small maps side by side, one a model. Between the word's own vector and its vectors
// in context the dots glide. Pointing at a dot lights its sentence up on every map; a click locks it, Esc
// releases it, arrow keys walk from sentence to sentence. Equal vectors are one dot with their number.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { button, byKeyboard, element, strong } from "../widgets/dom.js";
import { announceChanges } from "../widgets/live.js";
import { pointing } from "../widgets/pointing.js";
import { arrow } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { colour, icon } from "../widgets/occurrence.js";

const HALF = 120; // of the drawing's own units
const PAD = 22;
const GRAIN = 10000;
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
  const view = { root, signature: "", locked: null, over: null };
  for (const part of ["legend", "grid", "strip"]) root.append((view[part] = element("div", part)));
  announceChanges(view.strip);
  root.setAttribute("role", "group");
  return view;
}

/**
 * @param {any} view
 * @param {Data} data
 */
function take(view, data) {
  const { static: still, locked, ...rest } = data;
  const signature = JSON.stringify(rest);
  view.state = still ? "static" : "context";
  if (signature !== view.signature) {
    view.signature = signature;
    view.data = data;
    view.over = null;
    view.root.setAttribute("aria-label", data.label);
    view.legend.replaceChildren(...legend(data));
    view.panels = data.panels.map((panel) => buildPanel(view, panel));
    view.grid.replaceChildren(...view.panels.map(({ box }) => box));
  }
  // A lock from elsewhere, a link or another view, has no map of its own.
  if (locked !== idOf(view.locked)) view.locked = locked ? { ids: [locked], panel: null } : null;
  for (const panel of view.panels) place(view, panel);
  show(view);
}

function idOf(spot) {
  return spot ? spot.ids[0] : "";
}

function legend({ marks, unknown, panels }) {
  const lines = marks.map(({ text, ...mark }) => line(mark, text));
  const open = panels.some((panel) => panel.dots?.some((dot) => dot.mark < 0));
  return open && marks.length ? [...lines, line(unknown, "no sense given")] : lines;
}

function line(mark, text) {
  const child = element("span", "");
  child.append(icon(mark), text);
  return child;
}

function buildPanel(view, model) {
  const box = element("section", "panel");
  const panel = { box, model, dots: [], ones: {} };
  const head = element("div", "head");
  const title = button("title", model.title, () => view.send("open", model.name));
  title.title = "Open this model’s map";
  panel.layer = element("span", "layer", model.layer ?? "");
  head.append(title, panel.layer);
  box.append(head, element("p", "says", model.comparison ?? " "));
  if (!model.dots) {
    box.append(element("p", "problem", model.problem));
    return panel;
  }
  const shape = getComputedStyle(view.root).getPropertyValue("--rb-four-shape") || "1";
  const [across, down = 1] = shape.split("/").map(Number);
  panel.aspect = across / down;
  panel.map = node("svg", { class: "map", viewBox: `${-HALF * panel.aspect} ${-HALF} ${2 * HALF * panel.aspect} ${2 * HALF}`, tabindex: 0, role: "img" });
  const [dots, ones] = [node("g"), node("g")];
  panel.map.append(dots, ones);
  panel.dots = model.dots.map((dot) => {
    const child = node("g", { class: "dot" });
    const mark = dot.mark < 0 ? view.data.unknown : view.data.marks[dot.mark];
    child.append(node("circle", { class: "ring", r: 14 }), node("path", { class: "shape", d: mark.path }));
    child.classList.toggle("unknown", dot.mark < 0);
    if (dot.mark >= 0) child.style.setProperty("--own", colour(mark.colour));
    dots.append(child);
    return child;
  });
  for (const state of ["static", "context"]) {
    const many = model.alike[state].filter((group) => group.length > 1);
    panel.ones[state] = many.map((group) => {
      const same = group.every((i) => model.dots[i].mark === model.dots[group[0]].mark);
      const child = node("g", { class: same ? "one same" : "one" });
      const [x, y] = at(panel, state, group[0]);
      child.style.transform = `translate(${x}px, ${y}px)`;
      const count = node("text", { x: 17, y: 0 });
      count.textContent = `×${group.length}`;
      child.append(node("circle", { class: "ring", r: 15 }), node("circle", { r: 10 }), count);
      ones.append(child);
      return { element: child, group, same };
    });
  }
  panel.verdict = element("div", "verdict");
  panel.bar = element("div", "bar");
  box.append(panel.map, panel.verdict);
  if (model.judged) {
    panel.bar.append(element("i"), element("b"));
    panel.bar.lastChild.style.left = `calc(${(100 * model.chance) / model.judged}% - 1px)`;
    box.append(panel.bar);
  }
  listen(view, panel);
  return panel;
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

function place(view, panel) {
  const { model } = panel;
  if (!model.dots) return;
  const hidden = new Set(panel.ones[view.state].flatMap(({ group, same }) => (same ? group.slice(1) : group)));
  panel.dots.forEach((dot, i) => {
    const [x, y] = at(panel, view.state, i);
    dot.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) scale(${panel.dots.length > 60 ? 0.6 : panel.dots.length > 12 ? 0.95 : 1.4})`;
    dot.classList.toggle("inside", hidden.has(i));
  });
  for (const state of ["static", "context"]) {
    for (const { element: child } of panel.ones[state]) child.classList.toggle("gone", state !== view.state);
  }
  panel.layer.textContent = view.state === "static" ? "word alone" : model.layer;
  const spots = model.alike[view.state].length;
  panel.map.setAttribute(
    "aria-label",
    `${model.title}: ${model.dots.length} sentences, ${spots} different ${spots === 1 ? "vector" : "vectors"}. ${scoreOf(view, model)}`,
  );
}

function listen(view, panel) {
  const { map } = panel;
  pointing(map, (event) => point(view, panel, nearest(view, panel, event)), () => point(view, panel, -1));
  map.addEventListener("click", (event) => lock(view, panel, nearest(view, panel, event)));
  map.addEventListener("focus", (event) => byKeyboard(event) && panel.dots[panel.left] && point(view, panel, panel.left));
  map.addEventListener("blur", () => {
    panel.left = view.over?.first;
    point(view, panel, -1);
  });
  map.addEventListener("keydown", (event) => {
    const now = view.over?.panel === panel ? view.over.first : indexOf(panel, idOf(view.locked));
    const [right, down] = arrow(event) ?? [0, 0];
    const by = right + down;
    const { length } = panel.dots;
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
  panel.dots.forEach((_, i) => {
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
  panel.map.classList.toggle("over", Boolean(over));
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
  for (const panel of view.panels) {
    if (!panel.model.dots) continue;
    const lit = panel.model.dots.map((dot) => ids.has(dot.id));
    const any = lit.some(Boolean);
    const all = lit.length > 1 && lit.every(Boolean); // rings around everything would point at nothing
    panel.dots.forEach((dot, i) => {
      dot.classList.toggle("lit", lit[i] && !all);
      dot.classList.toggle("pale", any && !lit[i]);
      if (lit[i]) dot.parentNode.append(dot);
    });
    for (const { element: child, group } of panel.ones[view.state]) {
      const mine = group.some((i) => lit[i]);
      child.classList.toggle("lit", mine);
      child.classList.toggle("pale", any && !mine);
    }
    panel.verdict.replaceChildren(...verdict(view, panel, any ? lit.indexOf(true) : -1, ids.size));
    if (panel.model.judged) {
      const right = view.state === "static" ? panel.model.chance : panel.model.right;
      panel.bar.firstChild.style.width = `${(100 * right) / panel.model.judged}%`;
    }
  }
  tellSentence(view, spot);
}

// Below a map: how many it gets right, or, of one sentence, the sense that it is nearest to.
function verdict(view, panel, i, size) {
  const { model } = panel;
  if (i < 0) return [document.createTextNode(scoreOf(view, model))];
  const group = model.alike[view.state].find((members) => members.includes(i));
  const own = new Set(group.map((j) => model.dots[j].mark));
  if (!model.judged || size > group.length) return [element("span", "quiet", model.judged ? " " : "")];
  if (own.size > 1) return [element("span", "quiet", `one vector for ${group.length}: cannot tell`)];
  if (view.state === "static") return [element("span", "quiet", "has not read it yet")];
  const guess = model.guesses[i];
  const mark = view.data.marks.find(({ text }) => text === guess);
  const { sense } = model.dots[i];
  const words = sense ? (guess === sense ? `${guess}, right` : `${guess}, not ${sense}`) : `nearest: ${guess}`;
  return [icon(mark), document.createTextNode(words)];
}

function scoreOf(view, model) {
  if (!model.judged) return "";
  if (view.state === "static" || model.alike.context.length === 1) return `${model.chance} of ${model.judged}, by chance`;
  const right = `${model.right} of ${model.judged} right`;
  return model.parted ? `${right} · chance ${model.chance}` : `No layer parts them: ${right}`;
}

// The sentence, pale where the map's model has not read it.
function tellSentence(view, spot) {
  view.strip.classList.toggle("idle", !spot);
  const panel = spot?.panel ?? view.panels.find((one) => indexOf(one, idOf(spot)) >= 0);
  const dot = panel?.model.dots?.[indexOf(panel, idOf(spot))];
  if (!spot || !dot) {
    view.strip.classList.add("idle");
    view.strip.textContent = view.data.hint;
    return;
  }
  const [before, word, after] = dot.parts;
  const reads = !spot.panel ? "both" : view.state === "static" ? "nothing" : panel.model.reads;
  const part = (text, read) => element("span", read ? "" : "unread", text);
  const bold = strong(word);
  const many = spot.ids.length;
  const note = !spot.panel ? "" : {
    nothing: `${panel.model.title} ${view.state === "static" ? "has read only the word so far" : "reads only the word"}`,
    left: `${panel.model.title} has not read the pale part`,
    both: `${panel.model.title} has read all of it`,
  }[reads];
  const also = many > 1 ? `; ${many - 1} other ${many === 2 ? "sentence has" : "sentences have"} the very same vector.` : note && ".";
  const whole = element("span");
  setDirection(whole, before + word + after);
  whole.append(part(before, reads !== "nothing"), bold, part(after, reads === "both"));
  view.strip.replaceChildren(whole, element("span", "note", note + also));
}

export default connect(draw);
