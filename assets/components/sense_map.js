// Dots on a plane or in a room, one per occurrence of a word, at every layer. All layers come at once:
// the dots glide from one to the next without the server, which is told the layer when they rest.
// Hover tells a dot's sentence, click or Enter locks it, Esc releases it, arrow keys walk from dot to
// dot; in three dimensions a drag, or arrow keys on the picture, turn it.
const SVG = "http://www.w3.org/2000/svg";
const REST_MS = 200; // from the last movement until the server is told

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.map ??= build(root);
  root.map.send = setTriggerValue;
  take(root.map, data);
}

function build(root) {
  const map = {
    root, stop: 0, speed: 1, playing: false, yaw: -0.5, pitch: 0.35, elements: new Map(), labels: [],
    layouts: new Map(), sent: [], hovered: -1, size: 0,
  };
  map.stage = element("div", "stage");
  map.canvas = element("canvas", "");
  map.svg = node("svg");
  map.svg.setAttribute("role", "group");
  map.layer = {};
  for (const part of ["contours", "links", "leaders", "rings", "dots", "names"]) {
    map.svg.append((map.layer[part] = node("g", part)));
  }
  map.where = element("div", "where");
  map.tip = element("div", "tip");
  map.says = element("p", "says");
  map.stage.append(map.canvas, map.svg, map.where, map.tip);
  root.append(map.stage, buildPlayer(map), map.says);
  listen(map);
  new ResizeObserver(() => {
    if (root.clientWidth === map.width || !map.data) return;
    map.width = root.clientWidth;
    map.layouts.clear();
    wake(map);
  }).observe(root);
  return map;
}

// New data: a new picture, into which the old one turns; or only another lock, or another layer.
function take(map, data) {
  const { layer, locked, near, ...picture } = data;
  const signature = JSON.stringify(picture);
  const first = !map.data;
  map.locked = locked;
  if (signature !== map.signature) {
    if (!first) remember(map);
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
  wake(map);
}

function adopt(map, data) {
  Object.assign(map, { data, size: data.dots.length, axes: data.axes, reach: data.reach, height: data.height });
  map.last = data.stops.length - 1;
  map.stop = Math.min(map.stop, map.last);
  map.width = map.root.clientWidth;
  map.stage.style.height = `${data.height}px`;
  map.svg.setAttribute("aria-label", data.label);
  map.frames = data.frames.map((frame) => frame && Float32Array.from(frame, (value) => value * 1e-4));
  map.radius = radii(map);
  map.marks = data.dots.map((dot) => (dot.mark < 0 ? data.marks.length - 1 : dot.mark));
  map.pairs = pairs(data.dots);
  map.at = places(map.size);
  map.layouts.clear();
  [map.told, map.hovered, map.drawn] = [undefined, -1, undefined];
  tell(map, -1);
  takeDots(map);
  takeNames(map);
  takePlayer(map);
  map.svg.setAttribute("tabindex", map.axes === 3 ? 0 : -1);
  map.stage.classList.toggle("room", map.axes === 3);
}

// How far the dots of any picture reach: sideways, and up or down when it is seen from well above.
function radii(map) {
  let [wide, high] = [1e-6, 1e-6];
  for (const frame of map.axes === 3 ? map.frames : []) {
    for (let k = 0; frame && k < frame.length; k += 3) {
      const round = Math.hypot(frame[k], frame[k + 2]);
      wide = Math.max(wide, round);
      high = Math.max(high, 0.83 * Math.abs(frame[k + 1]) + 0.56 * round);
    }
  }
  return [wide * 1.1, high];
}

// The other dots of a dot's minimal pair.
function pairs(dots) {
  const groups = new Map();
  dots.forEach(({ pair }, i) => pair && groups.set(pair, [...(groups.get(pair) ?? []), i]));
  return dots.map(({ pair }, i) => (groups.get(pair) ?? []).filter((j) => j !== i));
}

// Where everything is, so that the next picture can grow out of it.
function remember(map) {
  const from = new Map(map.data.dots.map((dot, i) => [dot.id, [map.at.x[i], map.at.y[i]]]));
  map.blend = { from, names: new Map(map.labels.map((label) => [label.key, label.at])), start: null, part: 0 };
}

function wake(map) {
  map.frame ??= requestAnimationFrame((time) => {
    map.frame = null;
    if (!map.root.isConnected || !map.width) return;
    const moving = advance(map, time);
    now(map);
    drawDots(map);
    drawNames(map);
    drawLinks(map);
    drawContours(map, moving);
    drawPlayer(map);
    if (map.hovered >= 0) placeTip(map);
    clearTimeout(map.rest);
    if (moving) wake(map);
    else map.rest = setTimeout(() => report(map), REST_MS);
  });
}

// The server's setting follows, once the dots rest.
function report(map) {
  const layer = Math.round(map.stop) + map.data.first;
  if (map.drag || layer === (map.sent.at(-1) ?? map.server)) return;
  map.sent.push(layer);
  map.send("layer", layer);
}

function drawLinks(map) {
  const held = map.data.dots.findIndex((dot) => dot.id === map.locked);
  const near = held < 0 ? [] : map.near[Math.round(map.stop)] ?? [];
  const over = map.hovered >= 0 ? map.hovered : held;
  const link = (i, j) => join(map.at.x[i], map.at.y[i], map.at.x[j], map.at.y[j]);
  const others = over < 0 ? [] : map.pairs[over];
  map.layer.links.replaceChildren(...near.map((i) => link(held, i)), ...others.map((i) => {
    const line = link(over, i);
    line.setAttribute("class", "pair");
    return line;
  }));
  const ringed = map.many ? [...new Set([map.hovered, held, ...near].filter((i) => i >= 0))] : [];
  map.layer.rings.replaceChildren(...ringed.map((i) => {
    const ring = node("circle", i === held ? "held" : "");
    for (const [name, value] of [["cx", map.at.x[i]], ["cy", map.at.y[i]], ["r", 9]]) ring.setAttribute(name, value);
    return ring;
  }));
}

// Contours belong to a layer: they wait while the dots are on their way.
function drawContours(map, moving) {
  const stop = Math.round(map.stop);
  const lines = map.data.contours?.[stop];
  map.layer.contours.classList.toggle("off", !lines || Boolean(map.trip || map.blend) || map.stop !== stop);
  const drawn = lines && `${stop} ${map.width}`;
  if (!lines || drawn === map.drawn) return;
  map.drawn = drawn;
  const scale = Math.min((map.width / 2 - PAD) / map.reach[0], (map.height / 2 - PAD) / map.reach[1]) * 1e-4;
  const place = (line) => {
    const points = [];
    for (let k = 0; k < line.length; k += 2) {
      points.push(`${(map.width / 2 + line[k] * scale).toFixed(1)},${(map.height / 2 - line[k + 1] * scale).toFixed(1)}`);
    }
    return `M${points.join("L")}Z`;
  };
  map.layer.contours.replaceChildren(...lines.map(({ mark, lines }) => {
    const path = node("path");
    path.setAttribute("d", lines.map(place).join(""));
    path.style.color = colour(map.data.marks.at(mark).colour);
    return path;
  }));
}

function join(x1, y1, x2, y2) {
  const line = node("line");
  for (const [name, value] of Object.entries({ x1, y1, x2, y2 })) line.setAttribute(name, value.toFixed(1));
  return line;
}

function colour(index) {
  return index < 0 ? "var(--rb-unknown)" : `var(--rb-senses-${index})`;
}

function node(tag, name = "") {
  const made = document.createElementNS(SVG, tag);
  if (name) made.setAttribute("class", name);
  return made;
}
