// The bench: strips of bars in a row, one a step. A strip is dragged by its name, or moved by the arrow keys and
// by its buttons. Beside two steps stands what they do in the other order, which a press on its heading takes;
// below, the line from 0 to 1 on which the random number lands.
import { connect } from "../widgets/connect.js";
import { html, nothing, render } from "../widgets/lit.js";
import { perCent, percent } from "../widgets/numbers.js";
import { followPointer } from "../widgets/press.js";
import { along } from "../widgets/roving.js";
import { t } from "../widgets/translations.js";
import { onWidth } from "../widgets/width.js";

/**
 * @typedef {{ name: string, label: string, value: string, bars: number[], cut: number[], left: string }} Strip
 * @typedef {object} Data
 * @property {boolean} large on a stage, where its numbers are read from the back row
 * @property {string} text that is continued
 * @property {string[]} names of the tokens, a row each
 * @property {Strip[]} strips the model first, whose name is empty, and the steps that are on
 * @property {string[]} order of all steps
 * @property {{ name: string, label: string }[]} off the other steps
 * @property {string[][]} orders of two steps, as they stand and swapped, each with what is left; none of other steps
 * @property {Strip[]} swapped the strips of the second order
 * @property {number[]} counts of a hundred draws
 * @property {{ id: number, name: string, from: number, to: number, wide: boolean, hit: boolean }[]} ruler
 * @property {number} draw from 0 to 1
 * @property {string} hit the token on which it lands
 * @property {string} says
 * @property {{ tokens: string[], green: boolean[], left: number[], says: string } | null} written
 */

const MANY = 4; // steps on, with which a strip is narrow

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const written = data.written;
  if (!root.data) onWidth(root, () => draw(root, root.data, send));
  root.data = data;
  const steps = data.strips.slice(1).map(({ name }) => name);
  const move = (from, to) => {
    const [at, names] = [Math.min(Math.max(to, 0), steps.length - 1), [...steps]];
    if (at === from) return;
    names.splice(at, 0, ...names.splice(from, 1));
    root.moved = steps[from];
    send("order", data.order.map((name) => (steps.includes(name) ? names.shift() : name))); // the others stay where they are
  };
  const turn = (name) => send("on", data.order.filter((other) => steps.includes(other) !== (other === name)));
  const keys = (event, at) => {
    const by = along(event)?.[0];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation(); // the page around has arrow keys of its own
    move(at, at + by);
  };
  const most = Math.max(...[...data.strips, ...data.swapped].flatMap((strip) => strip.bars), 0.01);
  const cells = ({ bars, cut }) => data.names.map((name, row) => {
    const [bar, was] = [bars[row], cut[row] || 0];
    const says = was ? t("{token}: cut, had {share}", { token: name, share: perCent(was, 2) }) : `${name}: ${perCent(bar, 2)}`;
    return html`<div class="cell ${was ? "cut" : ""}" title=${says}>
      <i class="bar" style="--share: ${bar / most}"></i><i class="was" style="--share: ${was / most}" ?hidden=${!was}></i>
      <span class="number">${was ? t("cut") : bar ? share(bar) : ""}</span></div>`;
  });
  const step = (strip, at) => html`
    <div class="strip step" role="listitem" data-name=${strip.name}>
      <div class="top">
        <button type="button" class="grip" aria-label=${t("{step}, step {number} of {count}; arrow keys move it", { step: strip.label, number: at + 1, count: steps.length })}
          @pointerdown=${(event) => drag(root, event, at, move)} @keydown=${(event) => keys(event, at)}>${strip.label}</button>
        <label><input type="checkbox" .checked=${true} @change=${() => turn(strip.name)}
          aria-label=${t("{step} on", { step: strip.label })}>${strip.value}</label>
        <button type="button" class="move" ?disabled=${!at} aria-label=${t("{step} earlier", { step: strip.label })} @click=${() => move(at, at - 1)}>‹</button>
        <button type="button" class="move" ?disabled=${at === steps.length - 1} aria-label=${t("{step} later", { step: strip.label })}
          @click=${() => move(at, at + 1)}>›</button>
      </div>
      ${cells(strip)}
      <div class="foot">${strip.left}</div>
    </div>`;
  const names = html`<div class="strip names" role="listitem"><div class="top"></div>
    ${data.names.map((name) => html`<div class="cell token ${name === data.hit ? "hit" : ""}" translate="no">${name}</div>`)}</div>`;
  const swapped = (strip) => html`<div class="strip" role="listitem"><div class="top"><b>${strip.label}</b><span>${strip.value}</span></div>
    ${cells(strip)}<div class="foot">${strip.left}</div></div>`;
  const [stands, other] = data.orders.map(([steps, left]) => html`${steps} <b>${left}</b>`);
  render(html`
    <div class="above"><p class="text" dir="auto" translate="no">${data.text}</p>
      <details><summary>${t("More steps")}</summary>${data.off.map(({ name, label }) => html`
        <label><input type="checkbox" .checked=${false} @change=${() => turn(name)}>${label}</label>`)}</details></div>
    <div class="orders ${other ? "two" : ""} ${data.large && steps.length <= MANY ? "large" : ""}"><div class="stands">
    ${stands ? html`<p class="order">${stands}</p>` : nothing}<div class="rb-wide"><div class="bench ${steps.length > MANY ? "many" : ""}" role="list">
      ${names}<div class="strip" role="listitem"><div class="top"><b>${data.strips[0].label}</b></div>${cells(data.strips[0])}</div>
      ${data.strips.slice(1).map(step)}
      <div class="strip drawn" role="listitem"><div class="top"><b>${t("100 draws")}</b></div>
        ${data.counts.map((count) => html`<div class="cell"><i class="bar" style="--share: ${count / 100 / most}"></i>
          <span class="number">${count || ""}</span></div>`)}</div>
    </div></div></div>
    ${other ? html`<div class="swapped"><button type="button" class="order" title=${t("Take this order")} @click=${() => move(0, 1)}>${other}</button>
      <div class="rb-wide" tabindex="0"><div class="bench" role="list">${names}${data.swapped.map(swapped)}</div></div></div>` : nothing}</div>
    <div class="line" role="img" aria-label=${t("A line from 0 to 1. {says}", { says: data.says })}>
      ${data.ruler.map((part) => html`<span class="part ${part.hit ? "hit" : ""}" title=${part.name}
        style="left: ${percent(part.from)}; width: ${percent(part.to - part.from)}">${part.wide && (part.to - part.from) * root.clientWidth > 10 * part.name.length + 6 ? part.name : ""}</span>`)}
      <i class="pin" style="left: ${percent(data.draw)}"></i>
    </div>
    <div class="below"><span class="says">${data.says}</span>${written ? html`<span class="found">${written.says}</span>` : nothing}</div>
    ${written ? html`<p class="written" dir="auto" translate="no">${written.tokens.map((text, at) => token(written, text, at))}</p>` : nothing}`, root);
  if (root.moved) root.querySelector(`[data-name="${root.moved}"] .grip`)?.focus({ preventScroll: true });
  root.moved = "";
}

/** A token as it was written: its gauge is what the grammar left, and a green one is underlined. */
function token({ green, left }, text, at) {
  const gauge = at < left.length ? `--left: ${percent(left[at])}` : "";
  const says = [gauge && t("the grammar left {share}", { share: share(left[at]) }), green[at] && t("green")].filter(Boolean).join(", ");
  return html`<span class="${gauge ? "gauge" : ""} ${green[at] ? "green" : ""}" style=${gauge} title=${says || nothing}>${text}</span>`;
}

function share(value) {
  if (value >= 0.0995) return perCent(value);
  return value >= 0.001 ? perCent(value, 1) : `<${perCent(0.001, 1)}`;
}

/**
 * A strip follows the pointer, a finger too, and lands where its middle is.
 * @param {any} root
 * @param {any} event
 * @param {number} from
 * @param {(from: number, to: number) => void} move
 */
function drag(root, event, from, move) {
  if (event.button) return;
  const all = [...root.querySelectorAll(".step")];
  const [strip, start] = [all[from], event.clientX];
  const middles = all.map((one) => one.getBoundingClientRect()).map(({ left, width }) => left + width / 2);
  const place = (x) => {
    const middle = middles[from] + x - start;
    return middles.filter((one, at) => at !== from && one < middle).length;
  };
  const follow = (to) => {
    strip.classList.add("dragged");
    strip.style.translate = `${to.clientX - start}px`;
    const at = place(to.clientX);
    all.forEach((one, i) => one.classList.toggle("target", i === at && at !== from));
  };
  const drop = (to) => {
    strip.style.translate = "";
    for (const one of all) one.classList.remove("dragged", "target");
    if (to.type === "pointerup" && Math.abs(to.clientX - start) > 4) move(from, place(to.clientX));
  };
  followPointer(event, follow, drop);
}

export default connect(draw);
