// The wall: every head as a thumbnail on one canvas, a row for each layer, or several with
// its name over them. A button over each gives the name
// of the head and what it does; a click opens it in the picture above. The heads that the picture draws are
// framed here.
import { unpack } from "../widgets/buffer.js";
import { penOf } from "../widgets/canvas.js";
import { palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { partOf, strong } from "../widgets/dom.js";
import { blockName, headName } from "../widgets/layer_names.js";
import { html, render } from "../widgets/lit.js";
import { readAloud } from "../widgets/names.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { rovingGrid } from "../widgets/roving.js";
import { filled, t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";

const GAP = 10;
const SIDE = { least: 34, most: 84, finger: 40 };
const NAMED = 60; // px of the smallest thumbnail with room for a word under it
const WORD = 22;
const BEST = 5; // heads listed for a pair of tokens
const HEAD = 62; // px for the layers' names beside their rows
const [OVER, RING] = [28, 4]; // px for a name over its rows, and for the frame of the first head

/**
 * Its data: { heads, layers, side, names: [word, sentence][] } and the weights of every head, a byte each
 * @type {import("../widgets/connect.js").Draw<Uint8Array>}
 */
export function draw(root, data, send) {
  const { header, buffer, start } = unpack(data); // it has the texts of what is built
  const wall = (root.wall ??= build(root));
  wall.data = header;
  wall.cells = new Uint8Array(buffer, start);
  wall.open = (head) => send("open", { layer: Math.floor(head / wall.data.heads), head: head % wall.data.heads });
  drawWall(wall);
}

function build(root) {
  /** @type {Record<string, any>} */
  const wall = { root };
  render(html`
    <p class="line"><span class="about"></span><span class="hint" data-save="no">${t("press one to open it above")}</span></p>
    <div class="wall" role="group" aria-label=${t("Every head of every layer; arrow keys walk, Enter opens one above")}>
      <canvas aria-hidden="true"></canvas><div class="buttons"></div><div class="names"></div>
    </div>`, root);
  const parts = { says: ".about", stage: ".wall", canvas: "canvas", buttons: ".buttons", layers: ".names" };
  for (const [name, part] of Object.entries(parts)) wall[name] = root.querySelector(part);
  onWidth(root, () => wall.data && drawWall(wall));
  const headOf = (event) => {
    const head = partOf(event, ".head");
    return head ? Number(head.dataset.at) : null;
  };
  pointing(wall.stage, (event) => say(wall, headOf(event)), () => say(wall, null), "pointerover");
  wall.stage.addEventListener("focusin", (event) => say(wall, headOf(event)));
  wall.stage.addEventListener("focusout", () => say(wall, null));
  wall.stage.addEventListener("click", (event) => headOf(event) !== null && wall.open(headOf(event)));
  rovingGrid(wall.stage, () => [...wall.buttons.children], () => wall.data.heads);
  // The picture sends its heads as events, and leaves them on the document for a wall that is drawn later.
  const update = () => frame(wall);
  const listen = () => root.isConnected ? update() : document.removeEventListener("riverbank:heads", listen);
  document.addEventListener("riverbank:heads", listen);
  return wall;
}

function drawWall(wall) {
  const { data, stage, buttons } = wall;
  const { layers, heads, names } = data;
  lay(wall);
  stage.style.height = `${wall.size[1]}px`;
  stage.style.setProperty("--thumb", `${wall.side}px`);
  stage.classList.toggle("named", wall.word > 0);
  render(names.map(([, sentence], at) => {
    const title = t("Head {head}: {does}", { head: nameOf(at, heads), does: sentence }); // the line above may be out of sight
    const [x, y] = wall.at(at);
    return html`
      <button type="button" class="head" data-at=${at} title=${title} aria-label=${readAloud(title)}
        style="transform: translate(${x}px, ${y}px)"><span class="word"></span></button>`;
  }), buttons);
  render(Array.from({ length: layers }, (_, layer) => html`
    <span class="layer" style="top: ${wall.nameAt(layer)}px">${blockName(layer)}</span>`), wall.layers);
  paint(wall);
  frame(wall);
}

// Where each head is. If a layer's heads do not fit beside its name, they take several rows of as many, under it.
function lay(wall) {
  const { layers, heads } = wall.data;
  const full = wall.root.clientWidth;
  const folds = (full - HEAD) / heads - GAP < SIDE.least;
  const [left, over] = folds ? [RING, OVER] : [HEAD, 0];
  const rows = folds ? Math.ceil(heads / Math.max(1, Math.floor((full - left) / (SIDE.finger + GAP)))) : 1;
  const across = Math.ceil(heads / rows);
  const side = Math.floor(Math.min(SIDE.most, Math.max(SIDE.least, (full - left) / across - GAP)));
  const word = side >= NAMED ? WORD : 0;
  const layerHeight = over + rows * (side + word + GAP);
  wall.at = (at) => {
    const [layer, head] = [Math.floor(at / heads), at % heads];
    return [left + (head % across) * (side + GAP), layer * layerHeight + over + Math.floor(head / across) * (side + GAP)];
  };
  wall.nameAt = (layer) => layer * layerHeight + (folds ? 0 : side / 2 - 12);
  Object.assign(wall, { side, word });
  wall.size = [left + across * (side + GAP), layers * layerHeight];
}

function paint(wall) {
  const { data, cells, canvas, side } = wall;
  const { layers, heads, side: n } = data;
  const ground = getComputedStyle(wall.root).getPropertyValue("--rb-attention-0").trim();
  const [red, green, blue] = palette(wall.root, "attention-1");
  const scale = Math.min(3, (devicePixelRatio || 1) * (wall.root.currentCSSZoom ?? 1));
  const [width, height] = wall.size;
  canvas.width = width * scale;
  canvas.height = height * scale;
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = penOf(canvas);
  context.scale(scale, scale);
  context.imageSmoothingEnabled = false;
  const thumb = Object.assign(document.createElement("canvas"), { width: n, height: n });
  const small = penOf(thumb);
  const image = small.createImageData(n, n);
  const shades = Uint8Array.from({ length: 256 }, (_, byte) => 255 * (byte / 255) ** 0.7); // as in the picture above
  for (let at = 0; at < n * n; at++) image.data.set([red, green, blue, 0], 4 * at);
  for (let at = 0; at < layers * heads; at++) {
    for (let cell = 0, from = at * n * n; cell < n * n; cell++, from++) image.data[4 * cell + 3] = shades[cells[from]];
    small.putImageData(image, 0, 0);
    const [x, y] = wall.at(at);
    context.fillStyle = ground;
    context.fillRect(x, y, side, side);
    context.drawImage(thumb, x, y, side, side);
  }
  canvas.dataset.heads = layers * heads;
}

function frame(wall) {
  const { heads, names } = wall.data;
  const update = JSON.parse(document.documentElement.dataset.riverbankHeads ?? "null");
  wall.joined = joined(wall, update?.pair);
  wall.pair = wall.joined && update.pair;
  [...wall.buttons.children].forEach((thumbnail, at) => {
    const on = update?.layer === Math.floor(at / heads) && update.on.includes(at % heads);
    thumbnail.classList.toggle("on", on);
    thumbnail.setAttribute("aria-pressed", on);
    const first = update ? update.layer * heads + update.on[0] : 0;
    thumbnail.tabIndex = at === first ? 0 : -1; // one stop; the arrow keys walk
    // For a pair of tokens, each head fades by its weight, which is written below it.
    thumbnail.style.setProperty("--fade", wall.joined ? `${85 * (1 - wall.joined[at] ** 0.7)}%` : "0%");
    const word = wall.joined ? fixed(wall.joined[at]) : names[at][0] || "·";
    if (thumbnail.textContent !== word) thumbnail.firstElementChild.textContent = word;
  });
  say(wall, null);
}

// Every head's weight from one token to another; null if the thumbnails have merged cells.
function joined(wall, pair) {
  const { side, heads, layers } = wall.data;
  if (!pair || pair.of !== side) return null;
  const cell = pair.from * side + pair.to;
  return Array.from({ length: heads * layers }, (_, head) => wall.cells[head * side * side + cell] / 255);
}

const nameOf = (at, heads) => headName(Math.floor(at / heads), at % heads);

function say(wall, at) {
  const { heads, names, layers } = wall.data;
  const name = strong(at === null ? t("Every head") : t("Head {head}", { head: nameOf(at, heads) }));
  if (at === null && wall.pair) {
    const best = [...wall.joined.keys()].sort((a, b) => wall.joined[b] - wall.joined[a]).slice(0, BEST);
    const share = best.map((head) => `${nameOf(head, heads)} ${fixed(wall.joined[head])}`).join(", ");
    const [reader, read] = wall.pair.names;
    wall.says.replaceChildren(...filled(t("{heads}, from {reader} to {read}: {share}"), { heads: name, reader, read, share }));
    wall.says.title = "";
    return;
  }
  const does = at === null ? t("{layers} layers of {heads}. Rows attend to columns, and a stronger colour means more", { layers, heads }) : names[at][1];
  wall.says.replaceChildren(...filled(t("{head}: {does}"), { head: name, does }));
  wall.says.title = does;
}

export default connect(draw);
