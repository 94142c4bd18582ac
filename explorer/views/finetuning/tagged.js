// Words with their tags: a tag is drawn once under all the words that it covers.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { html, nothing, render } from "../widgets/lit.js";
import { t } from "../widgets/translations.js";
import { walkParts } from "../widgets/walk_with_tips.js";

/**
 * @typedef {object} Group
 * @property {{ text: string, tip: string }[]} words
 * @property {string} tag
 * @property {{ colour: number, path: string } | null} mark
 */

/** @type {import("../widgets/connect.js").Draw<{ label: string, groups: Group[] }>} */
export function draw(root, data) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  render(html`<div class="line">${data.groups.map(group)}</div>`, root);
  walkParts(root, { axis: "across" }, { align: "middle", gap: 4 });
  layOut(root.querySelector(".line"), [...root.querySelectorAll("button")]);
}

/** @param {Group} group */
function group({ words, tag, mark }) {
  const sign = () => html`
    <svg viewBox="-14 -14 28 28" aria-hidden="true"><path d=${mark?.path} /></svg><span>${tag}</span>`;
  return html`
    <div class="group ${mark ? "tagged" : ""}" style="--own: var(--rb-senses-${mark?.colour})">
      <div class="words">${words.map(({ text, tip }) => html`
        <button type="button" aria-label="${text}, ${tag || t("no tag")}" .tip=${tip}>${text}</button>`)}
      </div>
      <div class="tag">${mark ? sign() : nothing}</div>
    </div>`;
}

export default connect(draw);
