// A text whose pieces are coloured; its most surprising words, which lead to their place; and a line for
// each model, word by word. Hover gives the numbers, in the text and on the lines alike.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { button, element, partOf } from "../widgets/dom.js";
import { fillWindow, presents } from "../widgets/fill_window.js";
import { bringToMiddle } from "../widgets/into_view.js";
import { pointing } from "../widgets/pointing.js";
import { node } from "../widgets/svg.js";
import { tooltip } from "../widgets/tooltip.js";

const HIGH = 178, TOP = 8, BOTTOM = 72, LEFT = 40; // below the lines stand the words
const LOWEST = 132; // px of the text in presenter mode, which gets what is free
const PITCH = 19; // px between two words
const LETTERS = 9; // of a word
const RANKS = [["solid", "top 1"], ["dashed", "top 10"], ["dotted", "top 100"], ["", "beyond"]];
const ENDS = { bands: ["", ""], probability: ["probability 0", "1"], surprisal: ["0 bits", "16 and more"] };

/**
 * @typedef {object} Data
 * @property {[string, number, string, string][]} pieces text, shade, mark, what hovering tells
 * @property {[string, string][]} shades ground and letters
 * @property {"bands" | "probability" | "surprisal"} legend
 * @property {[string, string][]} numbers
 * @property {[string, number, number, string][]} top word, bits, piece, what hovering tells
 * @property {{ name: string, says: string, values: (number | null)[] }[]} lines bits of each word, a line for each model
 * @property {[string, number][]} words word and piece
 * @property {number} smoothed over how many words a point is a mean
 * @property {string} says
 * @property {boolean} [whole] the text is as high as it is long, and its end is in view
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  if (!root.text) build(root);
  root.classList.toggle("whole", Boolean(data.whole));
  root.classList.toggle("presented", presents());
  const signature = JSON.stringify([data.pieces, data.shades]);
  if (root.signature !== signature) {
    root.signature = signature;
    paint(root, data);
  }
  root.data = data;
  legend(root.legend, data);
  root.numbers.replaceChildren(...data.numbers.flatMap(([name, value]) => [element("dt", "", name), element("dd", "", value)]));
  top(root, data);
  root.says.textContent = data.says;
  lines(root, data);
  fillWindow(root, (free) => {
    root.style.setProperty("--text", presents() ? `${LOWEST + free}px` : null);
    if (data.whole) root.text.scrollTop = root.text.scrollHeight;
  });
}

function build(root) {
  const upper = element("div", "upper");
  const left = element("div", "left");
  root.text = element("div", "text");
  root.text.tabIndex = 0;
  root.text.setAttribute("role", "group");
  root.text.setAttribute("aria-label", "The text, coloured");
  root.legend = element("div", "legend");
  left.append(root.text, root.legend);
  const right = element("div", "right");
  root.numbers = element("dl", "numbers");
  root.list = element("ol", "list");
  root.list.setAttribute("aria-label", "The most surprising words; click one to find it");
  right.append(root.numbers, element("div", "quiet", "Most surprising words, in bits"), root.list);
  upper.append(left, right);
  root.names = element("div", "names");
  root.chart = node("svg", { role: "img" });
  root.says = element("div", "quiet says");
  root.append(upper, root.names, root.chart, root.says);

  root.tip = tooltip(root, { of: ".text span, .list button", on: upper, align: "left", gap: 4 });
  root.text.addEventListener("scroll", root.tip.hide);
  root.list.addEventListener("click", (event) => {
    const row = partOf(event, "button");
    if (row) find(root, row.piece);
  });
  const follow = (event) => {
    const box = root.chart.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * root.wide - LEFT) / (root.wide - LEFT);
    const at = Math.min(Math.max(Math.floor(share * root.data.words.length), 0), root.data.words.length - 1);
    point(root, at);
  };
  pointing(root.chart, follow, () => point(root, -1));
  root.chart.addEventListener("click", () => root.at >= 0 && find(root, root.data.words[root.at][1]));
  let width = 0;
  new ResizeObserver(() => {
    if (root.clientWidth === width) return;
    width = root.clientWidth;
    requestAnimationFrame(() => root.data && lines(root, root.data));
  }).observe(root);
}

/**
 * @param {any} root
 * @param {Data} data
 */
function paint(root, data) {
  const all = document.createDocumentFragment();
  root.spans = data.pieces.map(([text, shade, mark, tip]) => {
    const [, before, word, after] = /** @type {RegExpMatchArray} */ (text.match(/^(\s*)([^]*?)(\s*)$/));
    const line = !word && before.includes("\n");
    const span = element("span", mark, word || (line ? "↵" : before));
    span.style.background = data.shades[shade][0];
    span.style.color = data.shades[shade][1];
    span.tip = tip;
    all.append(word ? before : "", span, word ? after : line ? before : "");
    return span;
  });
  root.text.replaceChildren(all);
  setDirection(root.text, root.text.textContent);
  root.text.scrollTop = data.whole ? root.text.scrollHeight : 0;
}

/**
 * @param {any} place
 * @param {Data} data
 */
function legend(place, data) {
  const parts = [];
  if (data.legend === "bands") {
    RANKS.forEach(([mark, words], index) => {
      const shade = data.shades[Math.round((1 - index / 3) * (data.shades.length - 1))];
      const item = element("span", `chip ${mark}`, words);
      [item.style.background, item.style.color] = shade;
      parts.push(item);
    });
  } else {
    const ramp = element("b", "ramp");
    for (const [ground] of data.shades.filter((_, index) => index % 3 === 0)) {
      const step = element("i"); // in steps, not as a gradient: pictures that are saved have none
      step.style.background = ground;
      ramp.append(step);
    }
    parts.push(element("span", "", ENDS[data.legend][0]), ramp, element("span", "", ENDS[data.legend][1]));
  }
  place.replaceChildren(...parts);
}

/**
 * @param {any} root
 * @param {Data} data
 */
function top(root, data) {
  const most = Math.max(1, ...data.top.map((row) => row[1]));
  root.list.replaceChildren(...data.top.map(([word, bits, piece, tip]) => {
    const row = button("row");
    row.piece = piece;
    row.tip = tip;
    const bar = element("i");
    bar.style.width = `${(bits / most) * 100}%`;
    const track = element("span", "track");
    track.append(bar);
    row.append(element("span", "word", word), track, element("span", "bits", bits.toFixed(1)));
    const item = element("li");
    item.append(row);
    return item;
  }));
}

function find(root, piece) {
  const span = root.spans[piece];
  if (!span) return;
  bringToMiddle(root.text, span);
  root.found?.classList.remove("found");
  root.found = span;
  span.classList.add("found");
}

/**
 * One line a model; where a word was not scored, the line has a gap.
 * @param {any} root
 * @param {Data} data
 */
function lines(root, data) {
  const wide = (root.wide = root.clientWidth || 900);
  root.chart.setAttribute("viewBox", `0 0 ${wide} ${HIGH}`);
  root.chart.setAttribute("width", wide);
  root.chart.setAttribute("height", HIGH);
  const count = data.words.length;
  const highest = Math.max(4, ...data.lines.flatMap((line) => line.values.filter((value) => value !== null)));
  root.x = (at) => LEFT + ((at + 0.5) / Math.max(count, 1)) * (wide - LEFT);
  root.y = (bits) => TOP + (1 - bits / highest) * (HIGH - TOP - BOTTOM);
  const unit = highest > 40 ? 20 : highest > 16 ? 10 : 5;
  const parts = [];
  for (let bits = 0; bits <= highest; bits += unit) {
    parts.push(node("line", { x1: LEFT, x2: wide, y1: root.y(bits), y2: root.y(bits), class: "grid" }));
    parts.push(node("text", { x: LEFT - 8, y: root.y(bits) + 5, "text-anchor": "end" }, String(bits)));
  }
  data.lines.forEach((line, number) => {
    let path = "", pen = false;
    line.values.forEach((value, at) => {
      if (value !== null) path += `${pen ? "L" : "M"}${root.x(at).toFixed(1)},${root.y(value).toFixed(1)}`;
      pen = value !== null;
    });
    parts.push(node("path", { d: path, class: `line line-${number}` }));
  });
  parts.push(...words(root, data));
  root.cursor = node("line", { y1: TOP, y2: HIGH - BOTTOM, class: "cursor" });
  parts.push(root.cursor);
  root.chart.replaceChildren(...parts);
  root.chart.setAttribute("aria-label", data.lines.map((line) => `${line.name}: ${line.says}`).join("; "));
  root.names.replaceChildren(
    element("span", "unit", data.smoothed > 1 ? `bits per word, mean of ${data.smoothed}` : "bits per word"),
    ...data.lines.map((line, number) => {
      const name = element("span", "name");
      name.append(element("i", `sample line-${number}`), element("b", "", line.name), line.says);
      return name;
    }),
  );
}

/**
 * The words under the lines; where not all of them have room, those that surprised the most.
 * @param {any} root
 * @param {Data} data
 */
function words(root, data) {
  const [line] = data.lines;
  const order = [...data.words.keys()].sort((a, b) => (line.values[b] ?? -1) - (line.values[a] ?? -1));
  const shown = [];
  for (const at of order) {
    if (shown.every((other) => Math.abs(root.x(at) - root.x(other)) >= PITCH)) shown.push(at);
  }
  return shown.map((at) => {
    const letters = [...data.words[at][0]];
    const text = letters.length > LETTERS ? `${letters.slice(0, LETTERS - 1).join("")}…` : letters.join("");
    const [x, y] = [root.x(at) + 4, HIGH - BOTTOM + 14];
    return node("text", { x, y, class: "under", "text-anchor": "end", transform: `rotate(-50 ${x} ${y})` }, text);
  });
}

function point(root, at) {
  root.at = at;
  const { data } = root;
  root.cursor.classList.toggle("on", at >= 0);
  if (at < 0 || !data.words.length) return root.tip.hide();
  root.cursor.setAttribute("x1", root.x(at));
  root.cursor.setAttribute("x2", root.x(at));
  const lines = data.lines.map((line) => `${line.name} ${line.values[at] === null ? "not scored" : line.values[at].toFixed(1)}`);
  root.tip.show(root.cursor, `${data.words[at][0]}: ${lines.join(", ")}`);
}

export default connect(draw);
