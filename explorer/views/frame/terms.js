// The glossary as a list that can be searched: what is typed is looked for in the terms, then in what they mean.
import { connect } from "../widgets/connect.js";
import { html, render } from "../widgets/lit.js";
import { t } from "../widgets/translations.js";

/**
 * Its data: each term with its meaning
 * @type {import("../widgets/connect.js").Draw<{ terms: [string, string][] }>}
 */
export function draw(root, data) {
  const sought = (root.sought ?? "").trim().toLowerCase();
  const named = data.terms.filter(([term]) => term.toLowerCase().includes(sought));
  const shown = named.length ? named : data.terms.filter((both) => both.join(" ").toLowerCase().includes(sought));
  const search = (words) => {
    root.sought = words;
    draw(root, data, () => {});
    root.querySelector("dl").scrollTop = 0;
  };
  const press = (event) => {
    if (event.key !== "Escape" || root.sought) event.stopPropagation(); // no one-letter shortcut of the app acts
    if (event.key === "Escape") search("");
  };
  render(html`
    <input class="search" type="search" placeholder=${t("Search the terms")} aria-label=${t("Search the terms")} .value=${root.sought ?? ""}
      @input=${(event) => search(event.target.value)} @keydown=${press}>
    <dl>${shown.map(([term, meaning]) => html`<div><dt>${term}</dt><dd>${meaning}</dd></div>`)}</dl>
    <p class="nothing" role="status">${shown.length ? "" : t("No term has this word in it.")}</p>`, root);
}

export default connect(draw);
