// Before Streamlit goes to another page it writes the address of the one that it leaves once more, without
// its settings. Back and Forward would come to it and seem dead: they pass over it. (Where a browser has
// no Navigation API, it takes one press more.)
const KEPT = "riverbank/left-twice"; // in the tab's storage, which outlives the components
const SOON = 3000; // ms between the two entries; a person takes longer
const navigation = /** @type {any} */ (window).navigation;

/** @returns {string[]} keys of entries of the tab's history */
const passed = () => JSON.parse(sessionStorage.getItem(KEPT) ?? "[]");

/** Watch the history of the tab from now on. */
export function passOver() {
  const tab = document.documentElement.dataset;
  if (!navigation || tab.rbPassesOver) return; // a component comes anew with each page; two would go twice as far
  tab.rbPassesOver = "yes";
  /** @type {{ key: string, path: string, since: number } | null} */
  let bare = null; // an entry that was just written, without settings
  const changed = (event) => {
    const { key, index } = navigation.currentEntry;
    if (event.navigationType === "traverse" && passed().includes(key)) history.go(Math.sign(index - event.from.index));
    if (event.navigationType !== "push") return;
    const now = performance.now();
    const left = bare && bare.path !== location.pathname && now - bare.since < SOON ? [bare.key] : [];
    sessionStorage.setItem(KEPT, JSON.stringify([...passed(), ...left]));
    bare = location.search === "?present=1" ? { key, path: location.pathname, since: now } : null;
  };
  navigation.addEventListener("currententrychange", changed);
}
