// What Streamlit draws and a browser's translator is to leave alone: programs, charts, and tables of words. Streamlit's
// React keeps their text nodes, and stops where a translator has put others in their place.
const PARTS = ["[data-testid=stCode]", "[data-testid=stPlotlyChart]", "[data-testid=stDataFrame]", ".st-key-own-cells"];
const UNMARKED = PARTS.map((part) => `${part}:not([translate])`).join();

function mark() {
  for (const part of document.querySelectorAll(UNMARKED)) part.setAttribute("translate", "no");
}

/** Mark them, now and whenever one comes; once for a tab. */
export function keepUntranslated() {
  const tab = document.documentElement.dataset;
  if (tab.rbUntranslated) return;
  tab.rbUntranslated = "yes";
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}
