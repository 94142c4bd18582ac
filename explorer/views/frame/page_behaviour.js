// Behaviour of every page: the meaning of a term stays within the window, and Escape closes it, wherever the pointer
// and the focus are. On a phone the
// sidebar, which covers the page, closes once a page is chosen. A followed link is noted, and parts that no
// translator may change are marked. What a preset has changed is brought into view and marked for a moment. Parts have
// the names by which a screen reader knows them.
// Another colour scheme of the system is that of the whole page. A pointer that has not moved since a press points at
// nothing.

import { fitFormulas } from "../look/fit_formulas.js";
import { fitPicture } from "../look/fit_picture.js";
import { keepScheme, watchScheme } from "../look/scheme.js";
import { connect } from "../widgets/connect.js";
import { coverParts } from "../widgets/cover.js";
import { element } from "../widgets/dom.js";
import { forgetLink, noteLink } from "../widgets/leaving.js";
import { OTHERWISE, announce, liveRegion } from "../widgets/live.js";
import { watchApp } from "../widgets/resend.js";
import { watchPointer } from "../widgets/resting.js";
import { t } from "../widgets/translations.js";
import { reachByKeys } from "../widgets/width.js";
import { keepFocus, watchFocus } from "./keep_focus.js";
import { keepLecture } from "./lecture/keep_lecture.js";
import { guardLetters } from "./letter_keys.js";
import { keepOneEntry } from "./one_entry.js";
import { keepRoom } from "./polls/keep_room.js";
import { showPress } from "./preset_highlight.js";
import { showTitles } from "./titles.js";

// Parts drawn by Streamlit that a browser's translator must not change: programs, charts, and widgets with words and
// sentences. Streamlit's React keeps their text nodes, and fails if a translator has replaced them.

const DRAWN = ["[data-testid=stCode]", "[data-testid=stPlotlyChart]", "[data-testid=stDataFrame]"];
const WORDS = ["[class*=st-key-own-words]", ".st-key-own-cells", "[class*=st-key-probing-own]", ".st-key-models-sentence"];
const UNMARKED = [...DRAWN, ...WORDS].map((part) => `${part}:not([translate])`).join();

function mark() {
  for (const part of document.querySelectorAll(UNMARKED)) part.setAttribute("translate", "no");
}

/** Mark them now, and later ones when they appear; once for a tab. */
function keepUntranslated() {
  const tab = document.documentElement.dataset;
  if (tab.rbUntranslated) return;
  tab.rbUntranslated = "yes";
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}

// What screen readers and the keyboard need of the parts that Streamlit draws: the list of pages is navigation and says
// which page is open, the picture has a name, a link leads to it, and what has changed below it is said.

const [HEADING, READING] = ["rb-picture", "rb-reading"]; // ids, see view.py and under_picture.py
// Scroll sideways where they are wider than the screen, see wide.css.
const WIDE = ".rb-wide, [class*=st-key-wide-], .st-key-bertviz, [data-testid=stMarkdownContainer] table";
const CHANGES = ".rb-now, .rb-said, [class*=st-key-problem]";

/** Name the parts that are on the page now; it is called after every change. */
function nameParts() {
  const pages = document.querySelector(".st-key-pages");
  if (pages) name(pages, { role: "navigation", "aria-label": t("Pages") });
  const here = location.pathname.split("/").at(-1);
  for (const link of pages?.querySelectorAll("a") ?? []) {
    const [page] = (link.getAttribute("href") ?? "").split("?");
    name(link, { "aria-current": page === here ? "page" : null });
  }
  for (const picture of document.querySelectorAll(".st-key-picture")) name(picture, { role: "region", "aria-labelledby": HEADING });
  // A term is one stop of a page, however often it stands there.
  const terms = new Set();
  for (const term of document.querySelectorAll(".rb-term[data-meaning]")) {
    const meaning = term.getAttribute("data-meaning");
    name(term, { tabindex: terms.has(meaning) ? "-1" : "0" });
    terms.add(meaning);
  }
  // A chart's letters would be read one by one; its numbers are in the table.
  for (const chart of document.querySelectorAll("[data-testid=stPlotlyChart]"))
    name(chart, { role: "img", "aria-labelledby": HEADING, "aria-describedby": READING });
  document.querySelectorAll(WIDE).forEach(reachByKeys);
}

/** The link to the picture, before all else, and the region in which changes are said; once for a tab. */
function addOnce() {
  const before = document.querySelector(".rb-skip");
  if (before) before.textContent = t("Skip to the picture");
  if (before) return;
  liveRegion();
  const link = element("a", "rb-skip", t("Skip to the picture"));
  link.href = `#${HEADING}`;
  link.addEventListener("click", (event) => {
    event.preventDefault(); // the address is that of the settings
    document.getElementById(HEADING)?.focus();
  });
  document.body.prepend(link);
}

/** A function that announces what has changed since it was last called: another page, or a line below the picture. */
function changes() {
  let before = look();
  return () => {
    const now = look();
    if (now.page !== before.page) announce(now.page, "page");
    else if (now.title === before.title) {
      if (now.lines !== before.lines) announce(now.lines, "changes");
      if (now.drawn !== before.drawn || now.of !== before.of) announce(now.drawn, OTHERWISE);
    }
    before = now;
  };
}

function look() {
  const lines = [...document.querySelectorAll(CHANGES)].map((part) => part.textContent);
  const [page, drawn] = ["h1", ".rb-drawn"].map((part) => document.querySelector(part)?.textContent ?? "");
  const of = document.querySelector(".rb-drawn")?.getAttribute("data-of"); // two texts may be described in the same words
  return { title: document.title, page, lines: lines.join(" "), drawn, of };
}

/** Set attributes; null takes one away. Nothing is touched that is as it should be. */
function name(part, attributes) {
  for (const [attribute, value] of Object.entries(attributes)) {
    if (part.getAttribute(attribute) === value) continue;
    if (value === null) part.removeAttribute(attribute);
    else part.setAttribute(attribute, value);
  }
}

const OVER = "(max-width: 768px)"; // windows in which Streamlit lays the sidebar over the page
const ON_SIDE = "(max-width: 950px) and (max-height: 500px)"; // a phone in landscape, where it would take a quarter
const MEANING_PX = 330; // as wide as the meaning of a term may be, with a gap
const GAP_PX = 8;
const LATE_MS = 2000; // as page.css has it
const RELOADED = "riverbank/reloaded"; // in the tab's storage: when Streamlit had given up last
const ONCE_IN_MS = 30_000;
const PAGE_LINK = "[data-testid=stSidebar] [data-testid=stPageLink-NavLink]";

// A component that is built once stays in the language that was left, so the page is loaded anew in the other one.
function speak(language) {
  const { dataset } = document.documentElement;
  const before = dataset.rbLanguage;
  dataset.rbLanguage = document.documentElement.lang = language;
  if (before === undefined || before === language) return;
  const address = new URL(location.href);
  address.searchParams.set("lang", language);
  location.replace(address);
}

/**
 * @typedef {object} Data
 * @property {string} session which differs from session to session
 * @property {import("./preset_highlight.js").Press} press the last press on a preset
 * @property {string} language that of the page, such as "fr"
 * @property {"light" | "dark"} scheme the colour scheme in which the page was drawn
 * @property {import("./lecture/keep_lecture.js").Lecture} lecture
 * @property {string | null} room the room of a class, see keep_room.js
 * @property {string | null} covered the state of the class's question, which may cover the picture
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, { press, language, scheme, room, lecture }, send) {
  speak(language);
  keepUntranslated();
  showTitles();
  guardLetters();
  keepFocus();
  keepOneEntry();
  keepScheme(scheme, send);
  // One after the other: of two messages that wait for a server Streamlit keeps the newer.
  root.bring = () => keepRoom(room, send) || keepLecture(lecture, send);
  root.bring();
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
  forgetLink(); // it has led here
  const watch = watchPicture();
  const leaveFocus = watchFocus();
  const leavePointer = watchPointer();
  const leaveScheme = watchScheme();
  const leaveConnection = watchConnection(() => {
    root.bring(); // what it brought may be lost: another run than its own seemed to answer it
    root.send("again", Date.now()); // with what Streamlit's own widgets show
  });
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

/**
 * Read aloud what page.css writes when the connection has been lost for a while, and that it is back. After a message
 * that it cannot read Streamlit connects no more: the page is loaded again, which finds its place.
 */
function watchConnection(returned) {
  let late = 0;
  let said = false;
  const say = () => {
    const { content } = getComputedStyle(/** @type {Element} */ (document.querySelector(".stApp")), "::after");
    said = content.startsWith('"');
    if (said) announce(content.slice(1, -1), "connection");
  };
  return watchApp({
    lost: () => {
      late = window.setTimeout(say, LATE_MS);
      if (!document.querySelector('.stApp[data-test-connection-state="DISCONNECTED_FOREVER"]')) return;
      if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < ONCE_IN_MS) return;
      sessionStorage.setItem(RELOADED, String(Date.now()));
      location.reload();
    },
    returned: () => {
      clearTimeout(late);
      if (said) announce(t("The connection is back."), "connection");
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
