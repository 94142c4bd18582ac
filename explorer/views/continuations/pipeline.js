// From logits to choice: a row a token, a column a stage. Rows are updated in place, so that bars ease
// from one setting to the next; what is cut stays, hollow. Below, the line from 0 to 1 with the number drawn.
import { connect } from "../widgets/connect.js";
import { element, partOf } from "../widgets/dom.js";
import { html, nothing, render } from "../widgets/lit.js";
import { fixed, percent } from "../widgets/numbers.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";

const LETTER_PX = 9.6; // of the code font at 16 px

/**
 * @typedef {object} Data
 * @property {{
 *   id: number, rank: string, token: string, tip: string, number: string, state: string, cut: unknown, covered: boolean,
 *   branch: string, logit: { bar: number, number: string }, scaled: { bar: number, number: string },
 *   after_temperature: number, chance: number,
 *   }[]} rows
 * @property {{ token: string, chance: number, after_temperature: number, number: string }} rest all other tokens together
 * @property {{ id: number, name: string, from: number, to: number, wide: boolean, hit: boolean }[]} ruler
 * @property {string[]} headings
 * @property {string} title
 * @property {string} which
 * @property {string} says
 * @property {number | null} instead the token on which the draw falls, where another one was taken
 * @property {number | null} draw from 0 to 1
 * @property {boolean} plain whether chances alone are shown
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  root.data = data;
  root.classList.toggle("plain", data.plain);
  const row = (one) => {
    const { id, rank, token, tip, state, cut, covered, branch } = one;
    const leads = branch && state !== "taken";
    const told = `${token.trim()}: ${tip}`; // a long token is cut in its row
    const look = `row ${state} ${cut ? "cut" : ""} ${covered ? "covered" : ""}`;
    return html`
      <button type="button" class=${look} aria-pressed=${state === "taken"} .tip=${told}
        aria-label=${leads ? t("{row}, leads to {branch}", { row: `${rank} ${token}, ${tip}`, branch }) : `${rank} ${token}, ${tip}`}
        @click=${() => covered || state === "taken" || send("pick", id)}>${cells(one, leads)}</button>`;
  };
  const nowhere = { bar: 0, number: "" };
  render(html`
    <div class="head"><b class="title">${data.title}</b><span class="which">${data.which}</span></div>
    <div class="columns">${data.headings.map((text) => html`<span>${text}</span>`)}</div>
    <div class="list" role="group" aria-label=${t("Candidates of this step, from logit to chance; press one to take it")}>
      ${data.rows.map(row)}
    </div>
    <div class="row others">${cells({ ...data.rest, rank: "", logit: nowhere, scaled: nowhere, cut: false })}</div>
    <div class="foot">
      <div class="line" role="img" @click=${(event) => {
        const part = partOf(event, ".part");
        if (part) send("pick", part.token);
      }}></div>
      <span class="says">${data.says}</span>
      <button type="button" class="take" data-needs="model" title=${t("Take the token on which the number falls")} data-save="no"
        ?hidden=${data.instead === null} @click=${() => send("pick", data.instead)}>${t("Branch")}</button>
    </div>`, root);
  if (!root.tip) build(root);
  ruler(root, data);
}

function build(root) {
  root.tip = tooltip(root, { of: ".row, .part" });
  root.line = root.querySelector(".line");
  root.pin = element("i", "pin");
  root.line.append(root.pin);
  new ResizeObserver(() => ruler(root, root.data)).observe(root.line);
  const list = root.querySelector(".list");
  roving(list, () => [...list.children], { axis: "down" });
}

// A token at each stage: its logit, the logit over the temperature, and its chance after that, before and after the cut.
function cells({ rank, token, logit, scaled, cut, chance, after_temperature: after, number }, leads = false) {
  const stage = (name, bar, words, /** @type {any} */ hollow = nothing) => html`
    <span class="track ${name}"><span class="bar" style="width: ${percent(bar)}"></span>${hollow}</span>
    <span class="number">${words}</span>`;
  return html`
    <span class="rank">${rank}</span>
    <span class="token ${leads ? "forked" : ""}">${token}</span>
    ${stage("logit", logit.bar, logit.number)}
    ${stage("scaled", scaled.bar, scaled.number)}
    ${stage("chance", cut ? 0 : chance, number, html`<span class="hollow" style="width: ${percent(after)}"></span>`)}`;
}

/**
 * Parts keep their element by token, so that they glide when a setting moves.
 * @param {any} root
 * @param {Data} data
 */
function ruler(root, data) {
  const { line, pin } = root;
  const old = new Map([...line.querySelectorAll(".part")].map((part) => [part.token, part]));
  for (const part of data.ruler) {
    const span = old.get(part.id) || element("span", "part");
    old.delete(part.id);
    span.token = part.id;
    span.textContent = part.wide && LETTER_PX * (part.name.length + 0.5) <= (part.to - part.from) * line.clientWidth ? part.name : "";
    span.tip = t("{token}: from {from} to {to}", { token: part.name, from: fixed(part.from, 4), to: fixed(part.to, 4) });
    span.classList.toggle("hit", part.hit);
    span.style.left = percent(part.from);
    span.style.width = percent(part.to - part.from);
    if (!span.isConnected) line.insertBefore(span, pin);
  }
  for (const part of old.values()) part.remove();
  pin.hidden = data.draw === null;
  pin.style.left = percent(data.draw ?? 0);
  line.setAttribute("aria-label", t("The draw, on a line from 0 to 1. {says}", { says: data.says }));
}

export default connect(draw);
