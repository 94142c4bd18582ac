// Before Streamlit goes to another page it writes the address of the page that it leaves into the history once more,
// without its settings. Back and Forward would stop there and seem dead, so they skip these entries. (In a browser
// without the Navigation API, one more press is needed.)
const STORED = "riverbank/left-twice"; // in the tab's storage, which outlives the components
const SOON = 3000; // ms between the two entries; a person takes longer
const navigation = /** @type {any} */ (window).navigation;

/** @returns {string[]} keys of entries of the tab's history */
const duplicates = () => JSON.parse(sessionStorage.getItem(STORED) ?? "[]");

/** Watch the history of the tab from now on. */
export function skipDuplicates() {
  const tab = document.documentElement.dataset;
  if (!navigation || tab.rbSkipsDuplicates) return; // each page has a new component; two would skip twice
  tab.rbSkipsDuplicates = "yes";
  /** @type {{ key: string, path: string, since: number } | null} */
  let bare = null; // an entry that was just written, without settings
  const changed = (event) => {
    const { key, index } = navigation.currentEntry;
    if (event.navigationType === "traverse" && duplicates().includes(key)) history.go(Math.sign(index - event.from.index));
    if (event.navigationType !== "push") return;
    const now = performance.now();
    const left = bare && bare.path !== location.pathname && now - bare.since < SOON ? [bare.key] : [];
    sessionStorage.setItem(STORED, JSON.stringify([...duplicates(), ...left]));
    bare = location.search === "?present=1" ? { key, path: location.pathname, since: now } : null;
  };
  navigation.addEventListener("currententrychange", changed);
}
