import { choice } from "./answers.js";
import { element } from "./dom.js";
import { html } from "./lit.js";
import { t } from "./translations.js";

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

const REST_MS = 300; // that a place stands until the page is told

/**
 * Places numbered from 0 that a hand or the playing chooses: they are shown at once, and the page follows once they rest.
 * @param {object} places
 * @param {HTMLElement} places.root
 * @param {string} places.label of the slider
 * @param {() => number} places.last
 * @param {() => number} places.ms how long each is shown while they are played
 * @param {() => void} places.show
 */
export function stepper({ root, label, last, ms, show }) {
  const place = choice(() => {});
  const reach = (to) => {
    place.rest = steps.playing ? 2 * ms() : REST_MS;
    place.choose(to);
    show();
  };
  const steps = player({ root, at: () => place.value, last, go: reach, ms, stopped: () => reach(place.value) });
  const go = (to) => {
    steps.stop();
    const next = Math.min(Math.max(to, 0), last());
    if (next !== place.value) reach(next);
  };
  const slider = scrubber(label, go);
  return Object.assign(steps, {
    place, go, slider,
    /** The page's place; `fresh` is whether it belongs to other data than before. */
    answer(value, send, fresh) {
      if (fresh) steps.stop();
      place.send = send;
      place.answer(value, fresh);
    },
    /** Show the place on the slider. @param {string} words what it is called */
    mark: (words) => setSlider(slider, place.value, last(), words),
  });
}

/**
 * The buttons of a stepper, and its slider.
 * @param {any} steps
 * @param {string} name what it steps through, in the language of the page
 * @param {string} play what the button says while nothing plays
 * @param {string} look of that button: "main" if it is what a class presses first
 */
export function stepButtons(steps, name, play = t("Play"), look = "") {
  const by = (step) => () => steps.go(steps.place.value + step);
  return html`
    <button type="button" class="control" aria-label=${t("The {name} before", { name })} ?disabled=${steps.place.value <= 0} @click=${by(-1)}>‹</button>
    <button type="button" class="control play ${look}" @click=${steps.toggle}>${steps.playing ? t("Pause") : play}</button>
    <button type="button" class="control" aria-label=${t("The next {name}", { name })} ?disabled=${steps.place.value >= Number(steps.slider.max)} @click=${by(1)}>›</button>
    ${steps.slider}`;
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
 * Where a slider is, of which places, and what that place is called.
 * @param {any} slider
 * @param {number} value
 * @param {number} last
 * @param {string} words
 */
export function setSlider(slider, value, last, words) {
  Object.assign(slider, { max: last, value });
  slider.style.setProperty("--done", String(value / Math.max(last, 1)));
  slider.setAttribute("aria-valuetext", words);
}

/** @param {keyof typeof ICONS} icon */
export const sign = (icon) => html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d=${ICONS[icon]}></path></svg>`;
