import { button, element } from "./dom.js";
import { node } from "./svg.js";

export const ICONS = {
  play: "M5 3.5v13l11-6.5z",
  pause: "M5 3.5h3.5v13H5zM11.5 3.5H15v13h-3.5z",
  back: "M13 4.5L6 10l7 5.5z",
  on: "M7 4.5L14 10l-7 5.5z",
};

/**
 * Steps through places numbered from 0.
 * @param {object} places
 * @param {HTMLElement} places.root playing ends when it leaves the page
 * @param {() => number} places.at the current place
 * @param {() => number} places.last
 * @param {(to: number) => void} places.go called while `playing` says whether it continues
 * @param {() => number} places.ms how long each is shown
 * @param {() => void} [places.stopped] called when it has been stopped by hand
 */
export function player({ root, at, last, go, ms, stopped = () => {} }) {
  let timer = 0;
  const step = () => {
    const to = at() + 1;
    timer = root.isConnected && to < last() ? setTimeout(step, ms()) : 0;
    if (root.isConnected && to <= last()) go(to);
  };
  const player = {
    get playing() {
      return timer !== 0;
    },
    /** At the last place it starts again from the first. */
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
    toggle: () => (timer ? player.stop() : player.play()),
  };
  return player;
}

/**
 * A slider over whole numbers from 0; `moved` is called with the new number.
 * @param {(value: number) => void} moved
 */
export function scrubber(label, moved) {
  const slider = element("input", "slider");
  Object.assign(slider, { type: "range", min: 0, step: 1 });
  slider.setAttribute("aria-label", label);
  slider.addEventListener("input", () => moved(Number(slider.value)));
  // The keys of a clicker turn pages and must not move the slider.
  slider.addEventListener("keydown", (event) => event.key.startsWith("Page") && event.preventDefault());
  return slider;
}

/**
 * A button with an icon.
 * @param {keyof typeof ICONS} icon
 * @param {() => unknown} act
 */
export function iconButton(className, icon, act, label = "") {
  const control = button(className, "", act);
  if (label) control.setAttribute("aria-label", label);
  const svg = node("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" });
  control.path = node("path", { d: ICONS[icon] });
  svg.append(control.path);
  control.append(svg);
  return control;
}
