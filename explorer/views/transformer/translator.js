// A sentence above, its translation below; on a phone, beside each other. A token that is pointed at, or chosen,
// shows what was read for it: bars under the tokens, lines between the two, the candidates of its step at the side.
import { connect } from "../widgets/connect.js";
import { isolated, layOut, setDirection } from "../widgets/direction.js";
import { add, button, byKeyboard, element, partOf, resize } from "../widgets/dom.js";
import { announce, announceChanges } from "../widgets/live.js";
import { calm } from "../widgets/motion.js";
import { percent } from "../widgets/numbers.js";
import { player } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { isNarrow, onWidth } from "../widgets/width.js";
import { drawLines } from "./translator_lines.js";
import { drawMap } from "./translator_map.js";

const FRENCH = "fr"; // the language of the texts on its side
const NUMBER = 0.05; // a share that is worth its number
const [STEP_MS, LIVE_MS] = [700, 300]; // for each token: when asked to show it, and as one types

/**
 * @typedef {{ text: string, name: string, quiet: boolean, unsure?: boolean }} Token
 * @typedef {object} Data
 * @property {"words" | "map" | "beams"} part
 * @property {Token[]} source
 * @property {Token[]} written
 * @property {{ text: string, probability: number }[][]} candidates of each step
 * @property {{ probability: number, rank: number }[]} ranks of the written tokens
 * @property {number[][]} cross [written, source]: what a step read of the source
 * @property {number[][]} own [written, before]: of the start and the tokens before
 * @property {number[][]} encoder [source, source]
 * @property {string} selection which layer and head
 * @property {string} english what was typed
 * @property {string} text the translation
 * @property {string} score of the translation, in words
 * @property {number} chosen a written token, or -1
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  if (!root.stage) build(root);
  const fresh = root.data?.text !== data.text;
  const typed = root.data && root.data.english !== data.english;
  if (fresh && root.data) announce(data.text, root, FRENCH);
  root.data = data;
  root.send = send;
  if (fresh) root.shown = data.written.length - 1;
  root.lock = data.chosen >= 0 ? { side: "target", at: data.chosen } : root.lock?.side === "source" && !fresh ? root.lock : null;
  root.point = null;
  chips(root.english, data.source, 0);
  chips(root.french, [{ text: "start", name: "the start", quiet: true }, ...data.written], 1);
  fit(root);
  if (typed && data.chosen < 0 && !calm()) return again(root, LIVE_MS);
  show(root);
}

function build(root) {
  const board = add(root, "div", "board");
  root.stage = add(board, "div", "stage");
  root.panel = add(board, "div", "panel");
  root.svg = node("svg", { class: "lines", "aria-hidden": "true" });
  root.englishSide = add(root.stage, "p", "side english-side", "English, as the encoder reads it");
  root.english = add(root.stage, "div", "row english");
  root.between = add(root.stage, "div", "between");
  root.map = add(root.stage, "div", "map rb-wide");
  root.french = add(root.stage, "div", "row french");
  root.french.lang = FRENCH;
  root.frenchSide = add(root.stage, "p", "side french-side", "French, as the decoder writes it");
  root.stage.prepend(root.svg);
  root.heading = add(root.panel, "h3");
  root.note = add(root.panel, "p", "quiet");
  root.list = add(root.panel, "div");
  root.read = add(root.panel, "p", "quiet");
  const foot = add(root, "div", "foot");
  foot.dataset.save = "no";
  root.play = player({
    root,
    at: () => root.shown,
    last: () => root.data.written.length - 1,
    ms: () => root.pace,
    go: (to) => {
      root.shown = to;
      root.lock = { side: "target", at: to };
      show(root);
      if (to < root.data.written.length - 1) return;
      if (root.data.chosen >= 0) return choose(root, null);
      root.lock = null;
      show(root);
    },
    stopped: () => show(root),
  });
  foot.append(button("turn", "Token by token", () => again(root, STEP_MS)));
  root.says = add(foot, "span", "says");
  announceChanges(root.says);
  for (const [label, row] of [["English tokens", root.english], ["French tokens", root.french], ["Map", root.map]]) {
    row.setAttribute("role", "group");
    row.setAttribute("aria-label", label);
    const token = (event) => {
      const chip = partOf(event, ".chip, .part");
      return chip && chip.at >= 0 ? { side: chip.side, at: chip.at } : null;
    };
    pointing(row, (event) => point(root, token(event)), () => point(root, null), "pointerover");
    row.addEventListener("focusin", (event) => byKeyboard(event) && point(root, token(event)));
    row.addEventListener("focusout", () => point(root, null));
    row.addEventListener("click", (event) => {
      const clicked = token(event);
      if (!clicked) return;
      root.play.stop();
      root.shown = root.data.written.length - 1;
      const same = root.lock?.side === clicked.side && root.lock?.at === clicked.at;
      choose(root, same ? null : clicked);
    });
    const parts = () => [...row.children].filter((chip) => chip.at >= 0 && chip.tagName === "BUTTON");
    roving(row, parts, { axis: row === root.map ? "both" : "across" });
  }
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !root.lock) return;
    event.stopPropagation();
    choose(root, null);
  });
  onWidth(root, () => root.data && fit(root));
  new ResizeObserver(() => root.data && requestAnimationFrame(() => drawLines(root))).observe(root.stage);
}

function again(root, pace) {
  root.play.stop();
  if (calm()) {
    choose(root, { side: "target", at: 0 });
    return;
  }
  root.pace = pace;
  root.shown = -1;
  root.play.play();
}

function choose(root, lock) {
  root.lock = lock;
  root.point = null;
  show(root);
  root.send("choose", lock?.side === "target" ? lock.at : -1);
}

function point(root, token) {
  if (root.point?.side === token?.side && root.point?.at === token?.at) return;
  root.point = token;
  show(root);
}

/**
 * @param {any} row
 * @param {Token[]} tokens
 * @param {number} before how many of them are no tokens of the sentence
 */
function chips(row, tokens, before) {
  const words = resize(row, tokens.length, () => {
    const chip = button("chip");
    chip.word = add(chip, "span", "text");
    chip.fill = add(add(chip, "span", "track"), "span", "fill");
    chip.share = add(chip, "span", "share");
    return chip;
  });
  words.forEach((chip, i) => {
    chip.at = i - before;
    chip.side = before ? "target" : "source";
    chip.word.textContent = tokens[i].text;
    chip.name = tokens[i].name;
    chip.classList.toggle("quiet", tokens[i].quiet);
    chip.classList.toggle("unsure", Boolean(tokens[i].unsure));
    chip.tabIndex = i === before ? 0 : -1;
    chip.disabled = chip.at < 0;
  });
  layOut(row, words.slice(before).map(({ word }) => word));
}

// Long sentences get smaller letters before they take a second line.
function fit(root) {
  const { source, written } = root.data;
  root.upright = root.data.part === "words" && isNarrow(root);
  root.classList.toggle("upright", root.upright);
  const letters = Math.max(...[source, written].map((row) => row.reduce((sum, token) => sum + token.text.length + 2.2, 4)));
  const room = root.stage.clientWidth || 760;
  root.style.setProperty("--size", `${Math.max(16, Math.min(30, room / letters / 0.6))}px`);
}

function show(root) {
  const { data } = root;
  const now = root.point ?? root.lock;
  const source = now?.side === "target" ? data.cross[now.at] : now ? data.encoder[now.at] : [];
  const own = now?.side === "target" ? data.own[now.at] : [];
  const toFrench = now?.side === "source" ? [0, ...data.cross.map((row) => row[now.at])] : own;
  shares(root.english, source, now?.side === "source" ? now.at : -1, root.lock?.side === "source" ? root.lock.at : -1);
  shares(root.french, toFrench, now?.side === "target" ? now.at : -1, root.lock?.side === "target" ? root.lock.at : -1);
  for (const chip of root.french.children) chip.classList.toggle("later", chip.at > root.shown);
  root.classList.toggle("beams", data.part === "beams");
  const toggle = (part, yes) => (part.style.display = yes ? "" : "none");
  for (const part of [root.svg, root.between, root.english, root.englishSide]) toggle(part, data.part === "words");
  for (const part of [root.french, root.frenchSide]) toggle(part, data.part !== "map");
  toggle(root.map, data.part === "map");
  root.says.textContent = data.part === "beams" ? `${data.score}. Attention: ${data.selection}.` : `Attention: ${data.selection}.`;
  if (data.part === "map") root.says.textContent += ` Largest share: ${Math.round(100 * drawMap(root.map, data, now))}%.`;
  panel(root, now);
  drawLines(root);
}

function shares(row, values, on, locked) {
  for (const [i, chip] of [...row.children].entries()) {
    const value = values[i] ?? 0;
    chip.fill.style.width = percent(value);
    chip.share.textContent = value >= NUMBER ? `${Math.round(100 * value)}%` : "";
    chip.classList.toggle("on", chip.at >= 0 && chip.at === on);
    chip.setAttribute("aria-pressed", String(chip.at >= 0 && chip.at === locked));
    chip.setAttribute("aria-label", values.length && value >= NUMBER ? `${chip.name}, ${chip.share.textContent}` : chip.name);
  }
}

function panel(root, now) {
  const { data } = root;
  const step = now?.side === "target" ? now.at : -1;
  const mostly = (values, tokens) =>
    values
      .map((value, i) => [value, isolated(tokens[i]?.name ?? "")])
      .sort((a, b) => b[0] - a[0])
      .slice(0, 2)
      .map(([value, name]) => `${name} ${Math.round(100 * value)}%`)
      .join(", ");
  if (step < 0) {
    root.heading.textContent = now ? `Encoder: “${data.source[now.at].text}”` : data.text;
    setDirection(root.heading, now ? "" : data.text);
    root.heading.lang = now ? "en" : FRENCH;
    root.note.textContent = now ? `Its vector read ${mostly(data.encoder[now.at], data.source)}.` : "";
    root.list.replaceChildren();
    root.read.textContent = now ? "" : "Point at a token to see what was read for it.";
    return;
  }
  root.heading.textContent = `Step ${step + 1}: “${data.written[step].text}”`;
  root.heading.dir = "ltr";
  root.heading.lang = "en";
  const { rank, probability } = data.ranks[step];
  root.note.textContent = rank === 1 ? "The likeliest token came next." : `Only ${ordinal(rank)} by itself (${share(probability)}): the whole text scored better.`;
  resize(root.list, data.candidates[step].length, () => {
    const row = element("div", "candidate");
    row.word = add(row, "span", "word");
    row.word.lang = FRENCH;
    row.bar = add(add(row, "span", "track"), "div", "bar");
    row.number = add(row, "span", "number");
    return row;
  }).forEach((row, i) => {
    const candidate = data.candidates[step][i];
    row.word.textContent = candidate.text;
    row.bar.style.width = percent(candidate.probability);
    row.number.textContent = share(candidate.probability);
    row.classList.toggle("taken", i === rank - 1);
  });
  root.read.textContent = `Read of the English: ${mostly(data.cross[step], data.source)}.`;
}

function ordinal(rank) {
  return { 2: "second", 3: "third" }[rank] ?? `number ${rank}`;
}

function share(value) {
  return value < 0.001 ? "<0.1%" : `${(100 * value).toFixed(1)}%`;
}

export default connect(draw);
