// A sentence above, its translation below; on a phone, beside each other. A token that is pointed at, or chosen,
// shows what was read for it: bars under the tokens, lines between the two, the candidates of its step at the side.

import { mixed, palette } from "../widgets/colours.js";
import { connect } from "../widgets/connect.js";
import { isolated, layOut, setDirection } from "../widgets/direction.js";
import { byKeyboard, partOf, zoomOf } from "../widgets/dom.js";
import { presents } from "../widgets/fill_window.js";
import { html, nothing, render } from "../widgets/lit.js";
import { announce, announceChanges } from "../widgets/live.js";
import { calm } from "../widgets/motion.js";
import { perCent, percent } from "../widgets/numbers.js";
import { player } from "../widgets/player.js";
import { pointing } from "../widgets/pointing.js";
import { roving } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { t } from "../widgets/translations.js";
import { isNarrow, onWidth } from "../widgets/width.js";

// The whole sentence at once: a row for each French token, a column for each English one, as dark as it was read.
// The largest share of all has the full colour, or the mean of many heads would be too pale to see.

const ROOM = 260; // px for all rows

/**
 * @param {any} root
 * @param {import("./translator.js").Data} data
 * @param {{ side: string, at: number } | null} now the token that is pointed at, or chosen
 * @returns {number} the largest share
 */
function drawMap(root, data, now) {
  const [columns, rows] = [data.source.length, data.written.length];
  const [ground, full] = ["attention-0", "attention-1"].map((name) => palette(root, name));
  root.style.gridTemplateColumns = `max-content repeat(${columns}, minmax(16px, 48px))`;
  root.style.gridTemplateRows = `max-content repeat(${rows}, ${Math.max(18, Math.min(28, ROOM / rows))}px)`;
  const largest = Math.max(...data.cross.flat());
  const on = (side, at) => now?.side === side && now?.at === at;
  const label = (look, side, token, at, stop) => html`
    <button type="button" class="part ${look} ${on(side, at) ? "on" : ""}" tabindex=${stop ? 0 : -1} .side=${side} .at=${at}>${token.text}</button>`;
  const cell = (value, row, column) => html`
    <span class="part cell ${on("target", row) || on("source", column) ? "on" : ""}" style="background: ${mixed(ground, full, value / largest)}"
      title=${t("“{reader}” read “{read}”: {percent}", { reader: data.written[row].name, read: data.source[column].name, percent: perCent(value, 1) })} .side=${"target"} .at=${row}></span>`;
  render(html`
    <span></span>${data.source.map((token, column) => label("across", "source", token, column, false))}
    ${data.written.map((token, row) => html`
      ${label("down", "target", token, row, row === 0)}${data.cross[row].map((value, column) => cell(value, row, column))}`)}`, root);
  return largest;
}

// The lines between a sentence and its translation: what each token read most, or all that one token read.

const FAINT = 0.03; // a share that is worth a line

/** @param {any} root see translator.js */
function drawLines(root) {
  const { data, svg } = root;
  if (data.part !== "words") return;
  const now = root.point ?? root.lock;
  const [home, zoom] = [root.stage.getBoundingClientRect(), zoomOf(root)];
  const edge = (row, at, across, down) => {
    const chip = row.children[at];
    const box = (root.upright ? chip.text : chip).getBoundingClientRect();
    return [(box.left + across * box.width - home.left) / zoom, (box.top + down * box.height - home.top) / zoom];
  };
  const [leaves, reaches] = root.upright ? [[1, 0.5], [0, 0.5]] : [[0.5, 1], [0.5, 0]]; // parts of the width and height
  const pairs = [];
  data.cross.forEach((row, t) => {
    if (t > root.shown) return;
    row.forEach((value, s) => {
      const on = now && (now.side === "target" ? now.at === t : now.at === s);
      const strongest = value === Math.max(...row);
      if (on ? value >= FAINT : !now && strongest) pairs.push([s, t, value, on]);
    });
  });
  svg.replaceChildren(
    ...pairs.map(([s, t, value, on]) => {
      const [from, to] = [edge(root.english, s, ...leaves), edge(root.french, t + 1, ...reaches)];
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      const bend = root.upright ? `${x},${from[1]} ${x},${to[1]}` : `${from[0]},${y} ${to[0]},${y}`;
      return node("path", {
        d: `M${from}C${bend} ${to}`,
        "stroke-width": on ? 2 + 10 * value : 3,
        opacity: on ? 0.45 + 0.55 * value : 0.8,
      });
    }),
  );
}

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
  chips(root.english, data.source, "source", 0);
  chips(root.french, [{ text: t("start"), name: t("the start"), quiet: true }, ...data.written], "target", 1);
  fit(root);
  if (typed && data.chosen < 0 && !calm()) return again(root, LIVE_MS);
  show(root);
}

function build(root) {
  render(html`
    <div class="board">
      <div class="stage">
        <svg class="lines" aria-hidden="true"></svg>
        <p class="side english-side">${t("English, as the encoder reads it")}</p>
        <div class="row english" role="group" aria-label=${t("English tokens")}></div>
        <div class="between"></div>
        <div class="map rb-wide" role="group" aria-label=${t("Map")}></div>
        <div class="row french" role="group" aria-label=${t("French tokens")} lang=${FRENCH}></div>
        <p class="side french-side">${t("French, as the decoder writes it")}</p>
      </div>
      <div class="panel"></div>
    </div>
    <div class="foot" data-save="no">
      <button type="button" class="control" @click=${() => again(root, STEP_MS)}>${t("Token by token")}</button><span class="says"></span>
    </div>`, root);
  for (const part of ["stage", "panel", "english", "between", "map", "french", "says"]) root[part] = root.querySelector(`.${part}`);
  [root.svg, root.englishSide, root.frenchSide] = [".lines", ".english-side", ".french-side"].map((part) => root.querySelector(part));
  announceChanges(root.says);
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
  for (const row of [root.english, root.french, root.map]) {
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
  document.fonts.addEventListener("loadingdone", () => root.isConnected && drawLines(root)); // words take other widths
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
 * @param {string} side
 * @param {number} before how many of them are no tokens of the sentence
 */
function chips(row, tokens, side, before) {
  render(tokens.map((token, i) => html`
    <button type="button" class="chip ${token.quiet ? "quiet" : ""} ${token.unsure ? "unsure" : ""}" tabindex=${i === before ? 0 : -1}
      ?disabled=${i < before} .at=${i - before} .side=${side} .name=${token.name}><span class="text">${token.text}</span><span
      class="track"><span class="fill"></span></span><span class="share"></span></button>`), row);
  for (const chip of row.children) for (const part of ["text", "fill", "share"]) chip[part] = chip.querySelector(`.${part}`);
  layOut(row, [...row.children].slice(before).map(({ text }) => text));
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
  const lines = [t("Attention: {selection}.", { selection: data.selection })];
  if (data.part === "beams") lines.unshift(t("{score}.", { score: data.score }));
  if (data.part === "map") lines.push(t("Largest share: {percent}.", { percent: perCent(drawMap(root.map, data, now)) }));
  root.says.textContent = lines.join(" ");
  panel(root, now);
  drawLines(root);
}

function shares(row, values, on, locked) {
  for (const [i, chip] of [...row.children].entries()) {
    const value = values[i] ?? 0;
    chip.fill.style.width = percent(value);
    chip.share.textContent = value >= NUMBER ? perCent(value) : "";
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
      .map(([value, name]) => `${name} ${perCent(value)}`)
      .join(t(", "));
  if (step < 0) {
    const read = now ? t("Its vector read {tokens}.", { tokens: mostly(data.encoder[now.at], data.source) }) : "";
    render(html`
      <h3 lang=${now ? nothing : FRENCH}>${now ? t("Encoder: “{token}”", { token: data.source[now.at].text }) : data.text}</h3>
      <p class="quiet">${read}</p><p class="quiet">${now || presents() ? "" : t("Point at a token to see what was read for it.")}</p>`, root.panel);
    return setDirection(root.panel.firstElementChild, now ? "" : data.text);
  }
  const { rank, probability } = data.ranks[step];
  render(html`
    <h3 dir="ltr">${t("Step {n}: “{token}”", { n: step + 1, token: data.written[step].text })}</h3>
    <p class="quiet">${ranked(rank, share(probability))}</p>
    <div>${data.candidates[step].map((candidate, i) => html`
      <div class="candidate ${i === rank - 1 ? "taken" : ""}"><span class="word" lang=${FRENCH}>${candidate.text}</span><span
        class="track"><div class="bar" style="width: ${percent(candidate.probability)}"></div></span><span
        class="number">${share(candidate.probability)}</span></div>`)}
    </div>
    <p class="quiet">${t("Read of the English: {tokens}.", { tokens: mostly(data.cross[step], data.source) })}</p>`, root.panel);
}

function ranked(rank, percent) {
  if (rank === 1) return t("The likeliest token came next.");
  if (rank === 2) return t("Only second by itself ({percent}): the whole text scored better.", { percent });
  if (rank === 3) return t("Only third by itself ({percent}): the whole text scored better.", { percent });
  return t("Only number {rank} by itself ({percent}): the whole text scored better.", { rank, percent });
}

function share(value) {
  return value < 0.001 ? `<${perCent(0.001, 1)}` : perCent(value, 1);
}

export default connect(draw);
