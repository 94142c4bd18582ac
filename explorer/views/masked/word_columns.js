// Sentences as columns: each word with a bar above it, as tall as its number, and a note below.
// Hover and focus show the full number; if `active`, a click on a word is reported. Words keep their
// places, and bars move smoothly from one height to the next.
import { connect } from "../widgets/connect.js";
import { layOut } from "../widgets/direction.js";
import { html, render } from "../widgets/lit.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

/**
 * @typedef {object} Word
 * @property {string} text
 * @property {string} [tip]
 * @property {string} [note]
 * @property {string} [tone]
 * @property {boolean} [glued]
 * @property {string} [number]
 * @property {number} [bar]
 *
 * @typedef {object} Data
 * @property {boolean} active whether a click acts
 * @property {number} tall px of a full bar
 * @property {{ title: string, says: string, label: string, words: Word[] }[]} lines
 */

/**
 * @param {any} root
 * @param {Data} data
 * @param {import("../widgets/connect.js").Send} send
 */
export function draw(root, data, send) {
  root.classList.toggle("active", data.active);
  root.style.setProperty("--tall", `${data.tall}px`);
  root.classList.toggle("bare", !data.lines.some((line) => line.words.some((word) => word.note)));
  render(html`
    <div class="lines">${data.lines.map(({ title, says, label, words }, line) => html`
      <div class="line">
        <p class="head" ?hidden=${!title}><b dir="auto">${title}</b> ${says}</p>
        <div class="words" role="group" aria-label=${label}>
          ${words.map((word, place) => column(word, () => data.active && send("click", { line, word: place })))}
        </div>
      </div>`)}
    </div>`, root);
  if (!root.tip) build(root);
  for (const words of root.querySelectorAll(".words")) {
    layOut(words, [...words.querySelectorAll(".text")]);
    keepHeight(words, words.count === words.children.length ? words.tallest : 0);
  }
}

function build(root) {
  // In another width the words stand in other lines.
  let wide = 0;
  new ResizeObserver(() => {
    if (wide !== (wide = root.clientWidth)) for (const words of root.querySelectorAll(".words")) keepHeight(words, 0);
  }).observe(root);
  root.tip = tooltip(root, { of: "button", align: "middle", gap: 4 });
  roving(root, () => [...root.querySelectorAll("button")], { axis: "across" });
}

// The tallest height is kept, so that what is below does not jump when bars come and go.
function keepHeight(words, tallest) {
  words.style.minHeight = "";
  words.count = words.children.length;
  words.tallest = Math.max(tallest, words.offsetHeight);
  words.style.minHeight = `${words.tallest}px`;
}

/**
 * @param {Word} word
 * @param {() => unknown} click
 */
function column({ text, tip, note, tone = "", glued, number, bar = 0 }, click) {
  const look = `word ${tone} ${glued ? "glued" : ""} ${number === undefined ? "low" : ""}`;
  return html`
    <button type="button" class=${look} aria-label=${[text, tip].filter(Boolean).join(", ")} .tip=${tip} @click=${click}>
      <span class="well">
        <span class="number">${number}</span><span class="bar" style="height: ${100 * Math.min(bar, 1)}%"></span>
      </span>
      <span class="text">${text}</span>
      <span class="note">${note}</span>
    </button>`;
}

export default connect(draw);
