// What screen readers and the keyboard need of the parts that Streamlit draws: the list of pages is navigation and says
// which page is open, the picture has a name, a link leads to it, and what has changed below it is said.
import { element } from "../widgets/dom.js";
import { OTHERWISE, announce, liveRegion } from "../widgets/live.js";
import { reachByKeys } from "../widgets/width.js";

const [HEADING, READING] = ["rb-picture", "rb-reading"]; // ids, see view.py and under_picture.py
// Scroll sideways where they are wider than the screen, see wide.css.
const WIDE = ".rb-wide, [class*=st-key-wide-], .st-key-bertviz, [data-testid=stMarkdownContainer] table";
const CHANGES = ".rb-now, .rb-said, [class*=st-key-problem]";

/** Name the parts that are on the page now; it is called after every change. */
export function nameParts() {
  const pages = document.querySelector(".st-key-pages");
  if (pages) name(pages, { role: "navigation", "aria-label": "Pages" });
  const here = location.pathname.split("/").at(-1);
  for (const link of pages?.querySelectorAll("a") ?? []) {
    const [page] = (link.getAttribute("href") ?? "").split("?");
    name(link, { "aria-current": page === here ? "page" : null });
  }
  for (const picture of document.querySelectorAll(".st-key-picture")) name(picture, { role: "region", "aria-labelledby": HEADING });
  // A term is one stop of a page, however often it stands there.
  const terms = new Set();
  for (const term of document.querySelectorAll(".rb-term[data-meaning]")) {
    const meaning = term.getAttribute("data-meaning");
    name(term, { tabindex: terms.has(meaning) ? "-1" : "0" });
    terms.add(meaning);
  }
  // A chart's letters would be read one by one; its numbers are in the table.
  for (const chart of document.querySelectorAll("[data-testid=stPlotlyChart]"))
    name(chart, { role: "img", "aria-labelledby": HEADING, "aria-describedby": READING });
  document.querySelectorAll(WIDE).forEach(reachByKeys);
}

/** The link to the picture, before all else, and the region in which changes are said; once for a tab. */
export function addOnce() {
  if (document.querySelector(".rb-skip")) return;
  liveRegion();
  const link = element("a", "rb-skip", "Skip to the picture");
  link.href = `#${HEADING}`;
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address is that of the settings
    document.getElementById(HEADING)?.focus();
  });
  document.body.prepend(link);
}

/** A function that announces what has changed since it was last called: another page, or a line below the picture. */
export function changes() {
  let before = look();
  return () => {
    const now = look();
    if (now.page !== before.page) announce(now.page, "page");
    else if (now.title === before.title) {
      if (now.lines !== before.lines) announce(now.lines, "changes");
      if (now.drawn !== before.drawn) announce(now.drawn, OTHERWISE);
    }
    before = now;
  };
}

function look() {
  const lines = [...document.querySelectorAll(CHANGES)].map((part) => part.textContent);
  const [page, drawn] = ["h1", ".rb-drawn"].map((part) => document.querySelector(part)?.textContent ?? "");
  return { title: document.title, page, lines: lines.join(" "), drawn };
}

/** Set attributes; null takes one away. Nothing is touched that is as it should be. */
function name(part, attributes) {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (part.getAttribute(attribute) === value) continue;
    if (value === null) part.removeAttribute(attribute);
    else part.setAttribute(attribute, value);
  }
}
