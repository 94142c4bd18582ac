// The glossary as a list that can be searched: what is typed is looked for in the terms, then in what they mean.
import { connect } from "../widgets/connect.js";
import { add, element } from "../widgets/dom.js";

/**
 * Its data: each term with its meaning
 * @type {import("../widgets/connect.js").Draw<{ terms: [string, string][] }>}
 */
export function draw(root, data) {
  if (root.built) return;
  root.built = true;
  const box = element("input", "search");
  box.type = "search";
  box.placeholder = "Search the terms";
  box.setAttribute("aria-label", "Search the terms");
  const list = element("dl");
  const nothing = element("p", "nothing", "No term has this word in it.");
  nothing.setAttribute("role", "status");
  root.append(box, list, nothing);
  const rows = data.terms.map(([term, meaning]) => {
    const row = add(list, "div");
    add(row, "dt", "", term);
    add(row, "dd", "", meaning);
    return { row, term: term.toLowerCase(), all: `${term} ${meaning}`.toLowerCase() };
  });
  const search = () => {
    const sought = box.value.trim().toLowerCase();
    const named = rows.filter(({ term }) => term.includes(sought));
    const shown = named.length ? named : rows.filter(({ all }) => all.includes(sought));
    for (const one of rows) one.row.hidden = !shown.includes(one);
    nothing.hidden = shown.length > 0;
    list.scrollTop = 0;
  };
  box.addEventListener("input", search);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || box.value) event.stopPropagation(); // no one-letter shortcut of the app acts
    if (event.key === "Escape") {
      box.value = "";
      search();
    }
  });
  search();
}

export default connect(draw);
