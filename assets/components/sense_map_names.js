// Names beside the dots they stand for: where nothing else is, as near to their own dots as can be.
const CELL = 6; // px of the grid that knows which places are taken
const FAR = 44; // px from a name to its nearest dot beyond which a line joins them
const SAMPLE = 60; // dots of a group that a name's place is measured against
const NAME_PX = 28;
const BOTH_PX = 48; // the name, and its words below

function takeNames(map) {
  const { names } = map.data;
  const drawn = new Map(map.labels.map((label) => [label.key, label.element]));
  keep(map.layer.names, drawn, names.map((name, i) => `${i} ${name.text}`), () => {
    const element = node("g", "label");
    element.append(node("text", "name"), node("text", "words"));
    return element;
  });
  const sampled = names.map(({ members }) => members.filter((_, i) => i % Math.ceil(members.length / SAMPLE) === 0));
  map.labels = [...drawn].map(([key, element], i) => {
    const [title, words] = element.children;
    title.textContent = names[i].text;
    words.textContent = names[i].words;
    title.style.fill = colour(map.data.marks.at(names[i].mark).colour);
    return { key, element, title, words, own: sampled[i], others: sampled.filter((_, j) => j !== i).flat() };
  });
}

// The places of all names at a stop, kept until the picture changes.
function layoutAt(map, stop) {
  if (!map.layouts.has(stop)) {
    const at = places(map.size);
    map.layouts.set(stop, locate(map, stop, at) ? arrange(map, at) : null);
  }
  return map.layouts.get(stop);
}

// One place per name. The largest groups choose first.
function arrange(map, at) {
  const taken = occupied(map, at);
  const found = [];
  const order = [...map.labels.keys()];
  order.sort((i, j) => map.data.names[j].members.length - map.data.names[i].members.length);
  for (const n of order) {
    const label = map.labels[n];
    const wide = (text) => (text.textContent ? (text.getComputedTextLength() || text.textContent.length * 9) + 10 : 0);
    const [name, words] = [wide(label.title), wide(label.words)];
    // With its words if they have room, else the name alone, else where it covers the least.
    found[n] = (words && search(map, at, label, taken, Math.max(name, words), BOTH_PX, false))
      || search(map, at, label, taken, name, NAME_PX, false)
      || search(map, at, label, taken, name, NAME_PX, true);
    const { x, y, w, h } = found[n];
    fill(taken, x - w / 2, y - h / 2, x + w / 2, y + h / 2);
    sum(taken);
  }
  return found;
}

function search(map, at, { own, others }, taken, w, h, anywhere) {
  const middle = [median(own.map((i) => at.x[i])), median(own.map((i) => at.y[i]))];
  let best = null;
  for (let y = h / 2 + 4; y <= map.height - h / 2 - 4; y += CELL) {
    for (let x = w / 2 + 4; x <= map.width - w / 2 - 4; x += CELL) {
      const covered = count(taken, x - w / 2, y - h / 2, x + w / 2, y + h / 2);
      const least = 0.25 * Math.hypot(x - middle[0], y - middle[1]) + 40 * covered;
      if ((covered && !anywhere) || (best && least >= best.cost)) continue;
      const [near, dot] = nearest(at, own, x, y, w, h);
      const rival = nearest(at, others, x, y, w, h)[0];
      const cost = least + near + (rival < near ? 1.5 * (near - rival) + 12 : 0);
      if (!best || cost < best.cost) best = { x, y, w, h, cost, line: near > FAR ? dot : -1 };
    }
  }
  // A picture too small for any name has it in the middle.
  return best ?? (anywhere ? { x: map.width / 2, y: map.height / 2, w, h, line: -1 } : null);
}

// How far a box is from the nearest of some dots, and which one that is.
function nearest(at, dots, x, y, w, h) {
  let [best, found] = [Infinity, -1];
  for (const i of dots) {
    const away = Math.hypot(
      Math.max(Math.abs(at.x[i] - x) - w / 2, 0),
      Math.max(Math.abs(at.y[i] - y) - h / 2, 0),
    );
    if (away < best) [best, found] = [away, i];
  }
  return [best, found];
}

// Names follow their dots: between two stops they are on the way between their two places.
function drawNames(map) {
  const low = Math.floor(map.stop);
  const part = map.stop - low;
  const [a, b] = [layoutAt(map, low), part ? layoutAt(map, low + 1) : layoutAt(map, low)];
  if (!a || !b) return;
  const mixed = map.blend ? ease(map.blend.part ?? 0) : 1;
  const lines = [];
  map.labels.forEach((label, n) => {
    let x = a[n].x + (b[n].x - a[n].x) * part;
    let y = a[n].y + (b[n].y - a[n].y) * part;
    const old = map.blend?.names.get(label.key);
    if (old) [x, y] = [old[0] + (x - old[0]) * mixed, old[1] + (y - old[1]) * mixed];
    label.at = [x, y];
    label.element.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    const both = (part < 0.5 ? a[n] : b[n]).h === BOTH_PX;
    label.element.classList.toggle("both", both);
    const place = part < 0.5 ? a[n] : b[n];
    if (place.line >= 0 && !map.blend) lines.push([x, y, place, place.line]);
  });
  map.layer.leaders.replaceChildren(...lines.map(([x, y, place, dot]) => {
    const [dx, dy] = [map.at.x[dot] - x, map.at.y[dot] - y];
    const out = Math.min(place.w / 2 / Math.abs(dx), (place.h / 2 - 4) / Math.abs(dy));
    return join(x + dx * out, y + dy * out, x + dx * 0.97, y + dy * 0.97);
  }));
}

// Which cells of the picture are taken, and the sums over all rectangles from its corner.
function occupied(map, at) {
  const [columns, rows] = [Math.ceil(map.width / CELL) + 1, Math.ceil(map.height / CELL) + 1];
  const sums = new Int32Array((columns + 1) * (rows + 1));
  const taken = { columns, rows, cells: new Uint8Array(columns * rows), sums };
  const r = 12 * sized(map.size) + 4;
  for (let i = 0; i < map.size; i++) fill(taken, at.x[i] - r, at.y[i] - r, at.x[i] + r, at.y[i] + r);
  fill(taken, 0, 0, 190, 44); // where the layer's name stands
  sum(taken);
  return taken;
}

function fill(taken, ...box) {
  const [left, top, right, bottom] = cells(taken, ...box);
  for (let row = top; row < bottom; row++) {
    taken.cells.fill(1, row * taken.columns + left, row * taken.columns + right);
  }
}

function sum({ columns, rows, cells, sums }) {
  for (let row = 0; row < rows; row++) {
    for (let column = 0, line = 0; column < columns; column++) {
      line += cells[row * columns + column];
      sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1] + line;
    }
  }
}

function count(taken, ...box) {
  const [left, top, right, bottom] = cells(taken, ...box);
  const upTo = (row, column) => taken.sums[row * (taken.columns + 1) + column];
  return upTo(bottom, right) - upTo(top, right) - upTo(bottom, left) + upTo(top, left);
}

function cells({ columns, rows }, x0, y0, x1, y1) {
  const clip = (value, most) => Math.min(Math.max(value, 0), most);
  return [
    clip(Math.floor(x0 / CELL), columns), clip(Math.floor(y0 / CELL), rows),
    clip(Math.ceil(x1 / CELL), columns), clip(Math.ceil(y1 / CELL), rows),
  ];
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
