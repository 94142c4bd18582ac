// What a `title` says to a mouse, and what an ellipsis cuts, is shown to a finger that taps it, until it taps elsewhere,
// and a title to the keyboard as well. It is one box for the page, since the parts are in components.
import { element } from "../widgets/dom.js";
import { t } from "../widgets/translations.js";

/** @returns {Record<string, string>} the names in the address of the boxes of models */
const pickers = () => ({ [t("Model")]: "model", [t("Second model")]: "compare_model" });
const GAP_PX = 4; // from the part, and from the edges of the window

/** Watch the tab from now on. */
export function showTitles() {
  const tab = document.documentElement.dataset;
  if (tab.rbShowsTitles) return;
  tab.rbShowsTitles = "yes";
  const box = element("div", "rb-title");
  box.dir = "auto";
  box.hidden = true;
  document.body.append(box);
  /** @type {HTMLElement | null} */
  let part = null;
  let finger = false;
  const place = () => {
    const at = part?.getClientRects()[0];
    box.hidden = !at;
    if (!at) return;
    const [width, height] = [box.offsetWidth, box.offsetHeight];
    box.style.left = `${Math.max(GAP_PX, Math.min(at.left, innerWidth - width - GAP_PX))}px`;
    const below = at.bottom + GAP_PX + height <= innerHeight;
    box.style.top = `${below ? at.bottom + GAP_PX : Math.max(GAP_PX, at.top - height - GAP_PX)}px`;
  };
  const show = (next, words) => {
    part = words ? next : null;
    box.textContent = words;
    place();
  };
  // A box of models shows the last part of a path; the address has all of it.
  addEventListener("pointerover", ({ target: box }) => {
    const setting = box instanceof HTMLInputElement && pickers()[box.ariaLabel ?? ""];
    if (setting) box.title = (new URLSearchParams(location.search).get(setting) ?? "").replace(/^[^:]*$/, "");
  });
  addEventListener("pointerdown", (event) => (finger = event.pointerType === "touch"), true);
  addEventListener("click", (event) => {
    if (!event.detail) return; // the keyboard's
    const next = finger && event.composedPath().find(wordsOf);
    show(next || null, next ? wordsOf(next) : "");
  });
  addEventListener("focusin", (event) => {
    const at = event.composedPath()[0];
    if (at instanceof HTMLElement && at.matches(":focus-visible")) show(at, at.title);
  });
  addEventListener("focusout", () => finger || show(null, ""));
  addEventListener("keydown", (event) => event.key === "Escape" && show(null, ""));
  addEventListener("scroll", place, { capture: true, passive: true });
}

// A title, or the whole of a text of which an ellipsis stands for the end.
function wordsOf(part) {
  if (!(part instanceof HTMLElement) || part.closest("[data-baseweb]")) return ""; // Streamlit's own lists open
  if (part.title) return part.title;
  const cut = part.scrollWidth > part.clientWidth && getComputedStyle(part).textOverflow === "ellipsis";
  return cut && !part.matches("input, select") ? (part.textContent ?? "") : "";
}
