// Two triangles of cells, a row for each step: without the cache all cells of a row are computed, with it the last
// one. The server writes only when this asks, so both grow as the text does; steps that have come are played again.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { takeFreeKeys } from "../widgets/free_keys.js";
import { html, nothing, render } from "../widgets/lit.js";
import { fixed, grouped, percent } from "../widgets/numbers.js";
import { stepButtons, stepper } from "../widgets/player.js";
import { t } from "../widgets/translations.js";
import { walkParts } from "../widgets/walk_with_tips.js";

const PLAY_MS = 150;
const ASK_AGAIN_MS = 4000;
const WIDEST = 120; // columns that are drawn as single cells

/**
 * @typedef {object} Data
 * @property {number} run
 * @property {number} count steps so far
 * @property {number} total steps that there will be
 * @property {string} prompt
 * @property {string[]} tokens that were written
 * @property {number[][]} cells of each step: computed with the cache, looked up, computed without
 * @property {number[][]} seconds of each step, with the cache and without
 * @property {number} differs the first step at which the two texts differ, or -1
 * @property {number} cell bytes of a cell
 * @property {[string, number][]} weights the bytes of all weights, by how they are read
 * @property {boolean} plain whether a class reads it
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  const view = (root.view ??= build(root));
  const other = view.data?.run !== data.run;
  const newest = other || view.steps.place.value >= view.data.count - 1; // what is written is followed
  view.data = data;
  if (newest) view.steps.answer(data.count - 1, () => {}, true);
  if (other) view.asker.stop();
  show(view);
  if (data.count < data.total) view.asker.ask(`${data.run}:${data.count}`, () => send("more", { run: data.run, count: data.count }), { again: ASK_AGAIN_MS });
}

function build(root) {
  const view = { root, asker: asker(root) };
  view.steps = stepper({ root, label: t("Step"), last: () => view.data.count - 1, ms: () => PLAY_MS, show: () => show(view) });
  takeFreeKeys(root, (by) => view.steps.go(view.steps.place.value + by));
  return view;
}

function show(view) {
  const { data, root, steps } = view;
  const step = steps.place.value;
  const where = t("token {number} of {count}", { number: step + 1, count: data.total });
  steps.mark(where);
  const held = data.cells[step][2];
  const bytes = [...data.weights, [t("cache of {count} tokens", { count: held }), held * data.cell]];
  const most = Math.max(...bytes.map(([, value]) => Number(value)));
  render(html`
    <p class="text" dir="auto" translate="no" tabindex="0"><span>${data.prompt}</span>${data.tokens.slice(0, step + 1).join("")}</p>
    <div class="bar" data-save="no">${stepButtons(steps, t("token"), t("Play"), "main")}<span class="where">${where}</span></div>
    <div class="lanes">
      ${lane(view, "without", t("Without the cache"), data.cells.map((cells) => [0, cells[2]]), 1)}
      ${lane(view, "with", t("With the cache"), data.cells.map(([computed, looked]) => [looked, computed]), 0)}
    </div>
    <p class="same">${data.differs < 0 ? t("Both write the same text.") : t("From token {number} on the two texts differ: sums in another order are rounded differently.", { number: data.differs + 1 })}
      <span class="key"><i class="computed"></i>${t("computed")} <i class="looked"></i>${t("looked up")}</span></p>
    <div class="bytes"><p class="same"><b>${t("The next token reads")}</b><span>${t("memory of a token: {size}", { size: inBytes(data.cell) })}</span></p>${bytes.map(([name, value]) => html`
      <p class="row-of-bytes" title=${t("{count} bytes", { count: grouped(value) })}><span>${name}</span><i class="track"><i class="fill" style="width: ${percent(value / most)}"></i></i><b>${inBytes(value)}</b></p>`)}</div>`, root);
  const text = root.querySelector(".text");
  text.scrollTop = text.scrollHeight; // its end is what was written last
  walkParts(root, { axis: "down" }, { of: ".row", align: "middle", gap: 2 });
}

// A triangle: of each step the cells looked up and computed. Below it their sums, and the speed so far.
function lane({ data, steps }, kind, title, rows, which) {
  const shown = rows.slice(0, steps.place.value + 1);
  const columns = data.cells[0][2] + data.total - 1;
  const sum = (part) => shown.reduce((total, row) => total + row[part], 0);
  const seconds = data.seconds.slice(0, shown.length).reduce((total, row) => total + row[which], 0);
  const told = ([looked, computed], at) => {
    const parts = [t("“{token}”, step {number}: {count} computed", { token: data.tokens[at].trim(), number: at + 1, count: computed }), looked && t("{count} looked up", { count: looked }), !data.plain && `${fixed(1000 * data.seconds[at][which], 1)} ms`];
    return parts.filter(Boolean).join(", ");
  };
  const speed = shown.length / seconds;
  return html`
    <section class="lane ${kind}">
      <p class="heading">${title}</p>
      <div class="triangle" style="grid-template-rows: repeat(${data.total}, 1fr); --columns: ${columns <= WIDEST ? columns : nothing}">
        ${shown.map((row, at) => html`<button type="button" class="row" aria-label=${told(row, at)} .tip=${told(row, at)}>
          <i class="looked" style="width: ${percent(row[0] / columns)}"></i><i class="computed" style="width: ${percent(row[1] / columns)}"></i></button>`)}
      </div>
      <p class="sums"><b>${grouped(sum(1))}</b> ${t("cells computed")}${sum(0) ? html`, ${t("{count} looked up", { count: grouped(sum(0)) })}` : nothing}
        <span class="speed"><b>${speed < 10 ? fixed(speed, 1) : Math.round(speed)}</b> ${t("tokens a second")}</span></p>
    </section>`;
}

function inBytes(value) {
  const size = value >= 1e6 ? value / 1e6 : value / 1e3;
  const number = size < 10 ? fixed(size, 1) : Math.round(size);
  return value >= 1e6 ? t("{number} MB", { number }) : t("{number} kB", { number });
}

export default connect(draw);
