// A text whose pieces are coloured; its most surprising words, which lead to their place; and a line for
// each model, word by word. Hover gives the numbers, in the text and on the lines alike.
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { element } from "../widgets/dom.js";
import { fillWindow, presents } from "../widgets/fill_window.js";
import { bringToMiddle } from "../widgets/into_view.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { fixed, grouped } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";

const HIGH = 178, TOP = 8, BOTTOM = 72, LEFT = 40, LEFT_OF_ODDS = 124; // below the lines stand the words
const LOWEST = 132; // px of the text in presenter mode, which gets what is free
const PITCH = 19; // px between two words
const LETTERS = 9; // of a word
const ranks = () => [["solid", t("first guess")], ["dashed", t("first 10")], ["dotted", t("first 100")], ["", t("a later guess")]];
const FULL_BITS = 16; // of the strongest shade

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
 * @property {boolean} [plain] for a class, which reads odds in place of bits
 * @property {boolean} [whole] the text is as high as it is long, and its end is in view
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data) {
  root.data = data;
  root.classList.toggle("whole", Boolean(data.whole));
  root.classList.toggle("presented", presents());
  const most = Math.max(1, ...data.top.map(([, bits]) => bits));
  render(html`
    <div class="upper">
      <div class="left">
        <div class="text" tabindex="0" role="group" aria-label=${t("The text, coloured")}></div>
        <div class="legend">${legend(data)}</div>
      </div>
      <div class="right">
        <dl class="numbers">${data.numbers.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>
        <div class="quiet">${t("Most surprising words")}<span class="bits">, ${t("in bits")}</span></div>
        <ol class="list" aria-label=${t("The most surprising words; press one to find it")}>${data.top.map(([word, bits, piece, tip]) => html`
          <li><button type="button" class="row" .tip=${tip} @click=${() => find(root, piece)}><span class="word">${word}</span><span
            class="track"><i style="width: ${(bits / most) * 100}%"></i></span><span class="bits">${fixed(bits, 1)}</span></button></li>`)}
        </ol>
      </div>
    </div>
    <div class="names"><span class="unit">${data.plain ? t("the chance that the model gave each word") : t("surprise of each word, in bits")}${data.smoothed > 1 ? `, ${t("mean of {count}", { count: data.smoothed })}` : nothing}</span>${data.lines.map((line, i) =>
      html`<span class="name"><i class="sample line-${i}"></i><b>${line.name}</b><span class="bits">${line.says}</span></span>`)}</div>
    ${chart(root, data)}
    <div class="quiet says">${data.says}</div>`, root);
  if (!root.text) build(root);
  const signature = JSON.stringify([data.pieces, data.shades]);
  if (root.signature !== signature) {
    root.signature = signature;
    paint(root, data);
  }
  fillWindow(root, (free) => {
    root.style.setProperty("--text", presents() ? `${LOWEST + free}px` : null);
    if (data.whole) root.text.scrollTop = root.text.scrollHeight;
  });
}

function build(root) {
  root.text = root.querySelector(".text");
  root.cursor = root.querySelector(".cursor");
  root.tip = tooltip(root, { of: ".text span, .list button", on: root.querySelector(".upper"), align: "left", gap: 4 });
  root.text.addEventListener("scroll", root.tip.hide);
  const chart = root.querySelector("svg");
  const follow = (event) => {
    const box = chart.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width * root.wide - root.left) / (root.wide - root.left);
    const at = Math.min(Math.max(Math.floor(share * root.data.words.length), 0), root.data.words.length - 1);
    point(root, at);
  };
  pointing(chart, follow, () => point(root, -1));
  chart.addEventListener("click", () => root.at >= 0 && find(root, root.data.words[root.at][1]));
  onWidth(root, () => draw(root, root.data, () => {}));
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
    const span = element("span", data.legend === "bands" ? mark : "", word || (line ? "↵" : before));
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
 * The probability that is worth so many bits, to two digits.
 * @param {number} bits
 */
function odds(bits) {
  return bits ? t("1 in {count}", { count: grouped(Number((2 ** bits).toPrecision(2))) }) : t("certain");
}

/** @param {Data} data */
function legend({ legend, shades, plain }) {
  if (legend === "bands") {
    return ranks().map(([mark, words], i) => {
      const [ground, ink] = shades[Math.round((1 - i / 3) * (shades.length - 1))];
      return html`<span class="chip ${mark}" style="background: ${ground}; color: ${ink}">${words}</span>`;
    });
  }
  // In steps, not as a gradient: pictures that are saved have none.
  const steps = shades.filter((_, i) => i % 3 === 0).map(([ground]) => html`<i style="background: ${ground}"></i>`);
  const surprise = plain ? [t("certain"), t("{odds} or less", { odds: odds(FULL_BITS) })] : [t("0 bits"), t("{bits} and more", { bits: FULL_BITS })];
  const [from, to] = legend === "probability" ? [t("probability 0"), "1"] : surprise;
  return html`<span>${from}</span><b class="ramp">${steps}</b><span>${to}</span>`;
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
function chart(root, data) {
  const wide = (root.wide = root.clientWidth || 900), left = (root.left = data.plain ? LEFT_OF_ODDS : LEFT);
  const highest = Math.max(4, ...data.lines.flatMap((line) => line.values.filter((value) => value !== null)));
  root.x = (at) => left + ((at + 0.5) / Math.max(data.words.length, 1)) * (wide - left);
  const y = (bits) => TOP + (1 - bits / highest) * (HIGH - TOP - BOTTOM);
  const unit = highest > 40 ? 20 : highest > 16 ? 10 : 5;
  const grid = Array.from({ length: Math.floor(highest / unit) + 1 }, (_, i) => i * unit);
  const path = ({ values }) => values
    .map((value, at) => (value === null ? "" : `${at && values[at - 1] !== null ? "L" : "M"}${root.x(at).toFixed(1)},${y(value).toFixed(1)}`))
    .join("");
  return html`
    <svg role="img" viewBox="0 0 ${wide} ${HIGH}" width=${wide} height=${HIGH}
      aria-label=${data.lines.map((line) => `${line.name}: ${line.says}`).join("; ")}>
      ${grid.map((bits) => svg`
        <line class="grid" x1=${left} x2=${wide} y1=${y(bits)} y2=${y(bits)} />
        <text x=${left - 8} y=${y(bits) + 5} text-anchor="end">${data.plain ? odds(bits) : bits}</text>`)}
      ${data.lines.map((line, i) => svg`<path class="line line-${i}" d=${path(line)} />`)}
      ${words(root, data)}
      <line class="cursor" y1=${TOP} y2=${HIGH - BOTTOM} />
    </svg>`;
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
    return svg`<text class="under" x=${x} y=${y} text-anchor="end" transform="rotate(-50 ${x} ${y})">${text}</text>`;
  });
}

function point(root, at) {
  root.at = at;
  const { data } = root;
  root.cursor.classList.toggle("on", at >= 0);
  if (at < 0 || !data.words.length) return root.tip.hide();
  root.cursor.setAttribute("x1", root.x(at));
  root.cursor.setAttribute("x2", root.x(at));
  const lines = data.lines.map((line) => line.values[at] === null ? t("{name} not scored", { name: line.name }) : `${line.name} ${fixed(line.values[at], 1)}`);
  root.tip.show(root.cursor, t("{label}: {text}", { label: data.words[at][0], text: lines.join(t(", ")) }));
}

export default connect(draw);
