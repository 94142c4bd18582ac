// The stage is what is left below the title and the question; there the picture stands, or what lies over it. A covered
// picture is shown if it still draws half of that; where less is left of it, the question stands there, large.
const DRAWN = 0.5; // of the area, in the box around all that is in sight
const INK = "text, path, rect, circle, line, image, img, canvas, button, input, td, th, p, span, b, label, iframe";
const here = document.documentElement;

/** Where the stage begins, for the style. */
export function placeArea() {
  here.style.setProperty("--rb-area-top", `${areaTop()}px`);
}

/** Whether a covered picture or the question stands in the area. @param {HTMLElement} picture once it has its size */
export function chooseAsked(picture) {
  placeArea();
  if (document.querySelector(".st-key-asked")) here.dataset.rbAsks = drawnShare(picture) >= DRAWN ? "picture" : "question";
}

function areaTop() {
  const above = document.querySelectorAll(".st-key-header, .st-key-question");
  return Math.max(0, ...[...above].map((part) => part.getBoundingClientRect().bottom)) + 8;
}

/** How much of the area the box around all that the picture shows takes. @param {HTMLElement} picture */
function drawnShare(picture) {
  const top = areaTop();
  const boxes = inkOf(picture);
  if (!boxes.length) return 0;
  const edge = (name, pick) => pick(...boxes.map((box) => box[name]));
  const [left, right] = [Math.max(edge("left", Math.min), 0), Math.min(edge("right", Math.max), innerWidth)];
  const [high, low] = [Math.max(edge("top", Math.min), top), Math.min(edge("bottom", Math.max), innerHeight)];
  return (Math.max(right - left, 0) * Math.max(low - high, 0)) / (innerWidth * (innerHeight - top));
}

/** Whether something that can be seen goes beyond the right edge of the window. @param {HTMLElement} picture */
export function isCut(picture) {
  return inkOf(picture).some(({ right }) => right > innerWidth + 1);
}

/** @param {HTMLElement} picture */
function inkOf(picture) {
  const boxes = partsOf(picture).filter(isSeen).map((part) => part.getBoundingClientRect());
  return boxes.filter(({ width, height }) => width && height);
}

/** The parts that can be seen, also within components. @param {Element | ShadowRoot} root @returns {Element[]} */
function partsOf(root) {
  return [...root.querySelectorAll("*")].flatMap((part) => [...(part.matches(INK) ? [part] : []), ...(part.shadowRoot ? partsOf(part.shadowRoot) : [])]);
}

const isSeen = (part) => getComputedStyle(part).visibility === "visible" && (part.localName !== "span" || part.textContent.trim() !== "");
