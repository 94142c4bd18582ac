// A clicker's keys press the buttons beside them, wherever the focus is: in a text, on a slider, nowhere.
import { connect } from "../widgets/connect.js";

const PATIENCE = 10_000; // ms; a page that takes longer has trouble of its own

// The button once it belongs to this page. One drawn for the page before leads to where one is already.
const linkOf = (key) => {
  /** @type {HTMLAnchorElement | null} */
  const link = document.querySelector(`.st-key-present-${key} a`);
  return link && (link.hasAttribute("disabled") || link.pathname !== location.pathname) ? link : null;
};

// A key can come before its button: the title of a new page stands first. It waits for it, across pages.
const press = (key, until = performance.now() + PATIENCE) => {
  const link = linkOf(key);
  if (!link && performance.now() < until) requestAnimationFrame(() => press(key, until));
  else if (link && !link.hasAttribute("disabled")) link.click();
};

export function draw(root) {
  if (root.listening) return undefined;
  root.listening = true;
  const listen = (event) => {
    if (!["PageUp", "PageDown"].includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) press(event.key);
  };
  window.addEventListener("keydown", listen, true);
  return () => {
    root.listening = false;
    window.removeEventListener("keydown", listen, true);
  };
}

export default connect(draw);
