// Parts drawn by Streamlit that a browser's translator must not change: programs, charts, and widgets with words and
// sentences. Streamlit's React keeps their text nodes, and fails if a translator has replaced them.
const DRAWN = ["[data-testid=stCode]", "[data-testid=stPlotlyChart]", "[data-testid=stDataFrame]"];
const WORDS = ["[class*=st-key-own-words]", ".st-key-own-cells", "[class*=st-key-probing-own]", ".st-key-models-sentence"];
const UNMARKED = [...DRAWN, ...WORDS].map((part) => `${part}:not([translate])`).join();

function mark() {
  for (const part of document.querySelectorAll(UNMARKED)) part.setAttribute("translate", "no");
}

/** Mark them now, and later ones when they appear; once for a tab. */
export function keepUntranslated() {
  const tab = document.documentElement.dataset;
  if (tab.rbUntranslated) return;
  tab.rbUntranslated = "yes";
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}
