// Where a head is attached: the tokens, the layers that read them, and the head on top. Parts that are
// trained are filled, the others are pale. Words beside them say the same.
import { connect } from "../widgets/connect.js";
import { directionOf } from "../widgets/direction.js";
import { add, element } from "../widgets/dom.js";

/**
 * @typedef {object} Data
 * @property {string} label
 * @property {string} title
 * @property {{ text: string, used: boolean, quiet: boolean }[]} tokens as many as there is room for
 * @property {number} layers
 * @property {boolean} whole whether the layers are trained, and not only the head
 * @property {boolean} each whether the head reads every token that it uses, and not only the first
 * @property {string} head what the head is
 * @property {string} input what the head is given
 * @property {string} body what happens to the layers
 * @property {string} table what happens to the embeddings
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  root.setAttribute("role", "img");
  root.setAttribute("aria-label", data.label);
  const columns = data.tokens.map(({ text }) => `minmax(0, ${Math.max(3, text.length)}fr)`).join(" ");
  root.replaceChildren(element("div", "title", data.title));
  const direction = directionOf(data.tokens.map(({ text }) => text));

  const top = line(root, "head", data.head);
  top.dir = direction;
  const head = element("div", "box trained", "head");
  if (!data.each) head.style.width = "64px";
  top.append(head);

  const vectors = line(root, "vectors", data.input);
  vectors.style.gridTemplateColumns = columns;
  vectors.dir = direction;
  for (const token of data.tokens) {
    const column = add(vectors, "div", token.used ? "used" : "unused");
    add(column, "div", "stem");
    add(column, "div", "vector");
  }

  const slabs = line(root, "slabs", data.body);
  for (let layer = data.layers; layer > 0; layer -= 1) add(slabs, "div", data.whole ? "slab trained" : "slab frozen");

  const table = line(root, "slabs", data.table);
  add(table, "div", "slab frozen");

  const words = line(root, "words", "");
  words.style.gridTemplateColumns = columns;
  words.dir = direction;
  for (const token of data.tokens) add(words, "div", token.quiet ? "word quiet" : "word", token.text);
}

function line(root, kind, caption) {
  const row = add(root, "div", "line");
  const picture = add(row, "div", `picture ${kind}`);
  add(row, "div", "caption", caption);
  return picture;
}

export default connect(draw);
