// One press is one entry of the browser's history. Before Streamlit goes to another page it writes the page that it leaves
// once more, without its settings; and the page adds its own once it has run. Back would stop at each and seem dead: so
// the other page's address, and what is written after it, replace an entry at which nobody has done anything.
const ACTS = ["keydown", "pointerdown", "click", "input", "change", "drop"];

/** Keep it so in this tab from now on. */
export function keepOneEntry() {
  const tab = document.documentElement.dataset;
  if (tab.rbOneEntry) return; // it outlives the components
  tab.rbOneEntry = "yes";
  let acted = true; // since the newest entry; a press may be on its way already
  let opened = false; // whether the newest entry is that of another page than the one before
  for (const act of ACTS) addEventListener(act, (event) => (acted ||= !(/** @type {any} */ (event).repeat)), true);
  addEventListener("popstate", () => ([acted, opened] = [false, true]));
  const push = history.pushState.bind(history);
  history.pushState = (state, unused, url) => {
    const leaves = new URL(url ?? "", location.href).pathname !== location.pathname;
    const replaces = !acted && (leaves || opened);
    if (replaces) history.replaceState(state, unused, url);
    else push(state, unused, url);
    [acted, opened] = [false, leaves || (replaces && opened)];
  };
}
