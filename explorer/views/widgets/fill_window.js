// In presenter mode a picture fills the window: its components are told how much room is free below it.

const GAP_PX = 12; // that stay free
const LATE_MS = 600; // after which all of a picture has been drawn

/** Whether presenter.css is there. */
export const presents = () => getComputedStyle(document.documentElement).getPropertyValue("--rb-grown") !== "";

/**
 * Call `spread` with the px that are free below the page's picture while its components have their usual heights,
 * which `spread(0)` gives them; again whenever the picture or the window changes, or presenter mode is entered or
 * left. Outside of presenter mode nothing is free. Components beside each other get the same, those below each other half of it.
 * @param {any} root
 * @param {(free: number) => void} spread
 */
export function fillWindow(root, spread) {
  root.spread = spread;
  /** @type {any} */
  const picture = document.querySelector(".st-key-picture");
  if (!picture) {
    spread(0);
    return;
  }
  picture.filling ??= new Set();
  picture.filling.add(root);
  fill(picture);
  setTimeout(() => root.isConnected && fill(picture), LATE_MS);
  if (picture.watch) return;
  picture.watch = new ResizeObserver(() => fill(picture));
  picture.watch.observe(picture);
  picture.watch.observe(document.documentElement);
}

function fill(picture) {
  const roots = [...picture.filling].filter((root) => root.isConnected);
  picture.filling = new Set(roots);
  roots.forEach((root) => root.spread(0));
  if (!presents()) return;
  const free = roomBelow(picture);
  const zoom = picture.getBoundingClientRect().width / picture.offsetWidth || 1;
  for (const part of [1, 0.5, 0]) {
    roots.forEach((root) => root.spread((part * Math.max(free, 0)) / zoom));
    if (roomBelow(picture) > -2) return;
  }
}

const roomBelow = (picture) => innerHeight - GAP_PX - picture.getBoundingClientRect().bottom;
