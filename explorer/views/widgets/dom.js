/**
 * An element of ours: it may carry what its component has to remember about it.
 * @typedef {HTMLElement & Record<string, any>} Made
 */

/**
 * A new element. Text is set as text: what a person typed is never read as HTML.
 * @param {string} tag
 * @param {unknown} text
 * @returns {Made}
 */
export function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = String(text);
  return made;
}

/**
 * A new element at the end of another.
 * @param {ParentNode} parent
 * @param {string} tag
 * @param {unknown} text
 */
export function add(parent, tag, className = "", text = "") {
  const made = element(tag, className, text);
  parent.append(made);
  return made;
}

/** @param {string} text */
export function strong(text) {
  const made = element("b", "", text);
  made.dir = "auto"; // a word that runs from the right is not mixed with the numbers after it
  return made;
}

/**
 * A button that does something.
 * @param {unknown} text
 * @param {((event: MouseEvent) => unknown) | null} act
 */
export function button(className = "", text = "", act = null) {
  const made = element("button", className, text);
  made.type = "button";
  if (act) made.addEventListener("click", act);
  return made;
}

/**
 * Give an element so many children: new ones at the end, or the last ones go. Those that stay keep their
 * place, so that bars ease from one length to the next and the focus is kept.
 * @param {any} parent
 * @param {number} count
 * @param {(index: number) => Node} make
 * @returns {any[]} all its children
 */
export function resize(parent, count, make) {
  while (parent.children.length > count) parent.lastElementChild.remove();
  while (parent.children.length < count) parent.append(make(parent.children.length));
  return [...parent.children];
}

/**
 * The part that an event is about: its target, or what is around that.
 * @param {Event} event
 * @param {string} selector
 * @returns {any} an element, or null
 */
export function partOf(event, selector) {
  return event.target instanceof Element ? event.target.closest(selector) : null;
}

/**
 * Whether something got the focus by keyboard, so that it shows where it is.
 * @param {Event} event
 */
export function byKeyboard(event) {
  return event.target instanceof Element && event.target.matches(":focus-visible");
}

/**
 * Presenter mode enlarges the page: px on the screen for each px of an element.
 * @param {HTMLElement} root
 */
export function zoomOf(root) {
  return root.getBoundingClientRect().width / root.offsetWidth || 1;
}
