// Which heads share a key and a value, above the heads' results side by side.
import { add, element } from "../widgets/dom.js";

const NAMED = 16; // heads whose boxes have room for a name

/** @param {any} view */
export function groups(view) {
  const { heads, kvHeads, head } = view;
  const group = heads / kvHeads;
  const groupsBox = element("div", "groups");
  groupsBox.style.gridTemplateColumns = `repeat(${heads}, minmax(0, 1fr))`;
  const own = Math.floor(head / group);
  for (let at = 0; at < kvHeads; at++) {
    const box = add(groupsBox, "span", "shared", kvHeads <= NAMED ? (group > 1 && kvHeads <= 4 ? `key and value ${at}` : at) : "");
    box.style.gridColumn = `span ${group}`;
    box.classList.toggle("chosen", at === own);
  }
  for (let at = 0; at < heads; at++) {
    const box = add(groupsBox, "span", "asks", heads <= NAMED ? `Q ${at}` : "");
    box.classList.toggle("chosen", at === head);
  }
  return groupsBox;
}
