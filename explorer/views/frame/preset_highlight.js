// After a press on a preset, the picture is in view, and what the preset has changed is marked for a moment.
import { calm } from "../widgets/motion.js";

const MARKED_MS = 1800; // as long as the animation in page.css
const LATE_MS = 700; // charts are drawn a moment after the page, and move what follows
const GAP_PX = 10;
const here = document.documentElement.dataset; // outlives the component, of which each page has a new one

/**
 * @typedef {object} Press
 * @property {number} presses how many there have been
 * @property {string[]} changed the keys of the settings that the last one has changed
 */

/** @param {Press} press */
export function showPress({ presses, changed }) {
  const before = here.rbPresses;
  here.rbPresses = String(presses);
  if (before === undefined || before === here.rbPresses) return;
  const picture = document.querySelector(".st-key-picture");
  if (!picture) return;
  const parts = changed.flatMap(controlsOf);
  [picture, ...parts].forEach(mark);
  bring(picture, parts);
  const stop = new AbortController();
  for (const type of ["wheel", "touchmove", "keydown", "pointerdown"])
    addEventListener(type, () => stop.abort(), { once: true, signal: stop.signal, capture: true });
  setTimeout(() => {
    if (!stop.signal.aborted) bring(picture, parts);
    stop.abort();
  }, LATE_MS);
}

/** @param {string} key of a setting; its text box has a key of its own */
function controlsOf(key) {
  const name = key.replaceAll(/[^a-zA-Z0-9_-]/g, "-"); // as Streamlit writes it
  return [...document.querySelectorAll(`.st-key-${name}, .st-key-${name}-box`)].filter((part) => part.getClientRects().length);
}

/** @param {Element} part */
function mark(part) {
  part.classList.remove("rb-changed");
  requestAnimationFrame(() => part.classList.add("rb-changed")); // a second press begins anew
  setTimeout(() => part.classList.remove("rb-changed"), MARKED_MS);
}

/**
 * Scroll no further than needed, to the picture with what has changed around it, or to the picture alone.
 * @param {Element} picture
 * @param {Element[]} parts
 */
function bring(picture, parts) {
  const main = picture.closest("[data-testid=stMain]");
  if (!main) return;
  const boxes = [picture, ...parts].map((part) => {
    const { top, bottom } = part.getBoundingClientRect();
    return { top, bottom };
  });
  const line = document.querySelector(".rb-first, .rb-now")?.getBoundingClientRect();
  if (line) boxes[0].top = Math.min(boxes[0].top, line.top); // on a phone it stands above the picture
  const all = { top: Math.min(...boxes.map((box) => box.top)), bottom: Math.max(...boxes.map((box) => box.bottom)) };
  const room = innerHeight - 2 * GAP_PX;
  const { top, bottom } = all.bottom - all.top <= room ? all : boxes[0];
  const above = top - GAP_PX; // below 0 if its beginning is out of view
  const below = bottom + GAP_PX - innerHeight;
  const by = above < 0 ? above : below > 0 ? Math.min(below, above) : 0;
  if (Math.abs(by) > 1) main.scrollBy({ top: by, behavior: calm() ? "auto" : "smooth" });
}
