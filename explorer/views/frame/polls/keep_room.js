// The teacher's room outlives the session on the server: the tab keeps its code and secret, and brings them along after a
// reload or a restart. A link with both, “#class=CODE.SECRET”, makes another tab the teacher's; no server sees that part of
// an address, and it is removed at once.
const KEPT = "riverbank/room"; // in the tab's storage
const LINK = "#class=";

/**
 * The room that this tab was opened with, or had before; empty without one.
 * @param {string} [kept] under which name; a window that another one opens has a copy of that one's storage
 */
export function keptRoom(kept = KEPT) {
  takeLink(kept);
  return sessionStorage.getItem(kept) ?? "";
}

/** Whether the address had a room, which is now kept. */
function takeLink(kept) {
  if (!location.hash.startsWith(LINK)) return false;
  sessionStorage.setItem(kept, location.hash.slice(LINK.length));
  history.replaceState(history.state, "", location.pathname + location.search);
  return true;
}

/**
 * To be called when a page has been drawn.
 * @param {string | null} room that of the session; empty once it has ended, null if it never had one
 * @param {import("../../widgets/connect.js").Send} send
 * @returns {boolean} whether the room was sent
 */
export function keepRoom(room, send) {
  const brings = takeLink(KEPT) || (room === null && Boolean(keptRoom()));
  if (brings) send("room", keptRoom());
  else if (room) sessionStorage.setItem(KEPT, room);
  else sessionStorage.removeItem(KEPT);
  return brings;
}
