// On a narrow screen, what scrolls sideways in a frame of its own (wide.css) is saved whole, and the picture is as
// wide as that needs.

const NARROW = "(max-width: 820px)"; // there nothing stands beside a frame

/**
 * The frames in a part of the page that have more than they show.
 * @param {Element} box
 * @returns {Element[]}
 */
export function framesOf(box) {
  if (!matchMedia(NARROW).matches) return [];
  const all = [...box.querySelectorAll("*")].flatMap((part) => [part, ...(part.shadowRoot?.querySelectorAll("*") ?? [])]);
  return [box, ...all].filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX));
}

/**
 * Do something with all frames at their beginnings, and leave them as they were.
 * @template T
 * @param {Element[]} frames
 * @param {() => T} act
 */
export function unscrolled(frames, act) {
  const before = frames.map((frame) => frame.scrollLeft);
  frames.forEach((frame) => (frame.scrollLeft = 0));
  const result = act();
  frames.forEach((frame, at) => (frame.scrollLeft = before[at]));
  return result;
}

/**
 * Where all that is in a frame ends, on the screen.
 * @param {Element} frame
 */
export const endOf = (frame) => frame.getBoundingClientRect().left + frame.scrollWidth;
