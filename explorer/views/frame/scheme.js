// The colour scheme of the system may change while a page is open. Streamlit's parts follow at once; our colours, many of
// which are computed from data, come with the page, so it is asked for anew.

/** @type {"light" | "dark"} what the page was drawn in */
let drawn = "light";
let asked = ""; // for which scheme it was last asked: once is enough
/** @type {() => void} */
let ask = () => {};

/**
 * To be called when a page has been drawn.
 * @param {"light" | "dark"} scheme what it was drawn in
 * @param {import("../widgets/connect.js").Send} send
 */
export function keepScheme(scheme, send) {
  drawn = scheme;
  ask = () => send("scheme", asked);
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
  if (shown === drawn) asked = "";
  else if (shown !== asked) {
    asked = shown;
    ask();
  }
}
