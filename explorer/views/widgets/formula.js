// The symbols of a formula that Streamlit has set say what they mean, as the terms of the glossary do.
import { connect } from "./connect.js";

/**
 * @param {any} _root
 * @param {{ within: string, symbols: Record<string, string> }} data
 */
export function draw(_root, data) {
  const place = document.getElementsByClassName(data.within)[0];
  if (!place) return undefined;
  const explain = () => Object.entries(data.symbols).forEach(([symbol, meaning]) => mark(place, symbol, meaning));
  explain();
  const watch = new MutationObserver(explain); // KaTeX arrives later than this script
  watch.observe(place, { childList: true, subtree: true });
  return () => watch.disconnect();
}

// The smallest elements whose text is the symbol; a symbol may occur several times.
function mark(place, symbol, meaning) {
  for (const part of place.querySelectorAll(".katex-html :is(.mord, .mop, .mbin, .mrel)")) {
    if (plain(part) !== symbol || [...part.children].some((child) => plain(child) === symbol)) continue;
    if (part.dataset.meaning) continue;
    part.classList.add("rb-term");
    part.tabIndex = 0;
    part.setAttribute("role", "note");
    part.setAttribute("aria-description", meaning);
    part.dataset.meaning = meaning;
  }
}

const plain = (part) => part.textContent.replace(/[\s\u200b]/g, "");

export default connect(draw);
