// The keys of a clicker press the buttons for back and on, wherever the focus is.
import { connect } from "../widgets/connect.js";
import { skipDuplicates } from "./duplicate_entries.js";

const PATIENCE = 10_000; // ms that a key waits for its button
const here = document.documentElement.dataset; // outlives the component, of which each page has a new one

// The button, once the step before has been taken: until then the old one leads to the current place.
const buttonOf = (key) => {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(`.st-key-present-${key} button`);
  return button && here.rbStep !== here.rbPressed ? button : null;
};

// A key may be pressed before its button is there, since the title of a new page is drawn first: it waits.
const press = (key, until = performance.now() + PATIENCE) => {
  const button = buttonOf(key);
  if (!button && performance.now() < until) requestAnimationFrame(() => press(key, until));
  else if (button && !button.disabled) {
    here.rbPressed = here.rbStep;
    button.click();
  }
};

/**
 * @param {any} root
 * @param {{ at: number }} data how many steps have been taken
 */
export function draw(root, data) {
  here.rbStep = String(data.at);
  if (root.listening) return undefined;
  root.listening = true;
  const listen = (event) => {
    if (!["PageUp", "PageDown"].includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) press(event.key);
  };
  window.addEventListener("keydown", listen, true);
  skipDuplicates();
  return () => {
    root.listening = false;
    window.removeEventListener("keydown", listen, true);
  };
}

export default connect(draw);
