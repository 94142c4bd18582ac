// A network may be cut, and what is sent meanwhile never arrives: it is sent again, once, when the connection is back.

const APP = ".stApp"; // Streamlit writes its states on it
const SCRIPT = "data-test-script-state";
const CONNECTION = "data-test-connection-state";

/**
 * Call `lost` when the connection is cut, `returned` when it is back, `begun` and `ended` with each run of the page;
 * returns a function that ends it.
 * @param {{ lost?: () => void, returned?: () => void, begun?: () => void, ended?: () => void }} calls
 */
export function watchApp({ lost, returned, begun, ended }) {
  const app = document.querySelector(APP);
  if (!app) return () => {}; // outside of the app, as in a notebook
  let [connection, script] = [app.getAttribute(CONNECTION), app.getAttribute(SCRIPT)];
  const watch = new MutationObserver(() => {
    const before = [connection, script];
    [connection, script] = [app.getAttribute(CONNECTION), app.getAttribute(SCRIPT)];
    if (connection !== before[0] && before[0] === "CONNECTED") lost?.();
    if (connection !== before[0] && connection === "CONNECTED") returned?.();
    if (script === before[1]) return;
    if (script === "running") begun?.();
    if (script === "notRunning") ended?.();
  });
  watch.observe(app, { attributes: true, attributeFilter: [SCRIPT, CONNECTION] });
  return () => watch.disconnect();
}

/**
 * Keeps what was sent until the page begins a run; returns a function to note it, and one that ends it.
 * @param {(name: string, value: any) => void} deliver
 */
export function untilAnswered(deliver) {
  /** @type {Map<string, any>} */
  const unanswered = new Map();
  const returned = () => {
    const lost = [...unanswered];
    unanswered.clear();
    for (const [name, value] of lost) deliver(name, value);
  };
  const end = watchApp({ returned, begun: () => unanswered.clear() });
  return { note: (name, value) => unanswered.set(name, value), end };
}
