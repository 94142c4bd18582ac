// A maker of either kind, by the tag: what is drawn, and everything else. Uses element and node.
const DRAWN = ["svg", "g", "path", "rect", "circle"];

function make(parent, tag, name = "", text = "") {
  return parent.appendChild(DRAWN.includes(tag) ? node(tag, { class: name }, text) : element(tag, name, text));
}
