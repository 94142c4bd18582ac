// Letters as shortcuts, such as P and B, can be switched off in this browser: to a computer that is spoken to, and to a hand
// that slips, they are no commands. The switch stands below the pages; `guardLetters` acts on every page.
import { connect } from "../widgets/connect.js";
import { html, render } from "../widgets/lit.js";
import { t } from "../widgets/translations.js";

const KEPT = "riverbank/letter-keys"; // in the browser's storage
const OFF = "off";

/** @param {any} root */
export function draw(root) {
  render(html`
    <label title=${t("P enters and leaves presenter mode, where B blanks the screen, R shows a class how to join, A asks it again, K the controls and S the hints")}><input
      type="checkbox" .checked=${lettersAct()} @change=${({ target }) => localStorage.setItem(KEPT, target.checked ? "on" : OFF)}>${t("Letter shortcuts")}</label>`, root);
}

const lettersAct = () => localStorage.getItem(KEPT) !== OFF;

/** Keep letters from the app while they are switched off, and while one is typed into a box of a component. */
export function guardLetters() {
  const tab = document.documentElement.dataset;
  if (tab.rbGuardsLetters) return;
  tab.rbGuardsLetters = "yes";
  addEventListener("keydown", guard, true); // before the app's own listener
}

/** @param {KeyboardEvent} event */
function guard(event) {
  if (!/^\p{L}$/u.test(event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  const [at] = event.composedPath();
  const types = at instanceof HTMLElement && (at.isContentEditable || at.matches("input:not([type=checkbox], [type=range]), textarea, select"));
  const inComponent = at !== event.target; // whose boxes the app does not see
  if (types ? inComponent : !lettersAct()) event.stopImmediatePropagation();
}

export default connect(draw);
