// Opens the teacher's second window, tells it what is on the screen, and presses the keys that it sends.
import { connect } from "../../widgets/connect.js";
import { presents } from "../../widgets/fill_window.js";
import { html, render } from "../../widgets/lit.js";
import { t } from "../../widgets/translations.js";

const CHANNEL = "riverbank/notes"; // of notes_window.js too
const LOOK_MS = 1_000;
const LOOK = "popup,width=900,height=640";
// Outside of presenter mode there are no keys, but the sidebar's buttons.
const BUTTONS = { PageUp: ".st-key-lecture-back button", PageDown: ".st-key-lecture-next button" };

/** @type {import("../../widgets/connect.js").Draw<{ shown: import("./notes_window.js").OnScreen, address: string }>} */
export function draw(root, { shown, address }) {
  root.shown = shown;
  if (!root.channel) {
    root.channel = new BroadcastChannel(CHANNEL);
    root.channel.onmessage = ({ data: message }) => {
      if (message.key) press(message.key);
      else if (message.asks) root.tell();
    };
  }
  root.tell = () => root.channel?.postMessage({ onScreen: { ...root.shown, answered: answered() } });
  root.tell();
  root.watch ??= setInterval(() => answered() && root.tell(), LOOK_MS); // the count is drawn again without the page
  render(html`
    <button type="button" class="open" title=${t("A second window with what to say, to ask and to see, for your own screen")}
      @click=${() => window.open(address, CHANNEL, LOOK)}>${t("Notes")}</button>`, root);
  return () => {
    root.channel?.close();
    root.channel = undefined;
    clearInterval(root.watch);
    root.watch = undefined;
  };
}

const answered = () => document.querySelector(".rb-answered")?.textContent ?? "";

/** @param {"PageUp" | "PageDown" | "b"} key */
function press(key) {
  /** @type {HTMLElement | null} */
  const instead = presents() ? null : document.querySelector(BUTTONS[key] ?? "none");
  if (instead) instead.click();
  else dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}

export default connect(draw);
