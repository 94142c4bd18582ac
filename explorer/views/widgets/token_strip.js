// A line of tokens as buttons: hover explains, a click acts, arrow keys walk.
import { connect } from "./connect.js";
import { layOut } from "./direction.js";
import { button, partOf } from "./dom.js";
import { roving } from "./roving.js";
import { tooltip } from "./tooltip.js";

/**
 * @typedef {object} Data
 * @property {{
 *   text: string, title?: string, selected?: boolean, quiet?: boolean, glued?: boolean, colour?: string, ink?: string,
 *   mark?: string,
 *   }[]} tokens
 * @property {string} label
 * @property {boolean} active whether a click acts
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("./connect.js").Send} send
 */
export function draw(root, data, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("active", data.active);
  root.style.position = "relative";
  if (!root.tip) build(root);
  const signature = JSON.stringify(data.tokens);
  if (root.signature !== signature) {
    root.signature = signature;
    drawTokens(root, data.tokens);
  }
  root.onclick = (event) => {
    const token = partOf(event, "button");
    if (token && data.active) send("click", Number(token.dataset.index));
  };
}

function build(root) {
  root.tip = tooltip(root, { of: "button", align: "middle", gap: 6 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across", wrap: true, stops: false });
}

function drawTokens(root, tokens) {
  const focused = root.getRootNode().activeElement?.dataset?.index;
  const buttons = tokens.map((token, index) => {
    const chip = button("", token.text);
    chip.dataset.index = index;
    chip.tip = token.title;
    for (const name of ["selected", "quiet", "glued"]) chip.classList.toggle(name, Boolean(token[name]));
    if (token.mark) chip.classList.add(token.mark);
    if (token.colour) chip.style.background = token.colour;
    if (token.ink) chip.style.color = token.ink;
    chip.setAttribute("aria-pressed", String(Boolean(token.selected)));
    if (token.title) chip.setAttribute("aria-label", `${token.text}: ${token.title}`);
    return chip;
  });
  root.tip.hide();
  layOut(root, buttons);
  root.replaceChildren(...buttons, root.tip.box);
  if (focused !== undefined) buttons[focused]?.focus({ preventScroll: true });
}

export default connect(draw);
