// One head taken apart for one pair of tokens: two token vectors, q and k, their products, the score
// among the scores of the row, the weight, and what the weight carries of v. Every number of the text
// is here, so that pointing at any token shows its strip at once; a click keeps it. The data are a
// header in JSON and raw numbers behind it.
// uses dom, svg, drawn
const STEPS = [
  { name: "x", of: "query", height: 16 },
  { name: "q", of: "query", height: 60, hue: "query", title: "query" },
  { name: "x", of: "key", height: 16 },
  { name: "k", of: "key", height: 60, hue: "key", title: "key" },
  { name: "q × k", height: 60, hue: "ink", title: "number by number" },
  { name: "sum" },
  { name: "v", of: "key", height: 48, hue: "value", title: "value" },
  { name: "w × v", height: 48, hue: "value", title: "weight × value" },
  { name: "Σ w × v", height: 48, hue: "value", title: "over all tokens" },
];

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.view ??= build(root);
  const view = root.view;
  read(view, data);
  const { query, key } = view.head;
  if (view.awaited === undefined || (view.awaited.query === query && view.awaited.key === key)) {
    view.locked = { query, key };
    view.awaited = undefined;
  }
  view.pick = (pair) => {
    view.locked = view.awaited = pair;
    view.preview = {};
    setTriggerValue("pick", pair);
    show(view);
  };
  view.free = () => setTriggerValue("free", true);
  draw(view);
  show(view);
  fit(view);
  for (const part of [view.words, view.entries]) bring(part, part.querySelector(".locked"));
}

// [length of the header, 4 bytes][header][q k v, n times d_head each, float32][x, n times d_model, one byte]
function read(view, data) {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  const copy = bytes.slice().buffer;
  const length = new DataView(copy).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(copy, 4, length)));
  const count = head.tokens.length * head.size;
  const part = (index) => new Float32Array(copy, 4 + length + 4 * index * count, count);
  const changed = view.head && JSON.stringify(view.head.tokens) !== JSON.stringify(head.tokens);
  if (changed) {
    view.preview = {};
    view.awaited = undefined;
  }
  Object.assign(view, { head, n: head.tokens.length, q: part(0), k: part(1), v: part(2) });
  view.x = new Uint8Array(copy, 4 + length + 12 * count);
  view.names = head.tokens.map((token) => token.name);
  const largest = (list) => list.reduce((most, number) => Math.max(most, Math.abs(number)), 1e-6);
  view.most = { query: largest(view.q), key: largest(view.k), value: largest(view.v) };
}

// All that follows from a pair of tokens, by the head's own arithmetic.
function compute(view, query, key) {
  const { n, head } = view;
  const d = head.size;
  const q = view.q.subarray(query * d, query * d + d);
  const k = view.k.subarray(key * d, key * d + d);
  const v = view.v.subarray(key * d, key * d + d);
  // Products and scores are drawn on the scale of the row: of this query with every key.
  let largest = 1e-6;
  const scores = head.tokens.map((_, at) => {
    let sum = 0;
    for (let i = 0; i < d; i++) {
      const product = q[i] * view.k[at * d + i];
      largest = Math.max(largest, Math.abs(product));
      sum += product;
    }
    return sum / head.scale;
  });
  const most = { ...view.most, ink: largest, score: scores.reduce((top, score) => Math.max(top, Math.abs(score)), 1e-6) };
  const open = (at) => !head.causal || at <= query;
  const top = Math.max(...scores.filter((_, at) => open(at)));
  const grown = scores.map((score, at) => (open(at) ? Math.exp(score - top) : 0));
  const total = grown.reduce((sum, number) => sum + number, 0);
  const weights = grown.map((number) => number / total);
  const output = new Float32Array(d);
  for (let at = 0; at < n; at++) for (let i = 0; i < d; i++) output[i] += weights[at] * view.v[at * d + i];
  return {
    scores, weights, open, most,
    bars: { q, k, v, "q × k": q.map((number, i) => number * k[i]), "w × v": v.map((number) => number * weights[key]), "Σ w × v": output },
  };
}

function build(root) {
  const view = { root, make, preview: {}, rows: [] };
  const line = make(root, "p", "line");
  view.says = make(line, "span", "says");
  view.says.setAttribute("aria-live", "polite");
  view.hint = make(line, "span", "hint");
  view.hint.dataset.save = "no";
  view.words = make(root, "div", "words");
  view.words.setAttribute("role", "group");
  const board = make(root, "div", "board");
  view.board = board;
  view.strip = make(board, "div", "strip");
  for (const step of STEPS) {
    const row = make(view.strip, "div", `step ${step.hue ?? step.name}`);
    row.label = make(row, "div", "label");
    row.symbol = make(row.label, "b", "symbol");
    row.what = make(row.label, "span", "what");
    if (step.name === "x") row.picture = make(row, "canvas", "cells");
    else if (step.height) {
      row.picture = make(row, "svg", "bars");
      row.zero = make(row.picture, "rect", "zero");
      row.bars = make(row.picture, "g", "all");
    } else row.sum = make(row, "p", "sum");
    row.step = step;
    view.rows.push(row);
  }
  view.ruler = make(view.strip, "div", "ruler");
  view.list = make(board, "div", "list");
  view.list.setAttribute("role", "group");
  const heading = make(view.list, "div", "entry heading");
  for (const [name, text] of [["token", "reads"], ["score", "score"], ["weight", "softmax: weight"]]) make(heading, "span", name, text);
  view.entries = make(view.list, "div", "entries");
  listen(view);
  return view;
}

// Low windows, and rooms where the page is enlarged, get lower bars, so that all steps stand in view.
function fit(view) {
  const { root, rows, strip } = view;
  const set = (part) => {
    root.classList.toggle("low", part < 0.8);
    for (const row of rows)
      if (row.bars) row.picture.style.height = `${row.step.height * part}px`;
  };
  set(1);
  const box = root.getBoundingClientRect();
  const zoom = box.width / root.offsetWidth || 1;
  const scrolled = document.querySelector("[data-testid=stMain]")?.scrollTop ?? 0;
  const room = (innerHeight - box.top - scrolled) / zoom - 12;
  const bars = rows.reduce((sum, row) => sum + (row.bars ? row.step.height : 0), 0);
  const missing = view.list.offsetTop - root.offsetTop + strip.offsetHeight - room;
  set(Math.min(1, Math.max(0.55, (bars - missing) / bars)));
  root.style.setProperty("--list", `${Math.max(strip.offsetHeight - 28, 200)}px`);
}

function listen(view) {
  window.addEventListener("resize", () => view.root.isConnected && fit(view));
  const spot = (event) => {
    const button = event.target.closest?.("button");
    return button && { side: button.parentNode === view.words ? "query" : "key", at: Number(button.dataset.index) };
  };
  const point = (event) => {
    const found = spot(event);
    view.preview = found ? { [found.side]: found.at } : {};
    show(view);
  };
  for (const part of [view.words, view.entries]) {
    part.addEventListener("pointerover", point);
    part.addEventListener("pointerleave", () => ((view.preview = {}), show(view)));
    part.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && point(event));
    part.addEventListener("focusout", () => ((view.preview = {}), show(view)));
    part.addEventListener("click", (event) => {
      const found = spot(event);
      if (found) view.pick({ ...view.locked, [found.side]: found.at });
    });
    part.addEventListener("keydown", (event) => {
      const found = spot(event);
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (event.key === "Escape") view.free();
      else if (found && step) part.children[(found.at + step + view.n) % view.n].focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }
  view.strip.addEventListener("pointermove", (event) => {
    const picture = event.target.closest?.(".bars");
    if (!picture) return rule(view, null);
    const box = picture.getBoundingClientRect();
    rule(view, Math.min(view.head.size - 1, Math.max(0, Math.floor(((event.clientX - box.left) / box.width) * view.head.size))));
  });
  view.strip.addEventListener("pointerleave", () => rule(view, null));
}

function draw(view) {
  const { head, n } = view;
  view.root.style.setProperty("--count", n);
  view.words.setAttribute("aria-label", `${head.name}: the token that reads`);
  view.list.setAttribute("aria-label", `${head.name}: the token that is read`);
  for (const [part, side] of [[view.words, "query"], [view.entries, "key"]]) {
    while (part.children.length > n) part.lastChild.remove();
    while (part.children.length < n) {
      const button = view.make(part, "button", side === "key" ? "entry" : "word");
      button.type = "button";
      button.label = view.make(button, "span", "token");
      if (side === "query") continue;
      for (const kind of ["score", "weight"]) {
        const cell = view.make(button, "span", kind);
        const track = view.make(cell, "i", "track");
        if (kind === "score") view.make(track, "i", "zero");
        button[kind] = { bar: view.make(track, "i", "bar"), number: view.make(cell, "span", "number") };
      }
    }
    head.tokens.forEach((token, index) => {
      const button = part.children[index];
      button.dataset.index = index;
      button.label.textContent = token.text;
      button.classList.toggle("quiet", token.quiet);
    });
  }
  for (const row of view.rows) {
    const { step, picture, bars, zero } = row;
    if (step.name === "x") {
      picture.width = head.width;
      picture.height = 1;
      picture.setAttribute("aria-hidden", "true");
    } else if (picture) {
      picture.setAttribute("viewBox", `0 -1 ${head.size} 2`);
      picture.setAttribute("preserveAspectRatio", "none");
      picture.setAttribute("aria-hidden", "true"); // the sums and the list say what they come to
      zero.setAttribute("width", head.size);
      zero.setAttribute("y", -1 / step.height);
      zero.setAttribute("height", 2 / step.height); // a pixel: the picture is two units high
      while (bars.children.length > head.size) bars.lastChild.remove();
      while (bars.children.length < head.size) {
        const bar = view.make(bars, "rect", "bar");
        bar.setAttribute("width", 0.76);
        bar.setAttribute("x", bars.children.length - 0.88);
      }
    }
  }
}

// Everything that depends on the pair: cheap, and no node is made.
function show(view) {
  const { head } = view;
  const query = view.preview.query ?? view.locked.query;
  const key = view.preview.key ?? view.locked.key;
  const found = (view.found = compute(view, query, key));
  const told = { query: view.names[query], key: view.names[key] };
  for (const row of view.rows) {
    const { step } = row;
    if (step.name === "x") paint(view, row.picture, step.of === "query" ? query : key);
    else if (row.picture) {
      const numbers = found.bars[step.name];
      [...row.bars.children].forEach((bar, i) => {
        const size = numbers[i] / found.most[step.hue];
        bar.setAttribute("y", size > 0 ? -size : 0);
        bar.setAttribute("height", Math.abs(size));
      });
    }
    if (row.sum) tally(view, row, found, query, key);
    else {
      row.symbol.textContent = step.name === "x" ? told[step.of] : step.name;
      row.what.textContent = step.name === "x" ? `${head.width} numbers` : step.title;
    }
  }
  list(view, found, query, key);
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  const ahead = found.open(key) ? "" : ", which is still to come";
  view.says.replaceChildren(`${head.name}: `, strong(told.query), " reads ", strong(told.key), `${ahead}: weight ${found.weights[key].toFixed(4)}`);
  view.hint.textContent = view.head.held ? "Esc goes back to the strongest pair" : "the strongest pair; click any token";
}

function tally(view, row, found, query, key) {
  const { head } = view;
  const score = found.scores[key];
  const parts = [
    ["ink", `q · k = ${number(score * head.scale)}`],
    ["", `÷ √${head.size}`],
    ["ink", `= score ${number(score)} →`],
    ["attention", found.open(key) ? `weight ${found.weights[key].toFixed(3)}` : "masked: weight 0"],
  ];
  row.symbol.textContent = "sum";
  row.what.textContent = "and scale";
  row.sum.replaceChildren(
    ...parts.map(([kind, text]) => {
      const part = document.createElement("span");
      part.className = kind;
      part.textContent = text;
      return part;
    }),
  );
}

function list(view, found, query, key) {
  const side = (part, at, chosen, locked) =>
    [...part.children].forEach((button, index) => {
      button.classList.toggle("chosen", index === at);
      button.classList.toggle("locked", index === locked);
      button.tabIndex = index === locked ? 0 : -1; // one stop; the arrow keys walk inside
      button.setAttribute("aria-pressed", index === locked);
    });
  side(view.words, query, "query", view.locked.query);
  side(view.entries, key, "key", view.locked.key);
  [...view.words.children].forEach((button, index) => button.setAttribute("aria-label", `from ${view.names[index]}`));
  [...view.entries.children].forEach((button, index) => {
    const open = found.open(index);
    const size = found.scores[index] / found.most.score / 2;
    button.classList.toggle("ahead", !open);
    button.score.bar.style.left = `${50 + Math.min(size, 0) * 100}%`;
    button.score.bar.style.width = `${Math.abs(size) * 100}%`;
    button.score.number.textContent = number(found.scores[index]);
    button.weight.bar.style.width = `${found.weights[index] * 100}%`;
    button.weight.number.textContent = open ? found.weights[index].toFixed(3) : "to come";
    button.setAttribute("aria-label", `${view.names[index]}: score ${number(found.scores[index])}, weight ${open ? found.weights[index].toFixed(3) : "none, still to come"}`);
  });
}

// A token vector as shades: how far each number is from 0, either way.
function paint(view, canvas, at) {
  const { width } = view.head;
  const context = canvas.getContext("2d");
  const hue = getComputedStyle(view.root).getPropertyValue("--rb-accent").trim();
  const channels = [1, 3, 5].map((i) => parseInt(hue.slice(i, i + 2), 16));
  const image = context.createImageData(width, 1);
  for (let i = 0; i < width; i++) image.data.set([...channels, view.x[at * width + i]], i * 4);
  context.putImageData(image, 0, 0);
}

// The same number of every vector, under the pointer.
function rule(view, at) {
  view.ruler.classList.toggle("on", at !== null);
  if (at === null) return show(view);
  const picture = view.rows[1].picture;
  const box = picture.getBoundingClientRect();
  const home = view.strip.getBoundingClientRect();
  const zoom = home.width / view.strip.offsetWidth; // presenter mode enlarges the page
  view.ruler.style.left = `${(box.left - home.left + ((at + 0.5) / view.head.size) * box.width) / zoom}px`;
  const { bars } = view.found;
  view.says.textContent =
    `Number ${at + 1} of ${view.head.size}: q ${number(bars.q[at])} × k ${number(bars.k[at])} = ${number(bars["q × k"][at])}` +
    `; v ${number(bars.v[at])}, weighted ${number(bars["w × v"][at])}, output ${number(bars["Σ w × v"][at])}`;
}

const number = (value) => value.toFixed(2).replace("-", "−").replace(/^−(0\.0+)$/, "$1");

// Scroll a box, and nothing around it, until one of its parts is in view.
function bring(box, part) {
  if (!part) return;
  const [inner, outer] = [part.getBoundingClientRect(), box.getBoundingClientRect()];
  const zoom = outer.height / box.offsetHeight || 1; // presenter mode enlarges the page
  if (inner.top < outer.top) box.scrollTop -= (outer.top - inner.top) / zoom + 4;
  else if (inner.bottom > outer.bottom) box.scrollTop += (inner.bottom - outer.bottom) / zoom + 4;
}
