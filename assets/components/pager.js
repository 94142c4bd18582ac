// A clicker's keys press the buttons beside them, wherever the focus is: in a text, on a slider, nowhere.
export default function ({ parentElement }) {
  const root = parentElement.querySelector(".root");
  if (root.listening) return undefined;
  root.listening = true;
  const press = (event) => {
    if (!["PageUp", "PageDown"].includes(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (!event.repeat) document.querySelector(`.st-key-present-${event.key} a:not([disabled])`)?.click();
  };
  window.addEventListener("keydown", press, true);
  return () => {
    root.listening = false;
    window.removeEventListener("keydown", press, true);
  };
}
