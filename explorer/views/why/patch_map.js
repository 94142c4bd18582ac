// Layers down; across either the tokens of two prompts, or the heads of a layer: in each cell how much of the first
// answer that one state, or head, brings back. Beside states the same as two curves, at the word that differs and
// at the place of the answer. A click chooses a cell.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { isolated, setDirection } from "../widgets/direction.js";
import { html, nothing, render, svg } from "../widgets/lit.js";
import { byKey } from "../widgets/press.js";
import { t } from "../widgets/translations.js";
import { walkCells } from "../widgets/walk_with_tips.js";

const ASK_AGAIN_MS = 3000;
const OVER = 1.05; // a state that brings back more than all of the answer
const ROOM = 300; // px for the rows
const [LOWEST, HIGHEST] = [-0.25, 1.25]; // of the curves

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ first: string, second: string, differs: boolean }[]} tokens none where heads stand across
 * @property {string[]} columns what each column is called
 * @property {{ word: string, probability: string }[]} answers after the first prompt, and after the second
 * @property {(number | null)[][]} share layers, columns; null where it is not known yet
 * @property {number[]} exact the layers that are not estimated
 * @property {number[] | null} chosen layer, column
 * @property {{ token: number, name: string }[]} lines
 * @property {boolean} plain whether a class reads it: layers and heads have no codes
 * @property {boolean} noise whether the second prompt is the first one, disturbed
 * @property {number} total layers
 * @property {number} run
 * @property {number} count
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const [all, none] = data.answers.length ? data.answers.map(({ word }) => word) : [t("all of it"), t("nothing")];
  const cell = Math.min(24, Math.max(9, Math.floor(ROOM / data.total) - 1));
  render(html`
    <div class="rb-wide">
      <div class="map ${data.tokens.length ? "" : "parts"}" style="--cell: ${cell}px; --columns: ${data.columns.length}; --name: ${data.plain ? 70 : 44}px">
        ${data.tokens.length ? [prompt(data, "first", data.answers[0]), prompt(data, "second", data.answers[1])] : names(data)}
        <div class="below">
          <div class="grid" role="grid" aria-busy=${data.run > 0} aria-label=${data.label}>
            ${data.share.map((row, layer) => drawRow(data, row, layer, send))}
          </div>
          ${data.lines.length ? curves(data, cell + 1) : nothing}
        </div>
        <div class="scale" dir="ltr" aria-hidden="true">
          <span>${none}</span><span class="bar"></span><span>${all}</span>
          ${data.lines.map(({ name }, i) => html`<span class="k${i}">${t("at “{token}”", { token: name })}</span>`)}
        </div>
      </div>
    </div>`, root);
  setDirection(root.querySelector(".rb-wide"), data.tokens.map(({ first }) => first));
  walkCells(root, data.columns.length);
  root.asker ??= asker(root);
  if (data.run && data.count < data.total) {
    root.asker.ask(`${data.run}:${data.count}`, () => send("more", { run: data.run, count: data.count }), { again: ASK_AGAIN_MS });
  }
}

const names = (/** @type {Data} */ { columns, plain }) =>
  html`<div class="row heading" aria-hidden="true"><span class="name">${plain ? t("head") : ""}</span>${columns.map((name) => html`<span>${name}</span>`)}</div>`;

/**
 * @param {Data} data
 * @param {"first" | "second"} which
 * @param {{ word: string, probability: string }} answer
 */
function prompt({ tokens, noise }, which, answer) {
  const disturbed = noise && which === "second";
  const word = (/** @type {Data["tokens"][number]} */ token) =>
    html`<span class="token ${token.differs ? "differs" : ""} ${disturbed && token.differs ? "disturbed" : ""}">${token[which]}</span>`;
  return html`
    <div class="row prompt"><span class="name"></span>${tokens.map(word)}
      <span class="answer"><b>${answer.word}</b> ${answer.probability}</span></div>`;
}

/**
 * @param {Data} data
 * @param {(number | null)[]} row
 * @param {number} layer
 * @param {import("../widgets/connect.js").Send} send
 */
function drawRow({ tokens, columns, exact, chosen, total, plain }, row, layer, send) {
  const known = exact.includes(layer);
  const named = total <= 12 || (layer + 1) % 3 === 0 || layer === 0;
  const cells = row.map((share, column) => {
    const place = tokens.length ? t("layer {number}, {token}", { number: layer + 1, token: isolated(columns[column]) }) : `L${layer + 1} ${columns[column]}`;
    const number = share === null ? t("not computed yet") : share.toFixed(2).replace("-", "−").replace(".", t("."));
    const tip = known || share === null ? t("{place}: {number}", { place, number }) : t("{place}: {number}, estimated", { place, number });
    const on = chosen?.[0] === layer && chosen[1] === column;
    const look = `cell ${known ? "" : "estimated"} ${on ? "chosen" : ""} ${share !== null && share > OVER ? "over" : ""}`;
    return html`<div class=${look} role="gridcell" tabindex="-1" aria-label=${tip} aria-selected=${on} .tip=${tip}
      @click=${() => send("pick", { layer, column })} @keydown=${(event) => byKey(event, () => send("pick", { layer, column }))}
      ><span style="background: ${colour(share ?? 0)}"></span></div>`;
  });
  return html`<div class="row" role="row"><span class="name ${named ? "" : "between"}" role="rowheader">${plain ? t("layer {number}", { number: layer + 1 }) : `L${layer + 1}`}</span>${cells}</div>`;
}

function colour(share) {
  const strong = share < 0 ? "--rb-difference-0" : "--rb-difference-2";
  return `color-mix(in srgb, var(${strong}) ${Math.round(Math.min(Math.abs(share), 1) * 100)}%, var(--rb-panel))`;
}

// The shares at two places as lines, on the height of the rows.
function curves({ lines, share }, step) {
  const [wide, high] = [150, share.length * step];
  const x = (value) => ((Math.min(Math.max(value, LOWEST), HIGHEST) - LOWEST) / (HIGHEST - LOWEST)) * wide;
  const y = (layer) => (layer + 0.5) * step;
  const path = (token) => share.map((row, layer) => `${layer ? "L" : "M"}${x(row[token] ?? 0).toFixed(1)} ${y(layer).toFixed(1)}`).join("");
  return html`
    <div class="curves">
      <svg width=${wide} height=${high} viewBox="0 0 ${wide} ${high}" role="img"
        aria-label=${lines.length > 1 ? t("The share by layer at “{one}” and at “{other}”", { one: lines[0].name, other: lines[1].name }) : t("The share by layer at “{one}”", { one: lines[0].name })}>
        ${[0, 1].map((value) => svg`<line class="tick" x1=${x(value)} x2=${x(value)} y1="0" y2=${high} />`)}
        ${lines.map(({ token }, i) => svg`<path class="line l${i}" d=${path(token)} />`)}
      </svg>
    </div>`;
}

export default connect(draw);
