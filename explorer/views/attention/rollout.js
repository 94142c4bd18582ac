// From one token at a layer back to the words: on the left the tokens, of which one is chosen; strands
// run down through the layers, as wide as what passes; on the right the words with their numbers.
// Pointing at a word on the right leaves only the water that comes from it.
// uses dom, svg, drawn
const ROW = { least: 20, most: 34 };
const FAINTEST = 0.002; // a share that is worth a line

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.view ??= build(root);
  const view = root.view;
  view.data = data;
  view.preview = null;
  view.choose = (at) => setTriggerValue("choose", at);
  view.turn = () => setTriggerValue("flow", !data.flowing);
  draw(view);
  show(view);
}

function build(root) {
  const view = { root, make };
  const line = make(root, "p", "line");
  view.says = make(line, "span", "says");
  view.says.setAttribute("aria-live", "polite");
  view.hint = make(line, "span", "hint");
  view.hint.dataset.save = "no";
  view.head = make(root, "div", "head");
  view.stage = make(root, "div", "stage");
  view.from = make(view.stage, "div", "from");
  view.from.setAttribute("role", "group");
  view.water = make(view.stage, "svg", "water");
  view.water.setAttribute("preserveAspectRatio", "none");
  view.water.setAttribute("aria-hidden", "true"); // the words on the right say what arrives
  view.words = make(view.stage, "div", "words");
  view.words.setAttribute("role", "list");
  listen(view);
  return view;
}

function listen(view) {
  const at = (event, part) => {
    const row = event.target.closest?.(".row");
    return row && row.parentNode === part ? Number(row.dataset.index) : null;
  };
  const preview = (word) => {
    if (word === view.preview) return;
    view.preview = word;
    show(view);
  };
  view.words.addEventListener("pointerover", (event) => preview(at(event, view.words)));
  view.words.addEventListener("pointerleave", () => preview(null));
  view.words.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && preview(at(event, view.words)));
  view.words.addEventListener("focusout", () => preview(null));
  view.from.addEventListener("click", (event) => {
    const chosen = at(event, view.from);
    if (chosen !== null) view.choose(chosen);
  });
  for (const part of [view.from, view.words])
    part.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      const here = at(event, part);
      if (!step || here === null) return;
      part.children[(here + step + part.children.length) % part.children.length].focus({ preventScroll: true });
      event.preventDefault();
      event.stopPropagation();
    });
}

function draw(view) {
  const { data } = view;
  const { tokens, layer, chosen, columns, label } = data;
  const n = tokens.length;
  const row = Math.min(ROW.most, Math.max(ROW.least, data.room / Math.max(n, 1)));
  view.row = row;
  view.root.style.setProperty("--row", `${row}px`);
  view.root.style.setProperty("--columns", columns.length);
  view.from.setAttribute("aria-label", `The tokens at layer ${layer}; one is chosen`);
  view.words.setAttribute("aria-label", label);
  const layers = Array.from({ length: layer + 1 }, (_, i) => (layer - i === 0 ? "words" : `${layer - i}`));
  view.head.replaceChildren();
  view.make(view.head, "span", "corner", "layer");
  const scale = view.make(view.head, "span", "scale");
  for (const name of layers) view.make(scale, "i", "", name);
  const headings = view.make(view.head, "span", "headings");
  view.make(headings, "i", "");
  for (const column of columns) {
    if (column.kind !== "flow") {
      view.make(headings, "i", "", column.name);
      continue;
    }
    const button = view.make(headings, "button", "turn", data.flowing ? "flow" : "compute flow");
    button.type = "button";
    button.disabled = !data.fits;
    if (!data.flowing) button.dataset.save = "no";
    button.title = data.help;
    button.setAttribute("aria-pressed", data.flowing);
    button.onclick = view.turn;
  }

  fill(view, view.from, "button", n);
  fill(view, view.words, "div", n);
  tokens.forEach((token, i) => {
    for (const part of [view.from, view.words]) {
      const node = part.children[i];
      node.dataset.index = i;
      node.classList.toggle("quiet", token.quiet);
      node.label.textContent = token.text;
    }
    const button = view.from.children[i];
    button.classList.toggle("chosen", i === chosen);
    button.setAttribute("aria-pressed", i === chosen);
    button.setAttribute("aria-label", `${token.name} at layer ${layer}`);
    button.tabIndex = i === chosen ? 0 : -1;
    const word = view.words.children[i];
    word.tabIndex = i === 0 ? 0 : -1;
    word.setAttribute("role", "listitem");
    while (word.children.length > columns.length + 1) word.lastChild.remove();
    while (word.children.length < columns.length + 1) {
      const cell = view.make(word, "span", "cell");
      const track = view.make(cell, "i", "track");
      cell.bar = view.make(track, "i", "bar");
      cell.tick = view.make(track, "i", "tick");
      cell.number = view.make(cell, "span", "number");
    }
    columns.forEach((column, c) => {
      const cell = word.children[c + 1];
      cell.className = `cell ${column.kind}`;
      cell.hidden = !column.values;
      if (!column.values) return;
      const value = column.values[i];
      cell.bar.style.width = `${(100 * value) / column.most}%`;
      cell.tick.style.left = `${(100 * column.even) / column.most}%`;
      cell.tick.hidden = !column.even;
      cell.number.textContent = value.toFixed(2);
    });
    word.setAttribute("aria-label", `${token.name}: ${measured(view).map((c) => `${c.name} ${c.values[i].toFixed(3)}`).join(", ")}`);
  });
  strands(view);
}

// Opaque, so that water that runs together is one water: the more passes, the darker.
function shades(root) {
  const [ground, water] = ["ground", "attention-1"].map((name) => {
    const hex = getComputedStyle(root).getPropertyValue(`--rb-${name}`).trim();
    return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  });
  return (part) => {
    const much = 0.25 + 0.65 * Math.sqrt(Math.min(part, 1));
    return `rgb(${ground.map((low, i) => Math.round(low + (water[i] - low) * much)).join(",")})`;
  };
}

const measured = (view) => view.data.columns.filter((column) => column.values);

function fill(view, part, tag, count) {
  while (part.children.length > count) part.lastChild.remove();
  while (part.children.length < count) {
    const node = view.make(part, tag, "row");
    if (tag === "button") node.type = "button";
    node.label = view.make(node, "span", "token");
  }
}

// A strand is [layer below, place above, place below, share]; layer 0 is at the right edge.
function strands(view) {
  const { water, row, data } = view;
  const { layer, levels } = data;
  const n = data.tokens.length;
  const width = 100 * layer;
  water.setAttribute("viewBox", `0 0 ${width} ${n * row}`);
  water.style.height = `${n * row}px`;
  water.replaceChildren();
  const y = (place) => (place + 0.5) * row;
  const ascending = [...data.strands].sort((a, b) => a[3] - b[3]); // the widest are drawn last
  view.strands = ascending.map(([below, upper, lower, share]) => {
    const path = view.make(water, "path", "strand");
    const left = 100 * (layer - below - 1);
    path.setAttribute("d", `M${left} ${y(upper)}C${left + 45} ${y(upper)} ${left + 55} ${y(lower)} ${left + 100} ${y(lower)}`);
    return { path, below, upper, lower, share };
  });
  // A dot at every place rounds the joints off.
  view.dots = data.levels.flatMap((level, at) =>
    (at === 0 || at === layer ? [] : level).map((mass, place) => {
      const path = view.make(water, "path", "strand dot");
      path.setAttribute("d", `M${100 * (layer - at)} ${y(place)}h0`);
      return { path, at, place, mass };
    }),
  );
  view.strands.sort((a, b) => a.below - b.below); // the words first, for what follows upward
  view.mass = levels;
}

// How much of each place comes from one word, by the strands that are drawn.
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
  // One word's water is little: it is drawn wider, and the line above says how much.
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
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  hint.textContent = "click a token on the left; point at a word on the right";
  if (preview === null) {
    const rolled = columns.find((column) => column.kind === "rollout").values;
    const order = [...rolled.keys()].sort((a, b) => rolled[b] - rolled[a]).slice(0, 3);
    says.replaceChildren(strong(tokens[chosen].name), ` at layer ${layer}, by rollout: `, order.map((i) => `${tokens[i].name} ${rolled[i].toFixed(3)}`).join(", "));
  } else {
    const told = measured(view).map((column) => `${column.name} ${column.values[preview].toFixed(4)}`).join(", ");
    says.replaceChildren(strong(tokens[chosen].name), " from ", strong(tokens[preview].name), `: ${told}${wider > 1 ? `; drawn ${wider} times as wide` : ""}`);
  }
}
