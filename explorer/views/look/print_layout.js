// On paper a picture is drawn as Save draws it, with its canvases, and whole where it scrolls on the screen; below it
// stand its caption and its address. print.css says what is printed around it.
import { element } from "../widgets/dom.js";
import { drawPicture } from "../frame/saving/saver_picture.js";

const LONGEST = 4; // times what is seen of a list: a longer one is printed as it is seen
const WIDEST_PX = 2400;

/** @param {string[]} caption the lines under a saved picture */
export function layPaper(caption) {
  clearPaper();
  /** @type {HTMLElement | null} */
  const picture = document.querySelector(".st-key-picture");
  if (!picture?.offsetHeight) return;
  const sheet = element("div", "rb-sheet");
  sheet.dataset.save = "no";
  const restore = unroll(picture);
  const { svg } = drawPicture(picture, "");
  restore();
  sheet.append(svg, ...[...caption, location.href].map((line) => element("p", "", line)));
  picture.append(sheet);
}

export function clearPaper() {
  document.querySelectorAll(".rb-sheet").forEach((sheet) => sheet.remove());
}

/**
 * Give what scrolls the room that it needs; returns the way back.
 * @param {HTMLElement} picture
 */
function unroll(picture) {
  const scrolling = inside(picture).filter((part) => /auto|scroll/.test(getComputedStyle(part).overflow));
  const changed = [picture, ...scrolling].map((part) => ({ part, before: part.style.cssText }));
  const wider = Math.max(1, ...scrolling.map((part) => part.scrollWidth / (part.clientWidth || part.scrollWidth)));
  if (wider > 1) picture.style.minWidth = `${Math.min(picture.offsetWidth * wider, WIDEST_PX)}px`;
  for (const part of scrolling)
    if (part.scrollHeight <= LONGEST * part.clientHeight) Object.assign(part.style, { maxHeight: "none", height: `${part.scrollHeight}px` });
  return () => changed.forEach(({ part, before }) => (part.style.cssText = before));
}

/** @returns {HTMLElement[]} all that is in an element, in its components too */
function inside(root) {
  return [...root.querySelectorAll("*")].flatMap((part) => [part, ...(part.shadowRoot ? inside(part.shadowRoot) : [])]);
}
