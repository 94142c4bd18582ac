// A browser also reports a pointer that lies still, when the page scrolls or changes under it. What comes to be under
// it after a press is not pointed at: until the pointer moves, no picture hears of it.
const REPORTS = ["pointerover", "pointerenter", "pointermove", "mouseover", "mouseenter", "mousemove"];
const SHAKE_PX = 3; // which a hand moves while it presses
const here = document.documentElement.dataset; // outlives the components, of which each page has new ones

const placeOf = (event) => `${event.screenX} ${event.screenY}`;

/** The pointer lies where it was seen last, and whatever is drawn from now on has not been pointed at. */
export function rest() {
  if (here.rbPointer) here.rbResting = here.rbPointer;
}

/** Whether the pointer has not moved since the last press. */
export function resting() {
  return here.rbResting !== undefined;
}

/** @param {PointerEvent} event */
function press(event) {
  here.rbPointer = placeOf(event);
  const onFrame = event.target instanceof Element && event.target.querySelector(":scope > iframe");
  if (event.pointerType === "mouse" && !onFrame) rest(); // a press that a resting frame has missed wakes it
  else delete here.rbResting;
}

/** @param {any} event of a pointer or a mouse */
function report(event) {
  if (event.pointerType === "touch") return;
  here.rbPointer = placeOf(event);
  if (!here.rbResting) return;
  const [x, y] = here.rbResting.split(" ").map(Number);
  if (Math.hypot(event.screenX - x, event.screenY - y) <= SHAKE_PX) {
    event.stopImmediatePropagation();
    return;
  }
  delete here.rbResting;
  const part = event.composedPath()[0]; // the browser has reported it, and will not do so again
  part.dispatchEvent(new PointerEvent("pointerover", event));
  part.dispatchEvent(new MouseEvent("mouseover", event));
}

/** Returns what ends it. */
export function watchPointer() {
  const end = new AbortController();
  const options = { capture: true, signal: end.signal };
  addEventListener("pointerdown", press, options);
  addEventListener("keydown", rest, options);
  for (const type of REPORTS) addEventListener(type, report, options);
  return () => end.abort();
}
