// The colour scheme of the system may change while a page is open. Streamlit's parts follow at once; our colours, many of
// which are computed from data, come with the page, so it is asked for anew. Once its style is there, pictures that
// have read their colours from it are drawn again.
import { RECOLOURED } from "../widgets/connect.js";

/** @type {string} what the page was drawn in; empty before it was drawn at all */
let drawn = "";
let asked = ""; // for which scheme it was last asked
let times = 0; // how often; a page may have other colours for another reason than that it was not asked for
const MOST = 3;
/** @type {() => void} */
let ask = () => {};

/**
 * To be called when a page has been drawn.
 * @param {"light" | "dark"} scheme what it was drawn in
 * @param {import("../widgets/connect.js").Send} send
 */
export function keepScheme(scheme, send) {
  const before = drawn;
  drawn = scheme;
  if (before && before !== scheme) tellPictures(scheme);
  ask = () => send("scheme", `${asked} ${times}`); // what is as it was would not be sent
  if (times < MOST) asked = ""; // what was asked while another page was on its way was lost
  compare();
}

/** Watch the page; returns a function that ends it. */
export function watchScheme() {
  const watch = new MutationObserver(compare);
  const app = document.querySelector(".stApp");
  if (app) watch.observe(app, { attributes: true, attributeFilter: ["class"] }); // it has another class in each scheme
  return () => watch.disconnect();
}

function compare() {
  const app = document.querySelector(".stApp");
  const shown = app ? getComputedStyle(app).colorScheme : drawn;
  if (shown === drawn) {
    asked = "";
    times = 0;
  } else if (shown !== asked) {
    asked = shown;
    times += 1;
    ask();
  }
}

/** Tell the pictures as soon as the page's style is that of the scheme, unless another one has come meanwhile. */
function tellPictures(scheme) {
  if (scheme !== drawn) return;
  if (getComputedStyle(document.documentElement).getPropertyValue("--rb-scheme") === scheme) dispatchEvent(new Event(RECOLOURED));
  else requestAnimationFrame(() => tellPictures(scheme));
}
