// A text box that commits on Enter or after a short pause, and never overwrites what is being typed.
import { connect } from "./connect.js";
import { directionOf } from "./direction.js";
import { add } from "./dom.js";

const PAUSE_MS = 450;

/**
 * @typedef {object} Data
 * @property {string} text
 * @property {string} label
 * @property {string} placeholder
 * @property {number} lines
 * @property {string} notice
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("./connect.js").Send} send
 */
export function draw(root, data, send) {
  let box = root.querySelector("textarea");
  if (!box) {
    box = add(root, "textarea");
    box.spellcheck = false;
    box.committed = data.text;
    box.value = data.text;
    // While characters are being picked in an input method, a pause does not end typing. Some browsers report the
    // last input before compositionend, others after it.
    const typed = () => {
      fit(box);
      clearTimeout(box.timer);
      box.timer = box.composing ? null : setTimeout(() => box.commit(), PAUSE_MS);
    };
    box.addEventListener("compositionstart", () => (box.composing = true));
    box.addEventListener("compositionend", () => {
      box.composing = false;
      typed();
    });
    box.addEventListener("input", typed);
    box.addEventListener("keydown", (event) => {
      // isComposing: this Enter picks a character in a Chinese or Japanese input method.
      if (event.key === "Enter" && !event.isComposing && (box.rows === 1 || event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        box.commit();
      }
      event.stopPropagation(); // so that the app's one-letter shortcuts do not act
    });
    box.addEventListener("blur", () => box.commit());
    let width = 0;
    new ResizeObserver(() => {
      if (root.clientWidth === width) return; // only a column's new width can change the lines
      width = root.clientWidth;
      requestAnimationFrame(() => fit(box));
    }).observe(root);
  }
  box.commit = () => {
    clearTimeout(box.timer);
    box.timer = null;
    if (box.composing || box.value === box.committed) return;
    box.committed = box.value;
    send("text", box.value);
  };
  box.setAttribute("aria-label", data.label);
  box.placeholder = data.placeholder;
  box.rows = data.lines;
  box.classList.toggle("many", data.lines > 1);
  // A preset or a click elsewhere changed the text: show it, unless the person is typing.
  if (data.text !== box.committed && !box.timer && !box.composing) {
    box.committed = data.text;
    box.value = data.text;
  }
  fit(box);
  let notice = root.querySelector("[role=status]");
  if (!notice) {
    notice = add(root, "p", "notice");
    notice.setAttribute("role", "status");
  }
  notice.textContent = data.notice;
}

function fit(box) {
  // Each of several lines has its own direction, which the browser detects.
  box.dir = box.rows > 1 ? "auto" : directionOf(box.value);
  if (box.rows > 1) return;
  box.style.height = "auto";
  box.style.height = Math.min(box.scrollHeight + 2, 160) + "px";
  box.style.overflowY = box.scrollHeight > 160 ? "auto" : "hidden";
}

export default connect(draw, ["text"]);
