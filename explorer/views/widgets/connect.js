import { followCover } from "./cover.js";
import { isLeft } from "./leaving.js";
import { untilAnswered } from "./resend.js";
import { readTranslations } from "./translations.js";

/**
 * Sends a name and a value from a component to its page.
 * @callback Send
 * @param {string} name
 * @param {any} value
 * @returns {void}
 */

/**
 * Draws data into an element. It is called again, on the same root, with every new answer of
 * the page. It may return a function to be called when the root is removed.
 * @template [Data=any]
 * @callback Draw
 * @param {any} root
 * @param {Data} data
 * @param {Send} send
 * @returns {void | (() => void)}
 */

export const RECOLOURED = "rb-recoloured"; // told to the window when the page's style has other colours

/**
 * The function that Streamlit calls. Nothing else in these files depends on Streamlit: `draw` needs an element, data
 * and a function that takes the answers.
 * @param {Draw} draw
 * @param {string[]} persistent names whose value stays with the component; others last for one run of the page
 */
export function connect(draw, persistent = []) {
  /** @param {{ parentElement: any, data: any, setStateValue: Send, setTriggerValue: Send }} component */
  return ({ parentElement, data, setStateValue, setTriggerValue }) => {
    const input = Array.isArray(data) ? data[0] : data; // see registry.py
    readTranslations(input);
    parentElement.page ??= location.pathname;
    parentElement.deliver = (name, value) => {
      if (!isLeft(parentElement.page)) (persistent.includes(name) ? setStateValue : setTriggerValue)(name, value);
    };
    parentElement.unanswered ??= untilAnswered((name, value) => parentElement.deliver(name, value));
    const send = (name, value) => {
      parentElement.unanswered?.note(name, value);
      parentElement.deliver(name, value);
    };
    let root = parentElement.querySelector(".root");
    parentElement.earlier?.abort(); // this function is called with every answer, and what it returns at the end alone
    parentElement.earlier = new AbortController();
    followCover(root, parentElement.earlier.signal);
    let gone = false;
    /** @type {void | (() => void)} */
    let end;
    onceStyled(root, () => {
      if (!gone) end = draw(root, input, send);
    });
    // Many pictures read their colours when they draw, and draw only what has changed: a new root is drawn whole.
    const renew = () => {
      if (!(root.getRootNode().host ?? root).closest(".st-key-picture")) return;
      end?.();
      const fresh = root.cloneNode(false);
      fresh.replaced = root; // for a picture that goes on as it stood, such as one that has been turned
      root.replaceWith(fresh);
      root = fresh;
      end = draw(root, input, send);
      delete fresh.replaced;
    };
    addEventListener(RECOLOURED, renew, { signal: parentElement.earlier.signal });
    return () => {
      gone = true;
      parentElement.unanswered.end();
      delete parentElement.unanswered;
      parentElement.earlier.abort();
      end?.();
    };
  };
}

// A rebuilt page may have its pictures a moment before its colours, and a canvas would stay black.
function onceStyled(root, then) {
  if (getComputedStyle(root).getPropertyValue("--rb-ink")) then();
  else requestAnimationFrame(() => root.isConnected && onceStyled(root, then));
}
