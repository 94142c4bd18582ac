import { button, element } from "./dom.js";
import { node } from "./svg.js";

export const ICONS = {
  play: "M5 3.5v13l11-6.5z",
  pause: "M5 3.5h3.5v13H5zM11.5 3.5H15v13h-3.5z",
  back: "M13 4.5L6 10l7 5.5z",
  on: "M7 4.5L14 10l-7 5.5z",
};

/**
 * Walks through places that are numbered from 0, one at a time.
 * @param {object} places
 * @param {HTMLElement} places.root once it has left the page, nothing is played any more
 * @param {() => number} places.at the present one
 * @param {() => number} places.last
 * @param {(to: number) => void} places.go called while `playing` says whether it goes on from there
 * @param {() => number} places.ms how long each stands
 * @param {() => void} [places.stopped] called when somebody has stopped it
 */
export function player({ root, at, last, go, ms, stopped = () => {} }) {
  let timer = 0;
  const step = () => {
    const to = at() + 1;
    timer = root.isConnected && to < last() ? setTimeout(step, ms()) : 0;
    if (root.isConnected && to <= last()) go(to);
  };
  const made = {
    get playing() {
      return timer !== 0;
    },
    /** From the last place it plays from the first again. */
    play() {
      if (at() < last()) return step();
      timer = setTimeout(step, ms());
      go(0);
    },
    stop() {
      if (!timer) return;
      clearTimeout(timer);
      timer = 0;
      stopped();
    },
    toggle: () => (timer ? made.stop() : made.play()),
  };
  return made;
}

/**
 * A slider over whole numbers from 0, which tells the number that a hand has moved it to.
 * @param {(value: number) => void} moved
 */
export function scrubber(label, moved) {
  const made = element("input", "slider");
  Object.assign(made, { type: "range", min: 0, step: 1 });
  made.setAttribute("aria-label", label);
  made.addEventListener("input", () => moved(Number(made.value)));
  // A clicker's keys turn pages; they are not for the slider.
  made.addEventListener("keydown", (event) => event.key.startsWith("Page") && event.preventDefault());
  return made;
}

/**
 * A button with a picture on it.
 * @param {keyof typeof ICONS} icon
 * @param {() => unknown} act
 */
export function iconButton(className, icon, act, label = "") {
  const made = button(className, "", act);
  if (label) made.setAttribute("aria-label", label);
  const svg = node("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  made.path = node("path", { d: ICONS[icon] });
  svg.append(made.path);
  made.append(svg);
  return made;
}
