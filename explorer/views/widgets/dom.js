/**
 * An element of ours; its component may add properties to it.
 * @typedef {HTMLElement & Record<string, any>} OwnElement
 */

/**
 * A new element. The text is never parsed as HTML.
 * @param {string} tag
 * @param {unknown} text
 * @returns {OwnElement}
 */
export function element(tag, className = "", text = "") {
  const child = document.createElement(tag);
  if (className) child.className = className;
  child.textContent = String(text);
  return child;
}

/**
 * A new element at the end of another.
 * @param {ParentNode} parent
 * @param {string} tag
 * @param {unknown} text
 */
export function add(parent, tag, className = "", text = "") {
  const child = element(tag, className, text);
  parent.append(child);
  return child;
}

/** @param {string} text */
export function strong(text) {
  const child = element("b", "", text);
  child.dir = "auto"; // keeps a word from right to left apart from the numbers after it
  return child;
}

/**
 * The part that an event is about: its target, or an element around it.
 * @param {Event} event
 * @param {string} selector
 * @returns {any} an element, or null
 */
export function partOf(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Whether an element got the focus by keyboard, and shows it.
 * @param {Event} event
 */
export function byKeyboard(event) {
  return event.target instanceof Element && event.target.matches(":focus-visible");
}

/**
 * Pixels on the screen for each pixel of an element, which presenter mode enlarges.
 * @param {HTMLElement} root
 */
export function zoomOf(root) {
  return root.getBoundingClientRect().width / root.offsetWidth || 1;
}
