// The stage is what is left below the title and the question; there the picture stands, or what lies over it. A covered
// picture is shown if it still draws half of that; where less is left of it, or its view says so, the question stands there, large. A question
// about a sentence has more to show than a frame with little in it: there half of the area's cells have to be drawn.
const DRAWN = 0.5; // of the area, in the box around all that is in sight
const CELLS = [16, 9]; // across and down
const FRAME = 0.1; // of the area: a larger part is a frame or a ground
const INK = "text, path, rect, circle, line, image, img, canvas, button, input, td, th, p, span, b, label, iframe";
const here = document.documentElement;

/** Where the stage begins, for the style. */
export function placeArea() {
  here.style.setProperty("--rb-area-top", `${areaTop()}px`);
}

/** Whether a covered picture or the question stands in the area. @param {HTMLElement} picture once it has its size */
export function chooseAsked(picture) {
  placeArea();
  const asked = document.querySelector(".st-key-asked");
  if (!asked) return;
  const isFrame = getComputedStyle(here).getPropertyValue("--rb-covers-most") === "1";
  const share = asked.querySelector(".rb-sentence") ? cellsDrawn(picture) : drawnShare(picture);
  here.dataset.rbAsks = share >= DRAWN && !isFrame ? "picture" : "question";
}

/** The share of the area's cells in which the picture shows something. @param {HTMLElement} picture */
function cellsDrawn(picture) {
  const top = areaTop();
  const [across, down] = CELLS;
  const [width, height] = [innerWidth / across, (innerHeight - top) / down];
  const cells = new Set();
  for (const box of inkOf(picture)) {
    if (box.width * box.height > FRAME * innerWidth * (innerHeight - top)) continue;
    for (let x = Math.floor(box.left / width); x < Math.min(box.right / width, across); x++) {
      for (let y = Math.floor((box.top - top) / height); y < Math.min((box.bottom - top) / height, down); y++) {
        if (x >= 0 && y >= 0) cells.add(y * across + x);
      }
    }
  }
  return cells.size / (across * down);
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

/** Whether something that can be seen goes beyond the right edge of the window, or is scrolled to. @param {HTMLElement} picture */
export function isCut(picture) {
  return inkOf(picture).some(({ right }) => right > innerWidth + 1) || partsOf(picture, "*").some(scrollsAcross);
}

/** @param {Element} part */
const scrollsAcross = (part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 1 && /auto|scroll/.test(getComputedStyle(part).overflowX);

/** @param {HTMLElement} picture */
function inkOf(picture) {
  const boxes = partsOf(picture).filter(isSeen).map((part) => part.getBoundingClientRect());
  return boxes.filter(({ width, height }) => width && height);
}

/** The parts of these names, also within components. @param {Element | ShadowRoot} root @returns {Element[]} */
function partsOf(root, names = INK) {
  return [...root.querySelectorAll("*")].flatMap((part) => [...(part.matches(names) ? [part] : []), ...(part.shadowRoot ? partsOf(part.shadowRoot, names) : [])]);
}

const isSeen = (part) => getComputedStyle(part).visibility === "visible" && (part.localName !== "span" || part.textContent.trim() !== "");
