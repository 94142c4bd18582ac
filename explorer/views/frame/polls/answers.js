// The answers of a class beside the model's, on stage above them, on one scale; without a model, a cloud of words. Rows
// glide to a new place; one without a key holds all rare answers.
// An answer that is dragged onto another is counted with it; without a mouse: press the one, then the other.
import { connect } from "../../widgets/connect.js";
import { html, render } from "../../widgets/lit.js";
import { roving } from "../../widgets/roving.js";
import { tooltip } from "../../widgets/tooltip.js";
import { t } from "../../widgets/translations.js";

/**
 * @typedef {{
 *   key: string, name: string, count: number, share: number, share_text: string, model: number | null, model_text: string,
 *   right: boolean, tip: string,
 *   }} Row
 * @typedef {object} Data
 * @property {string} label
 * @property {"beside" | "alone" | "cloud" | "stage" | "sides"} layout
 * @property {string[]} [sides] the names of both sides, of which a row's key begins with the number
 * @property {boolean} long whether names are sentences
 * @property {Row[]} rows in the order of the class
 * @property {string} who the model
 * @property {number} scale the share of a full bar
 * @property {boolean} sorts whether the rows can be sorted by the model too
 * @property {boolean} merges whether answers can be counted as one
 * @property {boolean} merged whether some are
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.className = `root ${data.layout} ${data.long ? "long" : ""} ${data.who ? "compared" : ""}`;
  root.style.setProperty("--count", String(data.rows.length));
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.send = send;
  root.again = (change = {}) => redraw(Object.assign(root, change), data);
  root.again();
  if (root.tip) return;
  root.tip = tooltip(root, { of: ".row" });
  const place = (row) => Number(row.style.getPropertyValue("--at"));
  roving(root, () => [...root.querySelectorAll(".row:not([hidden])")].sort((a, b) => place(a) - place(b)));
  root.addEventListener("keydown", ({ key }) => key === "Escape" && root.again({ picked: "" }));
}

function redraw(root, data) {
  const sorted = [...data.rows];
  if (root.byModel) sorted.sort((a, b) => (b.model ?? 0) - (a.model ?? 0) || b.share - a.share);
  // Each answer keeps its element; one that is gone leaves it empty.
  root.keys = [...new Set([...(root.keys ?? []), ...sorted.map(({ key }) => key)])];
  const sort = (name, look, byModel) => html`
    <button type="button" class=${look} ?disabled=${!data.sorts} aria-pressed=${Boolean(root.byModel) === byModel}
      title=${t("Sort by {name}", { name })} @click=${() => root.again({ byModel })}>${name}</button>`;
  render(html`
    <div class="head" ?hidden=${!data.who}>${sort(t("the class"), "class", false)}<span></span>${sort(data.who, "model", true)}</div>
    <div class="rows" style="--rows: ${sorted.length}">${data.sides?.map((name) => html`<b dir="auto">${name}</b>`)}${root.keys.map((key) =>
      drawRow(root, data, key, sorted.findIndex((row) => row.key === key), sorted))}</div>
    <p class="merging" data-save="no" ?hidden=${!data.merges}>
      ${root.picked ? t("Press the answer that it counts as.") : t("Drag an answer onto another to count the two as one.")}
      <button type="button" ?hidden=${!data.merged} @click=${() => root.send("undo", true)}>${t("Undo")}</button>
    </p>`, root);
}

function drawRow(root, data, key, at, rows) {
  const row = rows[at];
  if (!row) return html`<button type="button" class="row" hidden></button>`;
  const join = (answer) => {
    if (answer && key && answer !== key) root.send("merge", { answer, into: key });
    root.again({ picked: "" });
  };
  const press = () => (root.picked ? join(root.picked) : root.again({ picked: row.count ? key : "" }));
  const lift = (event) => {
    event.dataTransfer.setData("text/plain", row.name); // without data Firefox does not drag
    root.dragged = key;
  };
  const over = (event) => {
    event.preventDefault();
    if (root.over !== key) root.again({ over: key });
  };
  const take = () => root.send("merge", { answer: key, into: key });
  const movable = data.merges && row.count > 0 && key;
  return html`
    <button type="button" class="row ${row.right ? "right" : ""} ${[root.picked, root.over].includes(key) ? "picked" : ""} ${row.count ? "" : "none"}"
      style="--at: ${at}; --size: ${Math.sqrt(row.count / (data.rows[0].count || 1))}" .tip=${row.tip} aria-label=${row.tip}
      aria-pressed=${root.picked === key} draggable=${Boolean(movable)} data-side=${key[0]} @click=${() => (data.sides ? take() : data.merges && press())}
      @dragstart=${lift} @dragover=${over} @drop=${(event) => [event.preventDefault(), join(root.dragged)]}
      @dragend=${() => root.again({ over: "" })}>${cells(data, row)}</button>`;
}

function cells({ layout, scale, who }, row) {
  const bar = (share) => html`<span class="bar" style="--share: ${share / scale}"></span>`;
  const name = html`<span class="name" dir="auto">${row.name}${row.right ? " ✓" : ""}</span>`;
  const votes = html`<b class="votes">${row.count || ""}</b>`;
  const share = html`<span class="number">${row.count ? row.share_text : ""}</span>`;
  if (layout === "sides") return name;
  if (layout === "cloud") return html`${name}${votes}`;
  if (layout === "stage") {
    const [bars, text] = who ? [html`<span class="side model">${bar(row.model ?? 0)}</span>`, html`<span class="model">${row.model_text}</span>`] : [];
    return html`${name}<span><span class="side class">${bar(row.share)}</span>${bars}</span><span class="number">${row.share_text}${text}</span>`;
  }
  if (layout === "alone") return html`${name}<span class="side class">${bar(row.share)}${votes}${share}</span>`;
  return html`
    <span class="side class">${votes}${share}${bar(row.share)}</span>${name}
    <span class="side model">${bar(row.model ?? 0)}<span class="number">${row.model_text}</span></span>`;
}

export default connect(draw);
