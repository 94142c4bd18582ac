// In presenter mode the page is drawn smaller until its picture ends above the lower edge of the window, but no letter
// smaller than without presenter mode on a screen of 768 px. What is still too high loses its notes, and then scrolls in
// its frame. A picture that leaves a fifth of the window empty is drawn larger. What suits a view is kept until the window
// changes.
import { presents } from "../widgets/fill_window.js";
import { CHANGED } from "../widgets/cover.js";
import { chooseAsked, isCut, placeArea } from "./stage_area.js";

const GAP_PX = 8;
const MARGIN_PX = 16; // beside a picture, into which its frame may reach
const QUIET_MS = 250; // without a change of size, after which a picture is measured
const SOON_MS = 40; // after which one that has just grown is measured
const FOLDED = 1.5; // times the room for it: as high is only a picture that has put its parts below each other
const BROKEN = 1.15; // times its size as it grows: higher is only a picture whose lines have broken
const USUAL_PX = [960, 667]; // of a window in which nothing is enlarged
const LEAST = USUAL_PX[1] / 768; // of presenter mode's size: as large as the letters are without it
const MOST = 1.8; // times that a picture grows
const WRAPS = 0.8; // lines break as they grow, and a picture becomes higher than it becomes larger
const LOW = 0.82; // of the window: a picture that ends above grows
const FULL = 0.94; // of the window: a page that was drawn smaller and ends above is drawn larger again
const RAISES = 2; // that a view is drawn larger, since it may be low only while it waits
export const FITTED = "rb-fitted"; // the event once nothing changes any more
const here = document.documentElement;

/** @typedef {{ fit: number, grow: number, raises: number, low: number, tight: boolean, scrolls: boolean, top: number }} Size */

/** @type {Map<string, Size>} by view */
const sizes = new Map();
/** @type {{ watch?: ResizeObserver, picture?: HTMLElement, window?: string, timer?: ReturnType<typeof setTimeout>, applied?: Size, grew?: boolean }} */
const state = {};

/** How much presenter.css enlarges a page that fits. */
export const usualZoom = () => Math.min(Math.max(Math.min(innerWidth / USUAL_PX[0], innerHeight / USUAL_PX[1]), 1), 4);

export function fitPicture() {
  /** @type {HTMLElement | null} */
  const picture = document.querySelector(".st-key-picture");
  if (!presents() || !picture) return;
  const before = state.applied;
  apply(sizeOf());
  if (state.applied !== before) later();
  if (state.picture === picture) return;
  state.picture = picture;
  state.watch?.disconnect();
  if (!state.watch) addEventListener(CHANGED, later);
  state.watch = new ResizeObserver(later);
  const question = document.querySelector(".st-key-question"); // its choices come and go above the picture
  for (const part of [picture, here, question]) if (part) state.watch.observe(part);
}

function sizeOf() {
  const windowSize = `${innerWidth} ${innerHeight}`;
  if (state.window !== windowSize) sizes.clear();
  state.window = windowSize;
  const strip = document.querySelector(".st-key-strip") ? "/strip" : ""; // which leaves the picture less room
  const covered = getComputedStyle(here).getPropertyValue("--rb-asked") === "1" ? "/covered" : "";
  const link = new URLSearchParams(location.search);
  const view = location.pathname + link.get("view") + link.get("part") + strip + covered;
  const size = sizes.get(view) ?? { fit: 1, grow: 1, raises: 0, low: 0, tight: false, scrolls: false, top: 0 };
  sizes.set(view, size);
  return size;
}

function later() {
  clearTimeout(state.timer);
  here.dataset.rbFitting = "true"; // for whoever waits until the stage stands
  state.timer = setTimeout(measure, state.grew ? SOON_MS : QUIET_MS);
}

function measure() {
  const { picture } = state;
  delete here.dataset.rbFitting;
  if (!picture?.isConnected || !presents()) return;
  const size = sizeOf();
  const applied = state.applied === size;
  if (!applied) apply(size);
  if (!applied || document.querySelector("[data-test-script-state=running]")) {
    later();
    return;
  }
  const before = JSON.stringify(size);
  const { grow } = size;
  change(size, picture);
  apply(size);
  state.grew = size.grow > grow;
  if (JSON.stringify(size) !== before) later();
  else {
    chooseAsked(picture);
    dispatchEvent(new Event(FITTED));
  }
}

/** One step towards the size at which the picture fits. @param {Size} size @param {HTMLElement} picture */
function change(size, picture) {
  if (size.scrolls) {
    size.scrolls = picture.scrollHeight > picture.clientHeight + 2;
    return;
  }
  const { top, bottom } = picture.getBoundingClientRect();
  const room = innerHeight - GAP_PX;
  const formulas = here.dataset.rbFormulas === "shown";
  const least = Math.max(LEAST, 1 / usualZoom());
  const wide = picture.scrollWidth > picture.clientWidth + MARGIN_PX || isCut(picture);
  if (size.grow > 1 && bottom - top > FOLDED * (room - top)) {
    Object.assign(size, { grow: 1, raises: RAISES });
  } else if (size.grow > 1 && (bottom > innerHeight || wide || bottom - top > BROKEN * size.low * size.grow)) {
    const fitting = wide || bottom <= innerHeight ? size.grow - 0.1 : size.grow * Math.min(0.97, (room - top) / (bottom - top));
    size.grow = Math.max(1, fitting, size.grow > 1.1 && !wide ? 1 + 0.6 * (size.grow - 1) : 1); // lines may join again
    size.raises = RAISES;
  } else if ((bottom > innerHeight || wide) && size.fit > least) {
    size.fit = Math.max(least, size.fit * Math.min(wide ? 0.95 : 0.99, room / bottom));
  } else if (bottom > innerHeight && !size.tight) {
    size.tight = true;
  } else if (bottom > innerHeight) {
    Object.assign(size, { scrolls: true, top });
  } else if (size.raises < RAISES && size.fit < 1 && bottom < FULL * innerHeight) {
    size.raises += 1;
    size.fit = Math.min(1, size.fit * room / bottom);
  } else if (size.raises < RAISES && size.fit === 1 && !formulas && !wide && bottom < LOW * innerHeight) {
    size.raises += 1;
    size.low = (bottom - top) / size.grow;
    size.grow = Math.min(MOST, size.grow * ((room - top) / (bottom - top)) ** WRAPS);
  }
}

/** @param {Size} size */
function apply(size) {
  state.applied = size;
  placeArea();
  here.style.setProperty("--rb-fit", String(size.fit));
  here.style.setProperty("--rb-grow", String(size.grow));
  here.style.setProperty("--rb-top", `${size.top}px`);
  here.dataset.rbTight = String(size.tight);
  here.dataset.rbScrolls = String(size.scrolls);
}
