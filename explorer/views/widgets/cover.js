// What a stop of a lecture has not shown yet is covered, in components too: stage.py says it in the page's style, which
// does not reach into them.

export const CHANGED = "rb-covered"; // told to the window when other parts are covered
const styleOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
const isAsked = () => styleOf("--rb-asked") === "1";

/** The style of what is covered, one for all components. @returns {any} */
const sheet = () => (/** @type {any} */ (document).rbCover ??= new CSSStyleSheet());

/** Cover what is covered now; to be called when that has changed. */
export function coverParts() {
  const rules = styleOf("--rb-stage").slice(1, -1); // without its quotation marks
  if (sheet().taken === rules) return;
  sheet().taken = rules;
  sheet().replaceSync(rules);
  delete document.documentElement.dataset.rbAsks; // another picture is covered: stage_area.js chooses again
  dispatchEvent(new Event(CHANGED));
}

/**
 * Have a component follow; to be called before it is drawn. While anything is covered it is inert: nothing in it is
 * read aloud, pointed at or pressed. Boxes for text stay as they are.
 * @param {any} root
 * @param {AbortSignal} signal which ends it
 */
export function followCover(root, signal) {
  const shadow = root.getRootNode();
  if (!shadow.host?.closest(".st-key-picture") || shadow.host.closest("[class*=st-key-][class*=-box]")) return;
  coverParts();
  if (!shadow.adoptedStyleSheets.includes(sheet())) shadow.adoptedStyleSheets.push(sheet());
  const follow = () => shadow.querySelectorAll(".root").forEach((part) => (part.inert = isAsked()));
  follow();
  addEventListener(CHANGED, follow, { signal });
}
