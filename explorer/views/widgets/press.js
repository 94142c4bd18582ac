// What a cell does that is no button: it is pressed by keys, and dragged.

/** Press what has the focus by Enter or Space. @param {any} event @param {() => void} act */
export function byKey(event, act) {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  act();
}

/**
 * Follow the pointer that has come down on an element, a finger too, until it goes up or is taken away.
 * @param {any} event
 * @param {(to: any) => void} move
 * @param {(to: any) => void} drop
 */
export function followPointer({ currentTarget, pointerId }, move, drop) {
  const end = new AbortController();
  const { signal } = end;
  currentTarget.setPointerCapture(pointerId);
  currentTarget.addEventListener("pointermove", move, { signal });
  for (const name of ["pointerup", "pointercancel"]) {
    currentTarget.addEventListener(name, (to) => {
      end.abort();
      drop(to);
    }, { signal });
  }
}
