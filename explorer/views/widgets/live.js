// The one polite live region of the app: what a screen reader says although the focus is elsewhere. It is outside of
// all pages and components, from the start, so that it is known before it has anything to say.
import { element } from "./dom.js";

const ID = "rb-live";
export const OTHERWISE = "otherwise"; // the source of what is said only if nothing else is
const REST_MS = 1000; // longer than a step of a player: while something changes step by step, nothing is said

/** The region; empty until something is announced. */
export function liveRegion() {
  /** @type {any} */
  let region = document.getElementById(ID);
  if (region) return region;
  region = element("div", "rb-unseen");
  region.id = ID;
  region.setAttribute("role", "status");
  region.setAttribute("aria-live", "polite");
  region.waiting = new Map();
  document.body.append(region);
  return region;
}

/**
 * Say a text, once nothing has been announced for a second. Of several texts of one source the last is said.
 * @param {string} text
 * @param {unknown} source what it is about
 * @param {string} lang its language, if it is not the page's
 */
export function announce(text, source, lang = "") {
  const region = liveRegion();
  const words = text.replace(/\s+/g, " ").trim();
  if (words) region.waiting.set(source, { words, lang });
  else region.waiting.delete(source);
  clearTimeout(region.timer);
  region.timer = setTimeout(() => {
    if (region.waiting.size > 1) region.waiting.delete(OTHERWISE);
    const lines = [...region.waiting.values()].map((one) => {
      const line = element("p", "", one.words);
      if (one.lang) line.lang = one.lang;
      return line;
    });
    region.waiting.clear();
    region.replaceChildren(...lines);
  }, REST_MS);
}

/**
 * Announce an element's text whenever it has changed, but not the one that it is drawn with.
 * @param {HTMLElement} part
 */
export function announceChanges(part) {
  let before = part.textContent || undefined;
  new MutationObserver(() => {
    const now = part.textContent;
    if (before !== undefined && now !== before) announce(now, part);
    before = now;
  }).observe(part, { childList: true, characterData: true, subtree: true });
}
