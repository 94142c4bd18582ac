// A text box that commits on Enter or after a short pause, and never overwrites what is being typed.
import { connect } from "./connect.js";
import { directionOf } from "./direction.js";
import { add } from "./dom.js";
import { watchApp } from "./resend.js";

const PAUSE_MS = 450;
/** @type {Map<string, string>} by page and label: texts that were sent while the connection was lost, for all boxes of a tab */
// @ts-ignore
const lostTexts = (window.rbLostTexts ??= new Map());

/**
 * @typedef {object} Data
 * @property {string} text
 * @property {string} label
 * @property {string} placeholder
 * @property {number} lines
 * @property {string} sent the text that the server had last from this box, which a link or a preset may have replaced since
 * @property {string} notice
 * @property {boolean} replaces whether it has come in the place of its text, to be written over; Enter is then told
 */

/** @type {import("./connect.js").Draw<Data>} */
export function draw(root, data, send) {
  let box = root.querySelector("textarea");
  Object.assign(root, { send, place: `${location.pathname} ${data.label}` });
  if (!box) {
    box = add(root, "textarea");
    root.end = keepThroughCut(root, box);
    box.spellcheck = false;
    box.committed = box.value = lostTexts.get(root.place) ?? data.text;
    if (data.replaces)
      requestAnimationFrame(() => {
        box.focus();
        box.select();
      });
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
        if (data.replaces) send("enter", true);
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
    send(box.value === box.sent ? "again" : "text", box.value); // a state that is as it was is no news to the server
    box.sent = box.value;
  };
  box.sent = data.sent;
  box.setAttribute("aria-label", data.label);
  box.placeholder = data.placeholder;
  box.rows = data.lines;
  box.classList.toggle("many", data.lines > 1);
  // A preset or a click elsewhere changed the text: show it, unless the person is typing.
  root.shown = data.text;
  if (data.text !== box.committed && !lostTexts.has(root.place) && !box.timer && !box.composing) {
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
  return root.end;
}

/**
 * A text that the page does not have when the connection is back is not overwritten, also in a page that is built anew,
 * and is sent again once the page rests: a server that was started again takes the text of a box for one that it has read.
 */
function keepThroughCut(root, box) {
  let rest = 0;
  return watchApp({
    returned: () => root.isConnected && box.committed !== root.shown && lostTexts.set(root.place, box.committed),
    begun: () => clearTimeout(rest),
    ended: () => {
      clearTimeout(rest);
      rest = setTimeout(() => {
        if (root.isConnected && lostTexts.delete(root.place) && box.committed !== root.shown) root.send("again", box.committed);
      }, PAUSE_MS);
    },
  });
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
