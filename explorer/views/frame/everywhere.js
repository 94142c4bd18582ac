// What holds on every page: Escape closes the meaning of a term, wherever the pointer and the focus are; on a
// phone, where the sidebar lies over the page, it closes once a page is chosen there; a followed link is noted; and
// what no translator should touch is marked.
import { connect } from "../widgets/connect.js";
import { forgetLink, noteLink } from "../widgets/leaving.js";
import { keepUntranslated } from "./untranslated.js";

const OVER = "(max-width: 768px)"; // windows in which Streamlit lays the sidebar over the page
const PAGE_LINK = "[data-testid=stSidebar] [data-testid=stPageLink-NavLink]";

/** @param {any} root */
export function draw(root) {
  keepUntranslated();
  if (root.listening) return undefined;
  root.listening = true;
  const keyed = (event) => event.key === "Escape" && document.querySelectorAll(".rb-term:is(:hover, :focus)").forEach(closeTerm);
  const clicked = (event) => event.target.closest?.(PAGE_LINK) && matchMedia(OVER).matches && closeSidebar();
  document.addEventListener("keydown", keyed);
  document.addEventListener("click", clicked);
  document.addEventListener("click", noteLink, true); // before Streamlit's own answer to it
  addEventListener("popstate", forgetLink);
  return () => {
    root.listening = false;
    document.removeEventListener("keydown", keyed);
    document.removeEventListener("click", clicked);
    document.removeEventListener("click", noteLink, true);
    removeEventListener("popstate", forgetLink);
  };
}

/** @param {Element} term It can be opened by what opened it before. */
function closeTerm(term) {
  term.classList.add("rb-closed");
  const open = () => term.classList.remove("rb-closed");
  for (const again of ["pointerenter", "focus", "blur"]) term.addEventListener(again, open, { once: true });
}

function closeSidebar() {
  /** @type {HTMLElement | null} */
  const closer = document.querySelector("[data-testid=stSidebarCollapseButton] button");
  closer?.click();
}

export default connect(draw);
