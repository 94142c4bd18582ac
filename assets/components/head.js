// One attention head, drawn twice: lines from each token to those it reads, and a heat map of the
// same weights whose rows share the tokens' lines. Hover previews, click holds, Esc releases,
// arrow keys walk to the neighbouring head or layer. The nodes stay; only what they say changes.
const ROOM = 430; // px for the rows of a text of up to 25 tokens; a longer text grows downwards
const ROW = { least: 17, most: 40 };
const FAINTEST = 0.01; // a line under this would be thinner and paler than the eye can see
const NAMED = 5; // weights told in words
const SVG = "http://www.w3.org/2000/svg";

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.view ??= build(root);
  const view = root.view;
  const textChanged = view.data && JSON.stringify(view.data.tokens) !== JSON.stringify(data.tokens);
  if (textChanged) view.preview = null;
  // What was just clicked counts until Python has answered that click.
  if (textChanged || view.awaited === undefined || same(view.awaited, data.held)) {
    view.held = data.held;
    view.awaited = undefined;
  }
  view.data = data;
  view.hold = (held) => {
    view.held = view.awaited = held;
    view.preview = null;
    setTriggerValue("hold", { held });
    show(view);
  };
  view.walk = (layers, heads) => {
    const layer = view.at.layer + layers;
    const head = view.at.head + heads;
    if (layer < 0 || layer >= data.layers || head < 0 || head >= data.heads) return;
    view.at = { layer, head };
    setTriggerValue("walk", view.at);
  };
  view.at = { layer: data.layer, head: data.head };
  draw(view);
  show(view);
}

const same = (a, b) => a?.side === b?.side && a?.at === b?.at;
const weight = (view, from, to) => view.data.weights[from * view.n + to] / 10000;

function build(root) {
  const make = (parent, tag, name) => {
    const node = tag.startsWith("svg:") ? document.createElementNS(SVG, tag.slice(4)) : document.createElement(tag);
    if (name) node.setAttribute("class", name);
    return parent.appendChild(node);
  };
  const line = make(root, "p", "line");
  const view = { root, make, lines: new Map() };
  view.says = make(line, "span", "says");
  view.says.setAttribute("aria-live", "polite");
  view.hint = make(line, "span", "hint");
  view.stage = make(root, "div", "stage");
  view.stage.tabIndex = 0;
  view.stage.setAttribute("role", "group");
  view.map = make(view.stage, "svg:svg", "map");
  view.from = make(view.stage, "div", "from");
  view.wires = make(view.stage, "svg:svg", "wires");
  view.to = make(view.stage, "div", "to");
  view.message = make(root, "p", "message");
  for (const svg of [view.map, view.wires]) {
    svg.setAttribute("preserveAspectRatio", "none");
    svg.setAttribute("aria-hidden", "true"); // the tokens' labels say the same in words
  }
  make(view.map, "svg:rect", "ground");
  view.cells = make(view.map, "svg:g", "cells");
  view.outline = make(view.map, "svg:rect", "outline");
  listen(view);
  return view;
}

function listen(view) {
  const tokenAt = (event) => {
    const button = event.target.closest?.(".token");
    return button && { side: button.parentNode.className, at: Number(button.dataset.index) };
  };
  const cellAt = (event) => {
    const box = view.map.getBoundingClientRect();
    const index = (offset, size) => Math.min(view.n - 1, Math.max(0, Math.floor((offset / size) * view.n)));
    return {
      side: "from",
      at: index(event.clientY - box.top, box.height),
      other: index(event.clientX - box.left, box.width),
    };
  };
  const pointed = (event) => (view.map.contains(event.target) ? cellAt(event) : tokenAt(event)) ?? null;
  const preview = (spot) => {
    if (same(spot, view.preview) && spot?.other === view.preview?.other) return;
    view.preview = spot;
    show(view);
  };
  const toggle = (spot) => view.hold(same(spot, view.held) ? null : { side: spot.side, at: spot.at });
  view.stage.addEventListener("pointermove", (event) => preview(pointed(event)));
  view.stage.addEventListener("pointerleave", () => preview(null));
  view.stage.addEventListener("focusin", (event) => view.root.classList.contains("keys") && preview(tokenAt(event) ?? null));
  view.stage.addEventListener("focusout", () => preview(null));
  // A click leaves the focus on the picture, so that the arrow keys go on walking heads; the
  // focus is outlined for people who came by keyboard.
  view.stage.addEventListener("mousedown", (event) => {
    event.preventDefault();
    view.root.classList.remove("keys");
    view.stage.focus({ preventScroll: true });
  });
  view.root.addEventListener("keyup", () => view.root.classList.add("keys"));
  view.stage.addEventListener("click", (event) => {
    const spot = pointed(event);
    if (spot) toggle(spot);
  });
  view.root.addEventListener("keydown", (event) => {
    const token = tokenAt(event);
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape" && view.held) view.hold(null);
    else if (event.key === "ArrowLeft") view.walk(0, -1);
    else if (event.key === "ArrowRight") view.walk(0, 1);
    else if (step && token) view[token.side].children[(token.at + step + view.n) % view.n].focus({ preventScroll: true });
    else if (step) view.walk(step, 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function draw(view) {
  const { tokens, message, name } = view.data;
  const n = (view.n = tokens.length);
  const row = Math.min(ROW.most, Math.max(ROW.least, ROOM / Math.max(n, 1)));
  view.root.style.setProperty("--row", `${row}px`);
  view.root.style.setProperty("--side", `${Math.min(n * row, ROOM)}px`);
  view.root.style.setProperty("--size", `${Math.min(20, Math.max(16, row * 0.62))}px`);
  view.root.style.setProperty("--room", `${ROOM}px`);
  view.stage.hidden = Boolean(message);
  view.message.hidden = !message;
  view.message.textContent = message;
  view.stage.setAttribute("aria-label", `${name}. Left and right arrows change the head, up and down the layer.`);
  view.names = names(tokens);
  for (const side of ["from", "to"]) drawTokens(view, side);
  drawCells(view);
  drawLines(view);
}

function drawTokens(view, side) {
  const column = view[side];
  while (column.children.length > view.n) column.lastChild.remove();
  while (column.children.length < view.n) {
    const button = view.make(column, "button", "token");
    button.type = "button";
    view.make(button, "span", "label");
    view.make(button, "span", "value");
  }
  view.data.tokens.forEach((token, index) => {
    const button = column.children[index];
    button.dataset.index = index;
    button.tabIndex = index === 0 ? 0 : -1; // one stop per column; the arrow keys walk inside it
    button.classList.toggle("quiet", token.quiet);
    button.setAttribute("aria-label", `${side} ${view.names[index]}`);
    button.firstChild.textContent = token.text;
    button.firstChild.title = token.text.length > 11 ? token.text : "";
  });
}

function drawCells(view) {
  const { n, cells, map } = view;
  map.setAttribute("viewBox", `0 0 ${n} ${n}`);
  const ground = map.firstChild;
  ground.setAttribute("width", n);
  ground.setAttribute("height", n);
  while (cells.children.length > n * n) cells.lastChild.remove();
  while (cells.children.length < n * n) view.make(cells, "svg:rect", "cell");
  const laidOut = cells.side === n;
  cells.side = n;
  [...cells.children].forEach((cell, index) => {
    if (!laidOut) {
      cell.setAttribute("x", index % n);
      cell.setAttribute("y", Math.floor(index / n));
      cell.setAttribute("width", 1);
      cell.setAttribute("height", 1);
    }
    cell.style.fillOpacity = view.data.weights[index] / 10000;
  });
}

function drawLines(view) {
  const { n, lines, wires } = view;
  wires.setAttribute("viewBox", `0 0 100 ${Math.max(n, 1)}`);
  const gone = new Map(lines);
  for (let from = 0; from < n; from++) {
    for (let to = 0; to < n; to++) {
      const w = weight(view, from, to);
      if (w < FAINTEST) continue;
      const key = `${from} ${to}`;
      let line = lines.get(key);
      if (!line) {
        line = view.make(wires, "svg:path", "wire");
        line.from = from;
        line.to = to;
        line.setAttribute("d", `M0 ${from + 0.5}C45 ${from + 0.5} 55 ${to + 0.5} 100 ${to + 0.5}`);
        lines.set(key, line);
      }
      gone.delete(key);
      line.dataset.from = from;
      line.dataset.to = to;
      line.dataset.weight = w;
      line.style.strokeWidth = `${0.8 + 5.2 * w}px`;
      line.style.strokeOpacity = w ** 0.7; // a little above the weight itself: a projector swallows pale lines
    }
  }
  for (const [key, line] of gone) {
    line.remove();
    lines.delete(key);
  }
}

// Everything that depends on what is pointed at or held: cheap, and no node is made.
function show(view) {
  const { n, held, root } = view;
  const focus = view.preview ?? held;
  const other = focus?.side === "from" ? "to" : "from";
  const value = (index) =>
    focus.side === "from" ? weight(view, focus.at, index) : weight(view, index, focus.at);
  root.classList.toggle("focused", Boolean(focus));
  for (const line of view.lines.values()) {
    line.classList.toggle("off", Boolean(focus) && line[focus.side] !== focus.at);
    line.classList.toggle("one", focus?.other !== undefined && line.to === focus.other);
  }
  for (const side of ["from", "to"]) {
    [...view[side].children].forEach((button, index) => {
      const isHeld = held?.side === side && held.at === index;
      const numbered = focus && side === other;
      button.classList.toggle("held", isHeld);
      button.classList.toggle("chosen", focus?.side === side ? focus.at === index : focus?.other === index && numbered);
      button.classList.toggle("faint", Boolean(numbered) && value(index) < 0.005);
      button.setAttribute("aria-pressed", isHeld);
      button.lastChild.textContent = numbered ? value(index).toFixed(2) : "";
    });
  }
  const outline = focus ? { [focus.side === "from" ? "y" : "x"]: focus.at } : {};
  view.outline.toggleAttribute("hidden", !focus);
  view.outline.setAttribute("x", outline.x ?? 0);
  view.outline.setAttribute("y", outline.y ?? 0);
  view.outline.setAttribute("width", outline.x === undefined ? n : 1);
  view.outline.setAttribute("height", outline.y === undefined ? n : 1);
  say(view, focus, other, value);
}

function say(view, focus, other, value) {
  const { says, hint, names, data } = view;
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  hint.textContent = data.message ? "" : view.held ? "Esc or a second click releases" : "click a token to hold it";
  if (!focus || data.message) {
    says.textContent = data.message ? "" : `${data.name}, on average: ${habits(view)}`;
    return;
  }
  const said = [`${data.name}, ${focus.side} `, strong(names[focus.at])];
  if (focus.other !== undefined) {
    said.push(" to ", strong(names[focus.other]), `: ${value(focus.other).toFixed(4)}`);
  } else {
    const order = [...names.keys()].sort((a, b) => value(b) - value(a)).slice(0, NAMED);
    const told = order.filter((i) => value(i) >= 0.0005).map((i) => `${names[i]} ${value(i).toFixed(3)}`);
    said.push(`: ${other} ${told.join(", ") || "nothing else"}`);
  }
  says.replaceChildren(...said);
}

// Where a row's weight goes, averaged over the rows that have such a place (Clark et al. 2019 sort heads so).
function habits(view) {
  const rows = view.data.tokens.map((_, from) => from);
  const mean = (list, value) => (list.reduce((sum, from) => sum + value(from), 0) / list.length).toFixed(2);
  const special = rows.filter((i) => view.data.tokens[i].quiet);
  const told = [`itself ${mean(rows, (i) => weight(view, i, i))}`];
  if (view.n > 1) {
    told.push(`the token before ${mean(rows.slice(1), (i) => weight(view, i, i - 1))}`);
    told.push(`the token after ${mean(rows.slice(0, -1), (i) => weight(view, i, i + 1))}`);
  }
  if (special.length) {
    const onSpecial = (i) => special.reduce((sum, to) => sum + weight(view, i, to), 0);
    told.push(`special tokens ${mean(rows, onSpecial)}`);
  }
  return told.join(", ");
}

// A mark is quoted, and a token that occurs twice is told apart by its number: bank (1), bank (2).
function names(tokens) {
  const counts = new Map();
  for (const { text } of tokens) counts.set(text, (counts.get(text) ?? 0) + 1);
  const seen = new Map();
  return tokens.map(({ text }) => {
    seen.set(text, (seen.get(text) ?? 0) + 1);
    const name = /[\p{L}\p{N}]/u.test(text) ? text : `“${text}”`;
    return counts.get(text) > 1 ? `${name} (${seen.get(text)})` : name;
  });
}
