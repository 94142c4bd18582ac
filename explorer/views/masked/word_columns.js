// Sentences as columns: each word with a bar above it, as tall as its number, and notes below.
// Hover and focus tell the full number; where the view says so, a click acts. Words keep their places
// and bars ease from one height to the next.
// uses dom
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.tip ??= build(root);
  root.classList.toggle("active", data.active);
  root.style.setProperty("--tall", `${data.tall}px`);
  root.classList.toggle("bare", !data.lines.some((line) => line.words.some((word) => word.note)));
  const lines = [...root.querySelectorAll(".line")];
  while (lines.length > data.lines.length) lines.pop().remove();
  while (lines.length < data.lines.length) lines.push(newLine(root));
  data.lines.forEach((line, number) => fill(lines[number], line, number));
  root.onclick = (event) => {
    const word = event.target.closest("button");
    if (word && data.active) setTriggerValue("click", { line: word.line, word: word.place });
  };
}

function build(root) {
  const tip = add(root, "div", "tip");
  tip.dataset.save = "no";
  const show = (word) => {
    tip.classList.toggle("on", Boolean(word?.told));
    if (!word?.told) return;
    tip.textContent = word.told;
    const [box, home] = [word.getBoundingClientRect(), root.getBoundingClientRect()];
    const zoom = home.width / root.offsetWidth; // presenter mode enlarges the page
    const middle = ((box.left + box.right) / 2 - home.left) / zoom - tip.offsetWidth / 2;
    tip.style.left = `${Math.min(Math.max(middle, 0), root.offsetWidth - tip.offsetWidth)}px`;
    tip.style.top = `${(box.bottom - home.top) / zoom + 4}px`;
  };
  root.addEventListener("mouseover", (event) => show(event.target.closest("button")));
  root.addEventListener("mouseleave", () => show(null));
  root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(event.target));
  root.addEventListener("focusout", () => show(null));
  root.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const words = [...root.querySelectorAll("button")];
    const at = words.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = words[Math.min(Math.max(at + step, 0), words.length - 1)];
    for (const word of words) word.tabIndex = word === next ? 0 : -1;
    next.focus();
  });
  return tip;
}

function newLine(root) {
  const line = add(null, "div", "line");
  line.head = add(line, "p", "head");
  line.words = add(line, "div", "words");
  line.words.setAttribute("role", "group");
  root.insertBefore(line, root.tip);
  return line;
}

function fill(line, data, number) {
  line.head.hidden = !data.title;
  line.head.replaceChildren(add(null, "b", "", data.title), ` ${data.says}`);
  line.words.setAttribute("aria-label", data.label);
  const { children } = line.words;
  while (children.length > data.words.length) line.words.lastChild.remove();
  while (children.length < data.words.length) line.words.append(newWord());
  data.words.forEach((word, place) => update(children[place], word, number, place));
  // A row of words without bars is low; what stands below keeps its place when bars come and go.
  if (line.count !== data.words.length) [line.count, line.tallest] = [data.words.length, 0];
  line.words.style.minHeight = "";
  line.tallest = Math.max(line.tallest, line.words.offsetHeight);
  line.words.style.minHeight = `${line.tallest}px`;
}

function newWord() {
  const button = add(null, "button", "word");
  button.type = "button";
  const well = add(button, "span", "well");
  button.parts = {
    number: add(well, "span", "number"),
    bar: add(well, "span", "bar"),
    text: add(button, "span", "text"),
    note: add(button, "span", "note"),
  };
  return button;
}

function update(button, word, line, place) {
  const { number, bar, text, note } = button.parts;
  button.className = `word ${word.tone ?? ""}`;
  button.classList.toggle("glued", Boolean(word.glued));
  button.classList.toggle("low", word.number === undefined);
  button.tabIndex = line === 0 && place === 0 ? 0 : -1;
  Object.assign(button, { line, place, told: word.tip });
  number.textContent = word.number ?? "";
  bar.style.height = `${100 * Math.min(word.bar ?? 0, 1)}%`;
  text.textContent = word.text;
  note.textContent = word.note ?? "";
  button.setAttribute("aria-label", [word.text, word.tip].filter(Boolean).join(", "));
}
