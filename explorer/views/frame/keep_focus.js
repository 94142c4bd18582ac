// The keyboard's place outlives what is drawn anew: another page begins at its title, and the focus of a control that
// has been replaced, as by another view, goes to the control in its place.

const PATIENCE = 5000; // ms that a place is waited for
const MOST = 4; // places that are remembered: a button that opened a list, and an entry of that list
const FOCUSABLE = "button, a[href], input, textarea, select, summary, [tabindex='0']";
const here = document.documentElement.dataset; // outlives the component, of which each page has a new one

/** @typedef {{ part: Element, keys: string[], words: string }} Place */

/** @type {Place[]} the last one first */
let places = [];

/** To be called when a page has been drawn. */
export function keepFocus() {
  const before = here.rbPage ?? new URL(performance.getEntriesByType("navigation")[0].name).pathname; // the first page
  here.rbPage = location.pathname;
  // Keys scroll the page wherever the focus is, so all of it need not be a stop.
  document.querySelector("[data-testid=stMain]")?.setAttribute("tabindex", "-1");
  const at = document.activeElement;
  const elsewhere = at && at !== document.body && !at.closest("[data-testid=stSidebar]");
  if (before !== here.rbPage && !elsewhere) {
    places = [];
    title()?.focus({ preventScroll: true });
  }
}

/** Watch the page; returns a function that ends it. */
export function watchFocus() {
  const stop = new AbortController();
  let lost = 0; // when a place was found to be gone
  addEventListener("focusin", ({ target }) => {
    lost = 0;
    if (target instanceof Element) places = [placeOf(target), ...places.filter(({ part }) => part !== target)].slice(0, MOST);
  }, { signal: stop.signal });
  addEventListener("pointerdown", () => (places = []), { signal: stop.signal, capture: true });
  const watch = new MutationObserver(() => {
    const [last] = places;
    if (!last || last.part.isConnected || document.activeElement !== document.body) return;
    lost ||= performance.now();
    const next = places.map(successor).find(Boolean);
    if (next) next.focus({ preventScroll: true });
    else if (performance.now() - lost > PATIENCE) places = [];
  });
  watch.observe(document.body, { childList: true, subtree: true });
  return () => {
    stop.abort();
    watch.disconnect();
  };
}

/** @param {Element} part @returns {Place} */
function placeOf(part) {
  const keys = [];
  for (let at = part.closest("[class*=st-key-]"); at; at = at.parentElement?.closest("[class*=st-key-]") ?? null)
    keys.push(...[...at.classList].filter((name) => name.startsWith("st-key-")));
  return { part, keys, words: wordsOf(part) };
}

/**
 * What stands where a place was: in the box with the same key, or with one that differs by its number.
 * @param {Place} place
 * @returns {HTMLElement | undefined}
 */
function successor({ part, keys, words }) {
  if (part.isConnected && part instanceof HTMLElement && part.getClientRects().length) return part;
  if (part.matches("h1")) return title();
  for (const key of keys.slice(0, 2)) {
    const same = [...document.getElementsByClassName(key)];
    const alike = [...document.querySelectorAll("[class*=st-key-]")].filter((box) => [...box.classList].some((name) => stem(name) === stem(key)));
    const parts = /** @type {HTMLElement[]} */ ([...same, ...alike].flatMap((box) => [...box.querySelectorAll(FOCUSABLE)]));
    const all = parts.filter((one) => one.getClientRects().length && !one.matches(":disabled, [tabindex='-1']"));
    const next = all.find((one) => wordsOf(one) === words) ?? all[0];
    if (next) return next;
  }
  return undefined;
}

// “More” has another key after each choice, and while what is chosen is behind it.
const stem = (key) => key.replace("-more-chosen-", "-more-").replace(/-\d+(?=-|$)/g, "");
const wordsOf = (part) => part.getAttribute("aria-label") ?? part.textContent?.trim() ?? "";

/** The page's title, which can be focused now. */
function title() {
  const heading = document.querySelector("h1") ?? undefined;
  heading?.setAttribute("tabindex", "-1");
  return heading;
}
