// What is locked, and the occurrences or sentences most like it; a click on one of them goes on to that one.
import { connect } from "./connect.js";
import { html, nothing, render } from "./lit.js";
import { roving } from "./roving.js";
import { icon, sentence } from "./occurrence.js";
import { t } from "./translations.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} height
 * @property {string} hint
 * @property {{ colour: number, path: string, parts: [string, string, string] }} [title] what is locked
 * @property {{
 *   id: string, cosine: string, sense: string, whole: string, colour: number, path: string, parts: [string, string, string],
 *   }[]} [rows]
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, { label, height, hint, title, rows = [] }, send) {
  if (!root.onkeydown) roving(root, () => [...root.querySelectorAll("button")], { axis: "down", wrap: true, stops: false });
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", label);
  root.style.minHeight = `${height}px`;
  const row = (item) => html`
    <button type="button" class="row" aria-label="${t("cosine {number}", { number: item.cosine })}, ${item.sense || t("no sense given")}: ${item.whole}"
      @click=${() => send("lock", item.id)}>
      ${icon(item)}<span class="number">${item.cosine}</span>${sentence(item.parts)}
    </button>`;
  const release = () => html`<button type="button" class="control" title="Esc" @click=${() => send("lock", "")}>${t("Release")}</button>`;
  render(html`
    ${title ? html`<div class="title">${icon(title)}${sentence(title.parts)}${release()}</div>` : nothing}
    ${rows.map(row)}
    ${title || rows.length ? nothing : html`<p class="hint">${hint}</p>`}`, root);
  root.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    send("lock", "");
    event.preventDefault();
  };
}

export default connect(draw);
