// The wall: every head a thumbnail on one canvas, a row for each layer. Over each lies a button that says
// which head it is and what it is known for; a click opens it in the picture above. The picture tells
// which heads it draws, and those are framed here.
const GAP = 10;
const SIDE = { least: 34, most: 84 };
const NAMED = 60; // px of a thumbnail that has room for a word under it
const WORD = 22;
const BEST = 5; // heads told that join a pair most
const HEAD = 62; // px for the layers' names

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const wall = (root.wall ??= build(root));
  const buffer = data.slice().buffer;
  const size = new DataView(buffer).getUint32(0, true);
  wall.data = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  wall.cells = new Uint8Array(buffer, 4 + size);
  wall.open = (head) => setTriggerValue("open", { layer: Math.floor(head / wall.data.heads), head: head % wall.data.heads });
  draw(wall);
}

function build(root) {
  const make = (parent, tag, name) => Object.assign(parent.appendChild(document.createElement(tag)), { className: name });
  const line = make(root, "p", "line");
  const wall = { root, make, says: make(line, "span", "about") };
  wall.hint = make(line, "span", "hint");
  wall.hint.dataset.save = "no";
  wall.hint.textContent = "click one to open it above";
  wall.stage = make(root, "div", "wall");
  wall.stage.setAttribute("role", "group");
  wall.stage.setAttribute("aria-label", "Every head of every layer; arrow keys walk, Enter opens one above");
  wall.canvas = make(wall.stage, "canvas", "");
  wall.canvas.setAttribute("aria-hidden", "true");
  wall.buttons = make(wall.stage, "div", "buttons");
  new ResizeObserver(() => wall.data && root.clientWidth !== wall.width && draw(wall)).observe(root);
  const headOf = (event) => {
    const button = event.target.closest?.(".head");
    return button ? Number(button.dataset.at) : null;
  };
  wall.stage.addEventListener("pointerover", (event) => say(wall, headOf(event)));
  wall.stage.addEventListener("pointerleave", () => say(wall, null));
  wall.stage.addEventListener("focusin", (event) => say(wall, headOf(event)));
  wall.stage.addEventListener("focusout", () => say(wall, null));
  wall.stage.addEventListener("click", (event) => headOf(event) !== null && wall.open(headOf(event)));
  wall.stage.addEventListener("keydown", (event) => {
    const at = headOf(event);
    const { heads, layers } = wall.data;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -heads, ArrowDown: heads }[event.key];
    if (at === null || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const to = at + step;
    if (to >= 0 && to < heads * layers) wall.buttons.children[to].focus();
  });
  // The picture's heads: told while both stand, and kept on the document for a wall that comes later.
  const shown = () => frame(wall);
  const listen = () => root.isConnected ? shown() : document.removeEventListener("riverbank:heads", listen);
  document.addEventListener("riverbank:heads", listen);
  return wall;
}

function draw(wall) {
  const { data, root, stage, buttons } = wall;
  const { layers, heads, names } = data;
  wall.width = root.clientWidth;
  const side = Math.floor(Math.min(SIDE.most, Math.max(SIDE.least, (wall.width - HEAD) / heads - GAP)));
  const word = side >= NAMED ? WORD : 0;
  wall.pitch = [side + GAP, side + word + GAP];
  wall.side = side;
  stage.style.height = `${layers * wall.pitch[1]}px`;
  stage.style.setProperty("--thumb", `${side}px`);
  stage.classList.toggle("named", word > 0);
  while (buttons.children.length > layers * heads) buttons.lastChild.remove();
  while (buttons.children.length < layers * heads) {
    const button = wall.make(buttons, "button", "head");
    button.type = "button";
    wall.make(button, "span", "word");
  }
  names.forEach(([, sentence], at) => {
    const button = buttons.children[at];
    const [layer, head] = [Math.floor(at / heads), at % heads];
    button.dataset.at = at;
    button.style.transform = `translate(${HEAD + head * wall.pitch[0]}px, ${layer * wall.pitch[1]}px)`;
    button.title = `Head L${layer}H${head}: ${sentence}`; // the line above may be out of sight
    button.setAttribute("aria-label", button.title);
  });
  drawLayers(wall);
  paint(wall);
  frame(wall);
}

function drawLayers(wall) {
  wall.names ??= [];
  while (wall.names.length > wall.data.layers) wall.names.pop().remove();
  while (wall.names.length < wall.data.layers) wall.names.push(wall.make(wall.stage, "span", "layer"));
  wall.names.forEach((name, layer) => {
    name.textContent = `Layer ${layer}`;
    name.style.top = `${layer * wall.pitch[1] + wall.side / 2 - 12}px`;
  });
}

function paint(wall) {
  const { data, cells, canvas, pitch, side } = wall;
  const { layers, heads, side: n } = data;
  const style = getComputedStyle(wall.root);
  const colour = (name) => style.getPropertyValue(name).trim();
  const [red, green, blue] = [1, 3, 5].map((i) => parseInt(colour("--rb-attention-1").slice(i, i + 2), 16));
  const scale = Math.min(3, (devicePixelRatio || 1) * (wall.root.currentCSSZoom ?? 1));
  const [width, height] = [HEAD + heads * pitch[0], layers * pitch[1]];
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.scale(scale, scale);
  context.imageSmoothingEnabled = false;
  const thumb = Object.assign(document.createElement("canvas"), { width: n, height: n });
  const small = thumb.getContext("2d");
  const image = small.createImageData(n, n);
  const shades = Uint8Array.from({ length: 256 }, (_, byte) => 255 * (byte / 255) ** 0.7); // as in the picture above
  for (let at = 0; at < n * n; at++) image.data.set([red, green, blue, 0], 4 * at);
  for (let at = 0; at < layers * heads; at++) {
    for (let cell = 0, from = at * n * n; cell < n * n; cell++, from++) image.data[4 * cell + 3] = shades[cells[from]];
    small.putImageData(image, 0, 0);
    const [x, y] = [HEAD + (at % heads) * pitch[0], Math.floor(at / heads) * pitch[1]];
    context.fillStyle = colour("--rb-attention-0");
    context.fillRect(x, y, side, side);
    context.drawImage(thumb, x, y, side, side);
  }
  canvas.dataset.heads = layers * heads;
}

function frame(wall) {
  const { heads, names } = wall.data;
  const shown = JSON.parse(document.documentElement.dataset.riverbankHeads ?? "null");
  wall.joined = joined(wall, shown?.pair);
  wall.pair = wall.joined && shown.pair;
  [...wall.buttons.children].forEach((button, at) => {
    const on = shown?.layer === Math.floor(at / heads) && shown.on.includes(at % heads);
    button.classList.toggle("on", on);
    button.setAttribute("aria-pressed", on);
    const first = shown ? shown.layer * heads + shown.on[0] : 0;
    button.tabIndex = at === first ? 0 : -1; // one stop; the arrow keys walk
    // A pair that is looked at: heads that join it stay, the others fade, and the weight stands below.
    button.style.setProperty("--fade", wall.joined ? `${85 * (1 - wall.joined[at] ** 0.7)}%` : "0%");
    const word = wall.joined ? wall.joined[at].toFixed(2) : names[at][0] || "·";
    if (button.firstChild.textContent !== word) button.firstChild.textContent = word;
  });
  say(wall, null);
}

// Every head's weight from one token to another; where thumbnails are of joined cells, none.
function joined(wall, pair) {
  const { side, heads, layers } = wall.data;
  if (!pair || pair.of !== side) return null;
  const cell = pair.from * side + pair.to;
  return Array.from({ length: heads * layers }, (_, head) => wall.cells[head * side * side + cell] / 255);
}

function say(wall, at) {
  const { heads, names, layers } = wall.data;
  const strong = Object.assign(document.createElement("b"), { textContent: at === null ? "Every head" : `Head L${Math.floor(at / heads)}H${at % heads}` });
  if (at === null && wall.pair) {
    const best = [...wall.joined.keys()].sort((a, b) => wall.joined[b] - wall.joined[a]).slice(0, BEST);
    const told = best.map((head) => `L${Math.floor(head / heads)}H${head % heads} ${wall.joined[head].toFixed(2)}`);
    wall.says.replaceChildren(strong, `, from ${wall.pair.names[0]} to ${wall.pair.names[1]}: ${told.join(", ")}`);
    wall.says.title = "";
    return;
  }
  const rest = at === null ? `: ${layers} layers of ${heads}; rows read, columns are read; a stronger colour means more` : `: ${names[at][1]}`;
  wall.says.replaceChildren(strong, rest);
  wall.says.title = rest.slice(2);
}
