// Rows of elements with the page's styles that grow past it, see growing_rows.py.
import { announce } from "./live.js";
import { connect } from "./connect.js";
import { followText } from "./follower.js";
import { t } from "./translations.js";

/** @type {import("./connect.js").Draw} */
export function draw(root, data, send) {
  if (!root.wrote) announce(t("Writing."), root);
  root.wrote = true;
  return followText(root, data, send, () => {
    root.live.chips.forEach((row, index) => {
      const place = root.children[index] ?? root.appendChild(document.createElement("div"));
      const said = JSON.stringify(row);
      if (place.said !== said) place.replaceChildren(part(row));
      place.said = said;
    });
  });
}

/** An element of [tag, attributes, ...parts], or text. @returns {Node} */
function part(value) {
  if (typeof value === "string") return document.createTextNode(value);
  const [tag, attributes, ...parts] = value;
  const made = document.createElement(tag);
  for (const [name, text] of Object.entries(attributes)) made.setAttribute(name, text);
  made.append(...parts.map(part));
  return made;
}

export default connect(draw);
