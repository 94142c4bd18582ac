// A lecture outlives the session on the server: the browser keeps the answers of a course, and the tab the text of one's
// own lecture, and brings them along when the address names it after a reload or a restart.
const KEPT = "riverbank/lecture"; // in the tab's storage, and in the browser's for a lecture that ships

/** @typedef {{ wanted: string, state: string | null }} Lecture what lecture_place.py says */

/**
 * To be called when a page has been drawn.
 * @param {Lecture} lecture
 * @param {import("../../widgets/connect.js").Send} send
 */
export function keepLecture({ wanted, state }, send) {
  if (wanted) {
    const states = [sessionStorage, localStorage].map((storage) => storage.getItem(KEPT) ?? "");
    send("lecture", states.find((one) => courseOf(one) === wanted) ?? "");
  } else if (state) {
    store(sessionStorage, state);
    if (courseOf(state) !== "own") store(localStorage, state);
  } else if (state === "") {
    for (const storage of [sessionStorage, localStorage]) storage.removeItem(KEPT);
  }
}

/** Which lecture a kept state is about; none if it is damaged. */
function courseOf(state) {
  try {
    return JSON.parse(state).course;
  } catch {
    return "";
  }
}

/** A full storage, or one that the browser refuses, keeps nothing. */
function store(storage, state) {
  try {
    storage.setItem(KEPT, state);
  } catch {
    storage.removeItem(KEPT);
  }
}
