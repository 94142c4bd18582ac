// What Streamlit draws and a browser's translator is to leave alone: programs and charts, and widgets that show words
// and sentences. Streamlit's React keeps their text nodes, and stops where a translator has put its own in their place.
const DRAWN = ["[data-testid=stCode]", "[data-testid=stPlotlyChart]", "[data-testid=stDataFrame]"];
const WORDS = ["[class*=st-key-own-words]", ".st-key-own-cells", "[class*=st-key-probing-own]", ".st-key-models-sentence"];
const UNMARKED = [...DRAWN, ...WORDS].map((part) => `${part}:not([translate])`).join();

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
