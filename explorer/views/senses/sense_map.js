// Dots in two or three dimensions, one per occurrence of a word, at every layer. All layers come at once:
// the dots glide from one to the next without the server, which is told the layer when they rest.
// Hover tells a dot's sentence, click or Enter locks it, Esc releases it, arrow keys walk from dot to
// dot; in three dimensions a drag, or arrow keys on the picture, turn it.

import { connect } from "../widgets/connect.js";
import { html, render, svg } from "../widgets/lit.js";
import { colour } from "../widgets/occurrence.js";
import { scrubber, setSlider, sign } from "../widgets/player.js";
import { node } from "../widgets/svg.js";
import { t } from "../widgets/translations.js";
import { drawDots, dress, shown, takeDots } from "./sense_map_dots.js";
import { advance, fitScale, locate, places, travel } from "./sense_map_motion.js";
import { drawNames, takeNames } from "./sense_map_names.js";
import { join, renew } from "./sense_map_nodes.js";
import { listen, placeTip, tell } from "./sense_map_touch.js";

// The layers as a player: one slider, whose thumb the playing moves; buttons to play, step, and hurry.

const SPEEDS = [1, 2, 0.5];

function buildPlayer(map) {
  map.slider = scrubber(t("Layer"), (stop) => {
    Object.assign(map, { playing: false, trip: null, grabbed: true, stop });
    map.wake();
  });
  map.slider.step = "any";
  map.slider.addEventListener("change", () => {
    map.grabbed = false;
    travel(map, Math.round(map.stop), 200);
  });
  map.slider.addEventListener("keydown", (event) => {
    const to = {
      ArrowRight: Math.floor(goal(map)) + 1, ArrowUp: Math.floor(goal(map)) + 1,
      ArrowLeft: Math.ceil(goal(map)) - 1, ArrowDown: Math.ceil(goal(map)) - 1, Home: 0, End: map.last,
    }[event.key];
    if (to !== undefined) goTo(map, to);
    else if (event.key === " ") play(map);
    else return;
    event.preventDefault();
  });
}

// Where the slider is, or is on its way to.
function goal(map) {
  return map.trip?.to ?? map.stop;
}

function goTo(map, stop) {
  map.playing = false;
  const to = Math.min(Math.max(stop, 0), map.last);
  if (to !== goal(map)) travel(map, to);
  else map.wake();
}

function step(map, by) {
  goTo(map, by > 0 ? Math.floor(goal(map)) + 1 : Math.ceil(goal(map)) - 1);
}

// From the top it plays from the start again.
function play(map) {
  map.playing = !map.playing;
  if (map.playing && map.stop >= map.last) travel(map, 0, 700);
  else if (!map.playing && !map.trip) travel(map, Math.round(map.stop), 200);
  map.next = 0;
  map.wake();
}

function drawPlayer(map) {
  const { data, last, playing, speed } = map;
  const at = Math.round(map.stop);
  const text = playing ? t("Pause") : t("Play the layers");
  setSlider(map.slider, map.stop, last, data.stops[at]);
  const named = (layer) => last <= 16 || (layer > 0 && layer % 5 === 0); // there is no room for more
  const name = (layer) => (layer === data.first ? t("word") : named(layer) ? layer : "");
  const hurry = () => {
    map.speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
    drawPlayer(map);
  };
  const walk = (icon, label, by, end) => html`
    <button type="button" class="control" title=${label} aria-label=${label} ?disabled=${at === end} @click=${() => step(map, by)}>${sign(icon)}</button>`;
  // Some layers are made only when they are asked for.
  render(html`
    <button type="button" class="control main play" title=${text} aria-label=${text} aria-pressed=${playing} ?disabled=${map.frames.some((frame) => !frame)}
      @click=${() => play(map)}>${sign(playing ? "pause" : "play")}</button>
    ${walk("back", t("One layer down"), -1, 0)}${walk("on", t("One layer up"), 1, last)}
    <div class="track">${map.slider}<div class="ticks">${data.stops.map((_, i) => html`<span class="tick ${i === at ? "here" : ""}">${name(i + data.first)}</span>`)}</div></div>
    <button type="button" class="control speed" aria-label=${t("Speed {speed}", { speed })} @click=${hurry}>${{ 0.5: "½" }[speed] ?? speed}×</button>`, map.player);
  map.player.classList.toggle("single", last === 0); // one stop: there is nothing to play
  if (map.told === at) return;
  map.told = at;
  map.where.textContent = data.stops[at];
  map.says.textContent = data.lines[at];
}

const REST_MS = 200; // from the last movement until the server is told

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} height the least
 * @property {2 | 3} axes
 * @property {number} unit what a coordinate of 10,000 stands for, in ten thousandths
 * @property {{ id: string, mark: number, sense: string, pair?: string, fresh?: string, parts: [string, string, string] }[]} dots
 * @property {{ colour: number, path: string }[]} marks the last of a dot without a group
 * @property {{ text: string, words: string, mark: number, members: number[] }[]} names
 * @property {string[]} stops what each layer is called
 * @property {string[]} lines a line for each layer
 * @property {(number[] | null)[]} frames coordinates of all dots at each layer, in ten thousandths
 * @property {({ mark: number, lines: number[][] }[] | null)[] | null} contours
 * @property {number} first the number of the first layer
 * @property {number} layer
 * @property {string} locked a dot's id, or nothing
 * @property {number[][]} near the dots nearest to it at each layer
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.map ??= build(root);
  root.map.send = send;
  take(root.map, data);
}

function build(root) {
  const { yaw = -0.5, pitch = 0.35 } = root.replaced?.map ?? {}; // in other colours it is seen from where it was
  const map = {
    root, stop: 0, speed: 1, playing: false, yaw, pitch, elements: new Map(), labels: [],
    layouts: new Map(), sent: [], hovered: -1, size: 0,
  };
  map.wake = () => wake(map);
  const layer = (part) => svg`<g class=${part}></g>`;
  // The contours are below the canvas too, which draws the dots where they are many.
  render(html`
    <div class="stage">
      <div class="under"><svg aria-hidden="true">${layer("contours")}</svg></div>
      <canvas></canvas>
      <svg role="group">${["links", "leaders", "rings", "dots", "names"].map(layer)}</svg>
      <div class="where"></div><div class="tip"></div>
    </div>
    <div class="player" data-save="no"></div>
    <p class="says"></p>`, root);
  for (const part of ["stage", "canvas", "where", "tip", "player", "says"]) map[part] = root.querySelector(part === "canvas" ? part : `.${part}`);
  map.svg = root.querySelector(".stage > svg");
  map.layer = Object.fromEntries([...root.querySelectorAll("g")].map((group) => [group.getAttribute("class"), group]));
  buildPlayer(map);
  listen(map);
  new ResizeObserver(() => {
    const { clientWidth, clientHeight } = map.stage;
    if (!map.data || (clientWidth === map.width && clientHeight === map.height)) return;
    [map.width, map.height] = [clientWidth, clientHeight];
    fitScale(map);
    map.layouts.clear();
    wake(map);
  }).observe(map.stage);
  return map;
}

/**
 * New data: a new picture, into which the old one turns; or only another lock, or another layer.
 * @param {any} map
 * @param {Data} data
 */
function take(map, data) {
  const { layer, locked, near, ...picture } = data;
  const signature = JSON.stringify(picture);
  const first = !map.data;
  map.locked = locked;
  if (signature !== map.signature) {
    map.signature = signature;
    adopt(map, data);
  }
  map.near = near;
  const stop = layer - data.first;
  if (first) map.stop = stop;
  else if (layer !== map.server && !map.sent.includes(layer)) {
    map.playing = false; // somebody else chose a layer: a preset, a link
    travel(map, stop, 600);
  }
  if (map.sent.includes(layer)) map.sent = map.sent.slice(map.sent.indexOf(layer) + 1);
  map.server = layer;
  shown(map).forEach(([dot, i]) => dress(map, dot, i));
  drawNow(map, performance.now()); // at once: a dot that waits for its place would fly in from a corner
}

/**
 * @param {any} map
 * @param {Data} data
 */
function adopt(map, data) {
  Object.assign(map, { data, size: data.dots.length, axes: data.axes });
  map.last = data.stops.length - 1;
  map.stop = Math.min(map.stop, map.last);
  map.stage.style.setProperty("--least", `${data.height}px`);
  [map.width, map.height] = [map.stage.clientWidth, map.stage.clientHeight];
  map.svg.setAttribute("aria-label", data.label);
  map.frames = data.frames.map((frame) => frame && Float32Array.from(frame, (value) => value * 1e-4));
  fitScale(map);
  map.marks = data.dots.map((dot) => (dot.mark < 0 ? data.marks.length - 1 : dot.mark));
  map.pairs = pairs(data.dots);
  map.at = places(map.size);
  map.layouts.clear();
  map.turned = false;
  [map.told, map.drawn] = [undefined, undefined];
  tell(map, -1);
  takeDots(map);
  takeNames(map);
  map.svg.setAttribute("tabindex", map.axes === 3 ? 0 : -1);
  map.stage.classList.toggle("turnable", map.axes === 3);
}

// The other dots of a dot's minimal pair.
function pairs(dots) {
  const groups = new Map();
  dots.forEach(({ pair }, i) => pair && groups.set(pair, [...(groups.get(pair) ?? []), i]));
  return dots.map(({ pair }, i) => (groups.get(pair) ?? []).filter((j) => j !== i));
}

function wake(map) {
  map.asked ??= requestAnimationFrame((time) => {
    map.asked = null;
    if (map.root.isConnected) drawNow(map, time);
  });
}

// One frame. Where the frames themselves make the movement, nothing else may smooth it.
function drawNow(map, time) {
  if (!map.width) return;
  const moving = advance(map, time);
  const driven = Boolean(map.trip || map.drag || map.turned || map.grabbed);
  if (driven !== map.driven) map.svg.classList.toggle("driven", (map.driven = driven));
  locate(map, map.stop, map.at);
  drawDots(map);
  drawNames(map);
  drawLinks(map);
  drawContours(map);
  drawPlayer(map);
  if (map.hovered >= 0) placeTip(map);
  clearTimeout(map.rest);
  if (moving) wake(map);
  else map.rest = setTimeout(() => settle(map), REST_MS);
}

// Once all is at rest: names find new places in a picture that was turned, and the server's setting follows.
function settle(map) {
  if (map.drag) return;
  if (map.turned) {
    map.layouts.clear();
    map.turned = false;
    return wake(map);
  }
  const layer = Math.round(map.stop) + map.data.first;
  if (layer === (map.sent.at(-1) ?? map.server)) return;
  map.sent.push(layer);
  map.send("layer", layer);
}

// Lines to the neighbours of the locked dot, and from the dot in hand to the rest of its minimal pair.
function drawLinks(map) {
  const lockedAt = map.data.dots.findIndex((dot) => dot.id === map.locked);
  const near = lockedAt < 0 ? [] : map.near[Math.round(map.stop)] ?? [];
  const over = map.hovered >= 0 ? map.hovered : lockedAt;
  const pair = over < 0 ? [] : map.pairs[over];
  renew(map, "links", [...near.map((i) => [lockedAt, i, ""]), ...pair.map((i) => [over, i, "pair"])], ([i, j, kind]) => {
    const line = join(map.at.x[i], map.at.y[i], map.at.x[j], map.at.y[j]);
    line.setAttribute("class", kind);
    return line;
  });
  const ringed = map.many ? [...new Set([map.hovered, lockedAt, ...near].filter((i) => i >= 0))] : [];
  renew(map, "rings", ringed.map((i) => [i, i === lockedAt ? "locked" : ""]), ([i, kind]) => {
    return node("circle", { class: kind, cx: map.at.x[i], cy: map.at.y[i], r: 9 });
  });
}

// Contours belong to a layer: they wait while the dots are on their way.
function drawContours(map) {
  const stop = Math.round(map.stop);
  const lines = map.data.contours?.[stop];
  const off = !lines || Boolean(map.trip) || map.stop !== stop;
  if (off !== map.layer.contours.off) map.layer.contours.classList.toggle("off", (map.layer.contours.off = off));
  const signature = `${stop} ${map.width} ${map.scale}`;
  if (!lines || signature === map.drawn) return;
  map.drawn = signature;
  const place = (line) => {
    const points = [];
    for (let k = 0; k < line.length; k += 2) {
      const x = map.width / 2 + (line[k] * 1e-4 - map.middle[0]) * map.scale;
      const y = map.height / 2 - (line[k + 1] * 1e-4 - map.middle[1]) * map.scale;
      points.push(`${x.toFixed(1)},${y.toFixed(1)}`);
    }
    return `M${points.join("L")}Z`;
  };
  map.layer.contours.replaceChildren(...lines.map(({ mark, lines }) => {
    const path = node("path", { d: lines.map(place).join("") });
    path.style.color = colour(map.data.marks.at(mark).colour);
    return path;
  }));
}

export default connect(draw);
