// What is locked, and the occurrences most like it; a click on one of them goes on to that one.
import { connect } from "../widgets/connect.js";
import { button, element, partOf } from "../widgets/dom.js";
import { roving } from "../widgets/roving.js";
import { icon, sentence } from "./mark.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {number} height
 * @property {string} hint
 * @property {{ colour: number, path: string, parts: [string, string, string] }} [title] what is locked
 * @property {{
 *   id: string, cosine: string, sense: string, whole: string, colour: number, path: string, parts: [string, string, string],
 *   }[]} [rows]
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.style.minHeight = `${data.height}px`;
  const signature = JSON.stringify(data);
  if (root.signature === signature) return;
  if (!root.signature) roving(root, () => [...root.querySelectorAll("button")], { axis: "down", wrap: true, stops: false });
  root.signature = signature;
  const focused = root.getRootNode().activeElement?.dataset?.index;
  const rows = (data.rows ?? []).map(row);
  root.replaceChildren(...(data.title ? [title(data.title, send), ...rows] : rows.length ? rows : [hint(data)]));
  root.onclick = (event) => {
    const id = partOf(event, "button.row")?.occurrence;
    if (id) send("lock", id);
  };
  root.onkeydown = (event) => {
    if (event.key !== "Escape") return;
    send("lock", "");
    event.preventDefault();
  };
  if (focused !== undefined) root.querySelector(`[data-index="${focused}"]`)?.focus({ preventScroll: true });
}

/**
 * @param {{ colour: number, path: string, parts: [string, string, string] }} occurrence
 * @param {import("../widgets/connect.js").Send} send
 */
function title(occurrence, send) {
  const line = element("div", "title");
  const release = button("release", "Release", () => send("lock", ""));
  release.title = "Esc";
  line.append(icon(occurrence), sentence(occurrence.parts), release);
  return line;
}

function row(item, index) {
  const control = button("row");
  control.occurrence = item.id;
  control.dataset.index = index;
  control.setAttribute("aria-label", `cosine ${item.cosine}, ${item.sense || "no sense given"}: ${item.whole}`);
  control.append(icon(item), element("span", "number", item.cosine), sentence(item.parts));
  return control;
}

/**
 * @param {Data} data
 */
function hint(data) {
  return element("p", "hint", data.hint);
}

export default connect(draw);
