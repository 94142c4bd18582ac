// Behaviour of every page: the meaning of a term stays within the window, and Escape closes it, wherever the pointer
// and the focus are. On a phone the
// sidebar, which covers the page, closes once a page is chosen. A followed link is noted, and parts that no
// translator may change are marked. What a preset has changed is brought into view and marked for a moment. Parts have
// the names by which a screen reader knows them.
// Another colour scheme of the system is that of the whole page. A pointer that has not moved since a press points at
// nothing.
import { connect } from "../widgets/connect.js";
import { coverParts } from "../widgets/cover.js";
import { forgetLink, noteLink } from "../widgets/leaving.js";
import { announce } from "../widgets/live.js";
import { watchApp } from "../widgets/resend.js";
import { watchPointer } from "../widgets/resting.js";
import { fitFormulas } from "../look/fit_formulas.js";
import { fitPicture } from "../look/fit_picture.js";
import { keepLecture } from "./lecture/keep_lecture.js";
import { keepFocus, watchFocus } from "./focus.js";
import { guardLetters } from "./letter_keys.js";
import { keepRoom } from "./polls/keep_room.js";
import { showPress } from "./preset_highlight.js";
import { keepScheme, watchScheme } from "../look/scheme.js";
import { addOnce, changes, nameParts } from "./structure.js";
import { showTitles } from "./titles.js";
import { keepUntranslated } from "./untranslated.js";

const OVER = "(max-width: 768px)"; // windows in which Streamlit lays the sidebar over the page
const ON_SIDE = "(max-width: 950px) and (max-height: 500px)"; // a phone in landscape, where it would take a quarter
const MEANING_PX = 330; // as wide as the meaning of a term may be, with a gap
const GAP_PX = 8;
const LATE_MS = 2000; // as page.css has it
const PAGE_LINK = "[data-testid=stSidebar] [data-testid=stPageLink-NavLink]";

/**
 * @typedef {object} Data
 * @property {string} session which differs from session to session
 * @property {import("./preset_highlight.js").Press} press the last press on a preset
 * @property {"light" | "dark"} scheme the colour scheme in which the page was drawn
 * @property {import("./lecture/keep_lecture.js").Lecture} lecture
 * @property {string | null} room the room of a class, see keep_room.js
 * @property {string | null} covered the state of the class's question, which may cover the picture
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, { press, scheme, room, lecture }, send) {
  keepUntranslated();
  showTitles();
  guardLetters();
  keepFocus();
  keepScheme(scheme, send);
  keepRoom(room, send);
  keepLecture(lecture, send);
  showPress(press);
  coverParts();
  closeOnSide();
  fitPicture();
  fitFormulas();
  addOnce();
  nameParts();
  root.send = send;
  if (root.listening) return undefined;
  root.listening = true;
  const watch = watchPicture();
  const leaveFocus = watchFocus();
  const leavePointer = watchPointer();
  const leaveScheme = watchScheme();
  const leaveConnection = watchConnection(() => root.send("again", Date.now())); // with what Streamlit's own widgets show
  const keyed = (event) => event.key === "Escape" && document.querySelectorAll(".rb-term:is(:hover, :focus)").forEach(closeTerm);
  const clicked = (event) => event.target.closest?.(PAGE_LINK) && matchMedia(OVER).matches && closeSidebar();
  for (const type of ["pointerover", "focusin"]) document.addEventListener(type, placeTerm);
  document.addEventListener("keydown", keyed);
  document.addEventListener("click", clicked);
  document.addEventListener("click", noteLink, true); // before Streamlit's own answer to it
  addEventListener("popstate", forgetLink);
  return () => {
    root.listening = false;
    watch.disconnect();
    leaveFocus();
    leavePointer();
    leaveScheme();
    leaveConnection();
    for (const type of ["pointerover", "focusin"]) document.removeEventListener(type, placeTerm);
    document.removeEventListener("keydown", keyed);
    document.removeEventListener("click", clicked);
    document.removeEventListener("click", noteLink, true);
    removeEventListener("popstate", forgetLink);
  };
}

/** Read aloud what page.css writes when the connection has been lost for a while, and that it is back. */
function watchConnection(returned) {
  let late = 0;
  let said = false;
  const say = () => {
    const { content } = getComputedStyle(/** @type {Element} */ (document.querySelector(".stApp")), "::after");
    said = content.startsWith('"');
    if (said) announce(content.slice(1, -1), "connection");
  };
  return watchApp({
    lost: () => (late = window.setTimeout(say, LATE_MS)),
    returned: () => {
      clearTimeout(late);
      if (said) announce("The connection is back.", "connection");
      said = false;
      returned();
    },
  });
}

/** The meaning begins at the left of its term, unless the window ends before it. */
function placeTerm(event) {
  /** @type {HTMLElement | null} */
  const term = event.target.closest?.(".rb-term");
  if (!term) return;
  const zoom = term.currentCSSZoom ?? 1;
  const left = term.getClientRects()[0]?.left ?? 0;
  const beyond = left + MEANING_PX * zoom - document.documentElement.clientWidth;
  term.style.setProperty("--rb-meaning", `${-Math.min(Math.max(beyond, 0), Math.max(left - GAP_PX, 0)) / zoom}px`);
}

// Another view has another picture and other formulas, a class is asked, and this component is not drawn again for them.
function watchPicture() {
  const parts = ["st-key-picture", "st-key-formulas", "st-key-strip", "st-key-asked"].map((name) => document.getElementsByClassName(name));
  let before = parts.map((part) => part[0]);
  const announceChanges = changes();
  const watch = new MutationObserver((records) => {
    const nodes = records.flatMap(({ addedNodes, removedNodes }) => [...addedNodes, ...removedNodes]);
    if (nodes.some(({ nodeName }) => nodeName === "STYLE")) coverParts(); // before a picture is drawn
    nameParts();
    announceChanges();
    const now = parts.map((part) => part[0]);
    if (now.every((part, i) => part === before[i])) return;
    before = now;
    fitPicture();
    fitFormulas();
  });
  watch.observe(document.body, { childList: true, subtree: true });
  return watch;
}

/** @param {Element} term Pointer and focus can open it again. */
function closeTerm(term) {
  term.classList.add("rb-closed");
  const open = () => term.classList.remove("rb-closed");
  for (const type of ["pointerenter", "focus", "blur"]) term.addEventListener(type, open, { once: true });
}

/** Once, when the app opens on a phone that lies on its side: Streamlit looks at the width alone. */
function closeOnSide() {
  const here = document.documentElement.dataset;
  if (here.rbSidebar || !matchMedia(ON_SIDE).matches) return;
  here.rbSidebar = "closed";
  if (document.querySelector("[data-testid=stSidebar]:not([data-collapsed=true])")) closeSidebar();
}

function closeSidebar() {
  /** @type {HTMLElement | null} */
  const closer = document.querySelector("[data-testid=stSidebarCollapseButton] button");
  closer?.click();
}

export default connect(draw);
