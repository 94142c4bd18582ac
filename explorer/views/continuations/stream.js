// A text that grows: the prompt plain, then a chip per token. When the tokens at hand are drawn
// and more are to come, it asks for them; asking again for the same ones does no harm.
import { asker } from "../widgets/answers.js";
import { connect } from "../widgets/connect.js";
import { setDirection } from "../widgets/direction.js";
import { button, element, partOf } from "../widgets/dom.js";
import { announce } from "../widgets/live.js";
import { roving } from "../widgets/roving.js";
import { tooltip } from "../widgets/tooltip.js";

const ASK_AGAIN_MS = 1500;
const LEGEND = [["solid", "top 1"], ["dashed", "top 10"], ["dotted", "top 100"], ["", "beyond"]];

/**
 * @typedef {object} Data
 * @property {number} run
 * @property {number} count
 * @property {number} answers where the text stands: what is asked for belongs to it
 * @property {boolean} going whether more is to come
 * @property {string} prompt
 * @property {boolean} bare whether there is no prompt
 * @property {{
 *   text: string, first: number, last: number, mark: string, shown: boolean, colour: string, ink: string, tip: string,
 *   }[]} chips
 * @property {string[]} ramp colours of probabilities from 0 to 1
 * @property {string} note
 * @property {string} button
 * @property {unknown} locked
 * @property {boolean} back whether there is a step back
 * @property {boolean} forward
 */

/** @type {import("../widgets/connect.js").Draw<Data>} */
export function draw(root, data, send) {
  if (!root.text) build(root);
  const { text } = root;
  const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 8;
  if (root.run !== data.run || root.prompt.textContent !== data.prompt) {
    root.run = data.run;
    root.prompt.textContent = data.prompt;
    text.replaceChildren(root.prompt);
  }
  root.prompt.classList.toggle("bare", data.bare);
  drawChips(text, data.chips);
  setDirection(text, text.textContent);
  shade(root.ramp, data.ramp);
  root.note.textContent = data.note;
  root.button.textContent = data.button;
  // Of two messages that wait at the server the newer one counts: so nothing is asked for until a click
  // has been answered, or has had its time.
  const state = `${data.run}:${data.button}:${data.locked}`;
  if (state !== root.state) root.held = 0;
  root.state = state;
  const act = (name, value) => {
    root.held = performance.now() + ASK_AGAIN_MS;
    send(name, value);
  };
  root.button.onclick = () => act("turn", data.button);
  root.back.disabled = !data.back;
  root.forward.disabled = !data.forward;
  root.back.onclick = () => act("step", "back");
  root.forward.onclick = () => act("step", "forward");
  if (data.going && atEnd) text.scrollTop = text.scrollHeight;
  // It is read from where the model began, which had to give way while it was written: the prompt is in its box.
  if (root.wrote && !data.going) {
    const first = text.querySelector(".piece");
    text.scrollTop = first && text.scrollHeight > text.clientHeight ? first.offsetTop - text.offsetTop : 0;
    announce(text.textContent.slice(data.prompt.length).replaceAll("↵", " "), root);
  }
  root.wrote = data.going;
  markMore(text);
  text.setAttribute("aria-busy", data.going);
  text.dataset.run = data.run;
  text.dataset.count = data.count;

  root.act = (chip) => act("click", { first: chip.first, last: chip.last });
  root.release = () => act("click", { first: -1, last: -1 });
  const place = `${data.run}:${data.count}:${data.answers}`;
  const more = () => send("more", { run: data.run, count: data.count, answers: data.answers });
  const waiting = () => (root.held || 0) - performance.now();
  if (data.going) root.asker.ask(place, more, { again: ASK_AGAIN_MS, wait: waiting });
  else root.asker.stop();
}

/** Whether text follows below what the box shows. */
function markMore(text) {
  text.classList.toggle("more", text.scrollHeight - text.scrollTop - text.clientHeight > 4);
}

function build(root) {
  root.text = element("div", "text");
  root.text.setAttribute("role", "group");
  root.text.setAttribute("aria-label", "Continuation");
  root.prompt = element("span", "prompt");
  root.note = element("span", "note");
  const legend = element("span", "legend");
  for (const [mark, words] of LEGEND) legend.append(element("i", mark, words));
  const ramp = element("span", "", "probability 0");
  root.ramp = element("b", "ramp");
  ramp.append(root.ramp, "1");
  legend.append(ramp);
  const foot = element("div", "foot");
  const buttons = element("div", "buttons");
  root.button = button("control turn");
  root.back = button("control", "Back");
  root.forward = button("control", "Step");
  root.back.title = "The token before (stops)";
  root.forward.title = "One token on (stops)";
  buttons.dataset.save = "no";
  buttons.append(root.button, root.back, root.forward);
  foot.append(buttons, root.note, legend);
  root.append(root.text, foot);
  root.asker = asker(root);

  const tip = tooltip(root, { of: ".chip", on: root.text, align: "left", gap: 6 });
  root.text.addEventListener("scroll", tip.hide);
  root.text.addEventListener("scroll", () => markMore(root.text));
  new ResizeObserver(() => markMore(root.text)).observe(root.text);
  root.text.addEventListener("click", (event) => {
    const chip = partOf(event, ".chip");
    if (chip) root.act(chip);
  });
  root.text.addEventListener("keydown", (event) => {
    const chip = partOf(event, ".chip");
    if (event.key === "Escape") root.release();
    else if (chip && (event.key === "Enter" || event.key === " ")) root.act(chip);
    else return;
    event.preventDefault();
  });
  roving(root.text, () => [...root.text.querySelectorAll(".chip")], { axis: "across" });
}

// Chips that did not change stay as they are; those that came are appended.
function drawChips(text, chips) {
  const pieces = [...text.querySelectorAll(".piece")];
  chips.forEach((chip, index) => {
    const signature = JSON.stringify(chip);
    const piece = pieces[index] || text.appendChild(newPiece());
    if (piece.signature === signature) return;
    piece.signature = signature;
    update(piece, chip, index);
  });
  for (const piece of pieces.slice(chips.length)) piece.remove();
}

function newPiece() {
  const piece = element("span", "piece");
  piece.chip = element("span", "chip");
  piece.chip.setAttribute("role", "button");
  piece.chip.tabIndex = -1;
  piece.space = document.createTextNode("");
  piece.lines = document.createTextNode("");
  piece.append(piece.space, piece.chip, piece.lines);
  return piece;
}

// The space before a word stays outside of its chip; a line end is shown and then made.
function update(piece, data, index) {
  const [, space, word] = data.text.match(/^( *)([^]*)$/);
  const { chip } = piece;
  piece.space.data = word ? space : "";
  piece.lines.data = "\n".repeat(data.text.split("\n").length - 1);
  chip.replaceChildren(element("span", "letters", (word || space).replaceAll("\n", "↵")));
  chip.className = `chip ${data.mark}`;
  chip.classList.toggle("shown", data.shown);
  chip.style.background = data.colour;
  chip.style.color = data.ink;
  chip.first = data.first;
  chip.last = data.last;
  chip.tip = data.tip;
  if (index === 0) chip.tabIndex = 0;
  chip.setAttribute("aria-pressed", data.shown);
  chip.setAttribute("aria-label", `${data.text.replaceAll("\n", " line end ").trim() || "space"}: ${data.tip}`);
}

// In steps, not as a gradient: pictures that are saved have no gradients.
function shade(ramp, colours) {
  while (ramp.children.length < colours.length) ramp.append(element("i"));
  colours.forEach((colour, index) => (ramp.children[index].style.background = colour));
}

export default connect(draw);
