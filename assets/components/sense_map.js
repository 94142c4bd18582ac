// Dots on a plane, one per occurrence of a word. A dot keeps its element from layer to layer, so
// that it glides to its new place; hover tells its sentence, click or Enter locks it, Esc releases
// it, arrow keys walk from dot to dot. The button plays the layers from the first to the last.
const SVG = "http://www.w3.org/2000/svg";
const PAD = 40; // px between the outermost dot and the edge
const STEP_MS = 1000; // how long a layer stands while the layers play
const DIRECTIONS = [...Array(16).keys()].map((i) => [Math.cos((i * Math.PI) / 8), Math.sin((i * Math.PI) / 8)]);

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.svg) build(root);
  root.data = data;
  root.send = setTriggerValue;
  root.style.height = `${data.height}px`;
  root.svg.setAttribute("aria-label", data.label);
  keep(root.dots, root.marks, data.dots.map((dot) => dot.id), makeDot);
  data.dots.forEach((dot, i) => drawDot(root, root.marks.get(dot.id), dot, i));
  keep(root.labels, root.names, data.names.map((name) => name.text), () => node("text", "name"));
  data.names.forEach((name) => {
    const text = root.names.get(name.text);
    text.textContent = name.text;
    text.style.fill = colour(name.colour);
  });
  const marks = [...root.marks.values()];
  if (!marks.some((mark) => mark.tabIndex === 0)) marks[0]?.setAttribute("tabindex", 0);
  if (root.told && !root.told.isConnected) tell(root, null);
  place(root);
  goOn(root);
  return () => clearTimeout(root.timer);
}

function build(root) {
  root.svg = node("svg");
  root.svg.setAttribute("role", "group");
  for (const part of ["links", "dots", "labels"]) root.svg.append((root[part] = node("g", part)));
  root.tip = document.createElement("div");
  root.tip.className = "tip";
  root.button = document.createElement("button");
  root.button.type = "button";
  root.button.className = "play";
  root.append(root.svg, root.tip, root.button);
  root.marks = new Map();
  root.names = new Map();
  root.button.addEventListener("click", () => {
    const { layer, layers } = root.data;
    root.playing = !root.playing;
    root.restarting = root.playing && layer === layers;
    if (root.playing) root.send("layer", layer === layers ? 0 : layer + 1);
    goOn(root);
  });
  const over = (event) => tell(root, event.target.closest(".dot"));
  root.svg.addEventListener("mouseover", over);
  root.svg.addEventListener("mouseleave", () => tell(root, null));
  root.svg.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && over(event));
  root.svg.addEventListener("focusout", () => tell(root, null));
  root.svg.addEventListener("click", (event) => {
    const dot = event.target.closest(".dot");
    if (dot) lock(root, dot);
    else if (root.data.locked) root.send("lock", "");
  });
  root.addEventListener("keydown", (event) => keys(root, event));
  new ResizeObserver(() => root.data && place(root)).observe(root);
}

function keys(root, event) {
  const dots = [...root.marks.values()];
  const at = dots.indexOf(event.target);
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (event.key === "Escape" && root.data.locked) root.send("lock", "");
  else if (at >= 0 && (event.key === "Enter" || event.key === " ")) lock(root, event.target);
  else if (at >= 0 && step) {
    const next = dots[(at + step + dots.length) % dots.length];
    for (const dot of dots) dot.setAttribute("tabindex", dot === next ? 0 : -1);
    next.focus({ preventScroll: true });
  } else return;
  event.preventDefault();
}

function lock(root, mark) {
  root.send("lock", mark.dot.id === root.data.locked ? "" : mark.dot.id);
}

// While the layers play, each new picture asks for the next one after a while.
function goOn(root) {
  const { layer, layers } = root.data;
  clearTimeout(root.timer);
  if (layer === layers && root.playing && !root.restarting) root.playing = false;
  if (root.playing && layer < layers) {
    root.restarting = false;
    root.timer = setTimeout(() => root.send("layer", layer + 1), STEP_MS);
  }
  root.button.textContent = root.playing ? "Stop" : "Play the layers";
  root.button.setAttribute("aria-pressed", Boolean(root.playing));
}

// One element per key: the known ones stay where they are, the others come and go.
function keep(parent, known, keys, make) {
  for (const [key, element] of known) if (!keys.includes(key)) element.remove();
  const kept = new Map(known);
  known.clear();
  for (const key of keys) known.set(key, kept.get(key) ?? make());
  let next = null;
  for (const element of [...known.values()].reverse()) {
    if (!element.isConnected) parent.insertBefore(element, next);
    next = element;
  }
}

function makeDot() {
  const mark = node("g", "dot");
  mark.setAttribute("role", "button");
  mark.setAttribute("tabindex", -1);
  const [hit, ring] = [node("circle", "hit"), node("circle", "ring")];
  hit.setAttribute("r", 15);
  ring.setAttribute("r", 17);
  mark.path = node("path", "shape");
  mark.append(hit, ring, mark.path);
  return mark;
}

function drawDot(root, mark, dot, index) {
  const { locked, near } = root.data;
  mark.dot = dot;
  mark.path.setAttribute("d", dot.path);
  mark.path.style.fill = dot.colour < 0 ? "var(--st-background-color)" : colour(dot.colour);
  mark.classList.toggle("unknown", dot.colour < 0);
  mark.classList.toggle("locked", dot.id === locked);
  mark.classList.toggle("near", near.includes(index));
  mark.setAttribute("aria-pressed", dot.id === locked);
  mark.setAttribute("aria-label", `${dot.parts.join("")} ${dot.sense || "no sense given"}`);
}

// Data to pixels: the same scale on both axes, the same for every layer.
function place(root) {
  const { dots, reach, near, locked } = root.data;
  const [width, height] = [root.clientWidth, root.data.height];
  if (!width) return;
  const scale = Math.min((width / 2 - PAD) / reach[0], (height / 2 - PAD) / reach[1]);
  const at = dots.map((dot) => [width / 2 + dot.x * scale, height / 2 - dot.y * scale]);
  dots.forEach((dot, i) => move(root.marks.get(dot.id), at[i]));
  const from = at[dots.findIndex((dot) => dot.id === locked)];
  root.links.replaceChildren(
    ...(from ? near : []).map((i) => {
      const line = node("line");
      const ends = { x1: from[0], y1: from[1], x2: at[i][0], y2: at[i][1] };
      for (const [name, value] of Object.entries(ends)) line.setAttribute(name, value);
      return line;
    }),
  );
  root.at = at;
  name(root, at, width, height);
  if (root.told) tell(root, root.told);
}

// Names beside their dots: the cheapest of many places, where covering anything is dear.
function name(root, at, width, height) {
  const placed = [];
  for (const { text, members } of root.data.names) {
    const label = root.names.get(text);
    const [w, h] = [(label.getComputedTextLength() || text.length * 10) + 8, 28];
    const own = members.map((i) => at[i]);
    const middle = [median(own.map((p) => p[0])), median(own.map((p) => p[1]))];
    let best = null;
    for (const [px, py] of own) {
      for (const [dx, dy] of DIRECTIONS) {
        for (const gap of [18, 32, 60, 110]) {
          const x = px + dx * (gap + w / 2);
          const y = py + dy * (gap + h / 2);
          const covers = (q, grow) => Math.abs(q[0] - x) < w / 2 + grow && Math.abs(q[1] - y) < h / 2 + grow;
          const out = x - w / 2 < 4 || x + w / 2 > width - 4 || y - h / 2 < 4 || y + h / 2 > height - 4;
          const corner = x + w / 2 > width - 150 && y - h / 2 < 44; // the button's
          const cost =
            5000 * (out || corner) +
            3000 * placed.filter((p) => Math.abs(p.x - x) < (p.w + w) / 2 && Math.abs(p.y - y) < h).length +
            300 * at.filter((q) => covers(q, 11)).length +
            40 * at.filter((q, i) => !members.includes(i) && covers(q, 40)).length +
            Math.hypot(x - middle[0], y - middle[1]) +
            gap;
          if (!best || cost < best.cost) best = { x, y, w, cost };
        }
      }
    }
    placed.push(best);
    move(label, [best.x, best.y]);
  }
}

function tell(root, mark) {
  root.told = mark;
  root.tip.classList.toggle("on", Boolean(mark));
  if (!mark) return;
  const { dot } = mark;
  const word = document.createElement("b");
  word.textContent = dot.parts[1];
  const sense = document.createElement("span");
  sense.textContent = dot.sense || "no sense given";
  root.tip.replaceChildren(dot.parts[0], word, dot.parts[2], sense);
  const [x, y] = root.at[root.data.dots.indexOf(dot)] ?? [0, 0];
  const [w, h] = [root.tip.offsetWidth, root.tip.offsetHeight];
  const left = Math.min(Math.max(x - w / 2, 4), root.clientWidth - w - 4);
  const top = y - h - 18 < 0 ? y + 18 : y - h - 18;
  root.tip.style.transform = `translate(${left}px, ${top}px)`;
}

function move(element, [x, y]) {
  const to = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  if (element.style.transform !== to) element.style.transform = to;
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

function colour(index) {
  return index < 0 ? "var(--rb-unknown)" : `var(--rb-senses-${index})`;
}

function node(tag, name = "") {
  const element = document.createElementNS(SVG, tag);
  if (name) element.setAttribute("class", name);
  return element;
}
