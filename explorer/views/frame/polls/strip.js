// A class's answers in one line: its first answer, how many gave it, and the verdict; a press brings all answers back.
import { connect } from "../../widgets/connect.js";
import { html, render } from "../../widgets/lit.js";
import { t } from "../../widgets/translations.js";

const LONG = 62; // letters of a line on the smallest stage

/**
 * @typedef {{ name: string, count: number, of: number, right: boolean, says: string }} Data
 * @type {import("../../widgets/connect.js").Draw<Data>}
 */
export function draw(root, { name, count, of, right, says }, send) {
  const long = name.length + says.length > LONG ? "long" : ""; // stands in two lines
  const first = html`<span class="track"><i class="bar ${right ? "right" : ""}" style="--share: ${count / of}"></i></span>
    <span class="count">${t("{label}: {text}", { label: t("{count} of {every}", { count, every: of }), text: "" })}<b dir="auto">${name}</b>${right ? " ✓" : ""}</span>`;
  render(html`
    <button type="button" class=${long} title=${t("The class’s answers")} @click=${() => send("press", true)}>
      ${name ? first : html`<span class="count">${t("{count} answered", { count: of })}</span>`}<span class="says">${says}</span>
    </button>`, root);
}

export default connect(draw);
