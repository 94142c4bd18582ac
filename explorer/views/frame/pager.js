// The keys of a clicker press the buttons for back and on, wherever the focus is; B, and the full stop that some
// clickers send for it, blank the screen; R fills it with the way into the class's room, and Esc ends that. Python is told how much the page
// is enlarged in this window, since charts are enlarged there.
import { connect } from "../widgets/connect.js";
import { coverParts } from "../widgets/cover.js";
import { FITTED, usualZoom } from "../look/fit_picture.js";
import { rest } from "../widgets/resting.js";
import { keepOneEntry } from "./one_entry.js";

const SETTLED_MS = 300; // after which a window has its new size, and a press has been answered
const PATIENCE = 10_000; // ms that a key waits for its button
const SCREENS = { b: "rbBlank", ".": "rbBlank", r: "rbRoom" }; // by key: what presenter.css lays over the page
const CHANGES = ["keydown", "click", "resize", FITTED]; // a message while the server answers a press would end the answer
const here = document.documentElement.dataset; // outlives the component, of which each page has a new one

// Until a press has been answered its button leads to the current place, and a message from here would be of the old page:
// it would bring the page back.
const isAnswered = () => here.rbStep !== here.rbPressed;

const buttonOf = (key) => {
  /** @type {HTMLButtonElement | null} */
  const button = document.querySelector(`.st-key-present-${key} button`);
  return button && isAnswered() ? button : null;
};

// A key may be pressed before its button is there, since the title of a new page is drawn first: it waits.
const press = (key, until = performance.now() + PATIENCE) => {
  const button = buttonOf(key);
  if (!button && performance.now() < until) requestAnimationFrame(() => press(key, until));
  else if (button && !button.disabled) {
    rest();
    if (document.activeElement instanceof HTMLElement && document.activeElement.closest(".st-key-header")) document.activeElement.blur(); // its tooltip would stay
    button.click();
  }
};

// As presenter.css has it: of the chart if there is one, since its view may be smaller or larger than others.
const zoom = () => {
  const chart = document.querySelector(".st-key-picture .js-plotly-plot");
  return chart ? 1 / Number(getComputedStyle(chart).zoom) : usualZoom();
};

/**
 * @param {any} root
 * @param {{ at: number, zoom: number, controls: boolean, stage: string }} data how many steps have been taken; how much
 *   charts are enlarged; whether all controls are shown; what stands on the stage
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  here.rbStep = String(data.at);
  here.rbStage = data.stage;
  coverParts();
  root.measure = () => {
    if (!isAnswered()) root.wait();
    else if (Math.abs(zoom() / data.zoom - 1) > 0.02) send("zoom", zoom());
  };
  root.leave ??= listenToKeys(root);
  root.wait();
  return root.leave;
}

function clear() {
  for (const screen of Object.values(SCREENS)) delete here[screen];
}

/** @param {any} root */
function listenToKeys(root) {
  const listen = (event) => {
    if (!["PageUp", "PageDown"].includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    clear();
    if (!event.repeat) press(event.key);
  };
  const note = ({ target }) => {
    if (target instanceof Element && target.closest("[class*=st-key-present-Page] button")) here.rbPressed = here.rbStep;
  };
  const cover = (event) => {
    if (event.key === "Escape") delete here.rbRoom;
    const screen = SCREENS[event.key.toLowerCase()];
    if (!screen || event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const [at] = event.composedPath();
    if (at instanceof Element && at.matches("input, textarea")) return;
    const covered = screen in here;
    clear();
    if (!covered) here[screen] = "";
  };
  root.wait = () => {
    clearTimeout(root.waiting);
    root.waiting = setTimeout(() => root.measure(), SETTLED_MS);
  };
  window.addEventListener("keydown", listen, true);
  window.addEventListener("click", note, true);
  window.addEventListener("keydown", cover); // after letter_keys.js, which keeps letters back
  for (const type of CHANGES) window.addEventListener(type, root.wait, true);
  keepOneEntry();
  return () => {
    delete root.leave;
    clear();
    delete here.rbStage;
    window.removeEventListener("keydown", listen, true);
    window.removeEventListener("click", note, true);
    window.removeEventListener("keydown", cover);
    for (const type of CHANGES) window.removeEventListener(type, root.wait, true);
    clearTimeout(root.waiting);
  };
}

export default connect(draw);
