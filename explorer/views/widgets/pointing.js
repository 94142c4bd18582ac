import { resting } from "./resting.js";

/**
 * Say what is pointed at in an area. A mouse points wherever it is; a finger at what it taps, until it taps elsewhere
 * or Escape is pressed. (A browser reports that a finger leaves as soon as it is lifted.)
 * @param {any} area
 * @param {(event: any) => unknown} point
 * @param {() => unknown} leave
 * @param {"pointermove" | "pointerover"} [moves] the event of a mouse that is followed
 */
export function pointing(area, point, leave, moves = "pointermove") {
  const byFinger = (event) => event.pointerType === "touch";
  let finger = false; // whether the last press was a finger's; a click of some browsers does not say
  let end = new AbortController();
  // From one part of a component to another, an event of the pointer does not reach the window: see resting.js.
  area.addEventListener(moves, (event) => byFinger(event) || resting() || point(event));
  area.addEventListener("pointerleave", (event) => byFinger(event) || leave());
  area.addEventListener("pointerdown", (event) => (finger = byFinger(event)), true);
  area.addEventListener("click", (event) => {
    if (!finger || !event.detail) return; // without detail it is the keyboard's
    point(event);
    end.abort();
    end = new AbortController();
    const away = (later) => {
      const elsewhere = later.type === "keydown" ? later.key === "Escape" : !later.composedPath().includes(area);
      if (!elsewhere) return;
      end.abort();
      leave();
    };
    for (const type of ["pointerup", "keydown"]) document.addEventListener(type, away, { capture: true, signal: end.signal });
  });
}
