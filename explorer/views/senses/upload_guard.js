// A file that is too large, or of another kind, is turned away before a byte of it is sent: Python says why.
import { connect } from "../widgets/connect.js";
import { partOf } from "../widgets/dom.js";

/**
 * @typedef {object} Data
 * @property {number} most bytes
 * @property {string[]} kinds endings of names
 * @property {string} within a selector of what takes the files
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.limits = data;
  if (root.listening) return undefined;
  root.listening = true;
  const bad = (file) =>
    file.size > root.limits.most || !root.limits.kinds.includes(file.name.split(".").pop().toLowerCase());
  const check = (event) => {
    if (!partOf(event, root.limits.within)) return;
    const file = [...((event.type === "drop" ? event.dataTransfer : event.target)?.files ?? [])].find(bad);
    if (!file) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "change") event.target.value = "";
    send("refused", { name: file.name, size: file.size });
  };
  for (const kind of ["drop", "change"]) document.addEventListener(kind, check, true);
  return () => {
    root.listening = false;
    for (const kind of ["drop", "change"]) document.removeEventListener(kind, check, true);
  };
}

export default connect(draw);
