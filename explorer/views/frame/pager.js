// A clicker's keys press the buttons beside them, wherever the focus is: in a text, on a slider, nowhere.
import { connect } from "../widgets/connect.js";
import { passOver } from "./left_twice.js";

const PATIENCE = 10_000; // ms; a page that takes longer has trouble of its own
const here = document.documentElement.dataset; // outlives the component, which comes anew with each page

// The button, once the step before has been made: the one that still stands leads to where one is already.
const buttonOf = (key) => {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(`.st-key-present-${key} button`);
  return button && here.rbStep !== here.rbPressed ? button : null;
};

// A key can come before its button: the title of a new page stands first. It waits for it, across pages.
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
 * @param {{ at: number }} data how many steps have been made
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
  passOver();
  return () => {
    root.listening = false;
    window.removeEventListener("keydown", listen, true);
  };
}

export default connect(draw);
