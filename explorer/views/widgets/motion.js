/** Whether this visitor prefers reduced motion. */
export function calm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * A movement that starts and ends slowly.
 * @param {number} part of its time, from 0 to 1
 */
export function ease(part) {
  return part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
}
