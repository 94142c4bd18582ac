// Whether the visitor is leaving the page, by a link or by Back: what a component of the old page still sends would reach
// the server after the change of page. Streamlit would answer it as the old page, and bring that back.
const LONGEST_MS = 10_000; // a click on a link that led nowhere is forgotten
const PAGE_LINK = "a[data-testid=stPageLink-NavLink]";
const tab = document.documentElement.dataset;

/** A link to another page has been followed. @param {MouseEvent} event */
export function noteLink(event) {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return; // opens another tab or window
  const link = /** @type {Element} */ (event.target).closest?.(PAGE_LINK);
  if (!(link instanceof HTMLAnchorElement) || link.pathname === location.pathname) return;
  tab.rbLeft = location.pathname;
  tab.rbLeftAt = String(performance.now());
}

/** Back or Forward: the page that was left may be on the screen again. */
export function forgetLink() {
  delete tab.rbLeft;
}

/** Whether a page has been left: its address has changed, or soon will. @param {string} path */
export function isLeft(path) {
  if (location.pathname !== path) return true;
  return tab.rbLeft === path && performance.now() - Number(tab.rbLeftAt) < LONGEST_MS;
}
