/**
 * What a component hands its page: a name and a value.
 * @callback Send
 * @param {string} name
 * @param {any} value
 * @returns {void}
 */

/**
 * Draws data into an element. It is called again with every new answer of the page, on the same root.
 * It may return what is to be done when the root goes.
 * @callback Draw
 * @param {any} root
 * @param {any} data
 * @param {Send} send
 * @returns {void | (() => void)}
 */

/**
 * What Streamlit calls. All else in these files knows nothing of it: whoever has an element, data and a
 * function that takes what comes back can draw the same picture.
 * @param {Draw} draw
 * @param {string[]} kept names whose value stays with the component; any other lasts for one run of the page
 */
export function connect(draw, kept = []) {
  /** @param {{ parentElement: any, data: any, setStateValue: Send, setTriggerValue: Send }} component */
  return ({ parentElement, data, setStateValue, setTriggerValue }) => {
    const given = Array.isArray(data) ? data[0] : data; // as the registry sends it
    const send = (name, value) => (kept.includes(name) ? setStateValue : setTriggerValue)(name, value);
    const root = parentElement.querySelector(".root");
    let gone = false;
    /** @type {void | (() => void)} */
    let end;
    onceStyled(root, () => {
      if (!gone) end = draw(root, given, send);
    });
    return () => {
      gone = true;
      end?.();
    };
  };
}

// A page that is built anew may have its pictures a moment before its colours, and a canvas would stay black.
function onceStyled(root, then) {
  if (getComputedStyle(root).getPropertyValue("--rb-ink")) then();
  else requestAnimationFrame(() => root.isConnected && onceStyled(root, then));
}
