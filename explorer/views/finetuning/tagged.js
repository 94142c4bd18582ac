// Words with their tags: a tag is drawn once under all the words that it covers.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { add, button, element } from "../widgets/dom.js";
import { roving } from "../widgets/roving.js";
import { node } from "../widgets/svg.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {{ words: { text: string, tip: string }[], tag: string, mark: { colour: number, path: string } | null }[]} groups
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  if (!root.tip) build(root);
  root.setAttribute("aria-label", data.label);
  const signature = JSON.stringify(data.groups);
  if (signature === root.signature) return;
  root.signature = signature;
  root.tip.hide();
  root.line.replaceChildren(...data.groups.map(group));
  layOut(root.line, [...root.line.querySelectorAll("button")]);
  const first = root.line.querySelector("button");
  if (first) first.tabIndex = 0;
}

function build(root) {
  root.setAttribute("role", "group");
  root.line = add(root, "div", "line");
  root.tip = tooltip(root, { of: "button", align: "middle", gap: 4 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across" });
}

function group({ words, tag, mark }) {
  const box = element("div", mark ? "group tagged" : "group");
  const line = add(box, "div", "words");
  for (const word of words) {
    const chip = button("", word.text);
    chip.tabIndex = -1;
    chip.tip = word.tip;
    chip.setAttribute("aria-label", `${word.text}, ${tag || "no tag"}`);
    line.append(chip);
  }
  const below = add(box, "div", "tag");
  if (!mark) return box;
  box.style.setProperty("--own", `var(--rb-senses-${mark.colour})`);
  const svg = node("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" });
  svg.append(node("path", { d: mark.path }));
  below.append(svg, element("span", "", tag));
  return box;
}

export default connect(draw);
