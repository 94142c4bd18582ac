// Whether somebody is on the way from one page to another: what a part of the old page sends by itself then would
// reach the server behind the change of page. Streamlit answers it under the old page's name, and its browser side
// clears the new page for it, which stays empty.
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

/** Somebody went back or on: the page that was left may be the one on the screen again. */
export function forgetLink() {
  delete tab.rbLeft;
}

/** Whether a page has been left: the address is another already, as by Back, or soon will be. @param {string} path */
export function isLeft(path) {
  if (location.pathname !== path) return true;
  return tab.rbLeft === path && performance.now() - Number(tab.rbLeftAt) < LONGEST_MS;
}
