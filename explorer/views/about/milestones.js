// What a model expected, when: a column for each point of its training, its first guesses from top
// to bottom. The slider over the columns chooses a point, and the sentence above is read with that
// point's best guess; one word is traced from column to column. Hover traces another word, click
// holds it, Esc lets it go; Play walks through the training.
// uses dom, svg
const STEP_MS = 900;
const TELL_MS = 250; // the address follows the slider once it rests

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.view ??= build(root);
  const view = root.view;
  const other = view.shown !== data.shown;
  view.send = setTriggerValue;
  if (other) stop(view);
  // What was just chosen here counts until Python has answered it.
  if (other || view.awaited === undefined || view.awaited === data.point) {
    view.point = data.point;
    view.awaited = undefined;
  }
  view.data = data;
  view.shown = data.shown;
  view.preview = null;
  fill(view);
  show(view);
  return () => stop(view);
}

function build(root) {
  const view = { root };
  view.reading = add(root, "div", "reading");
  view.sentence = add(view.reading, "p", "sentence");
  view.sentence.setAttribute("aria-live", "polite");
  view.play = add(view.reading, "button", "play");
  view.play.type = "button";
  const frame = add(root, "div", "frame");
  view.inner = add(frame, "div", "inner");
  view.slider = add(view.inner, "input", "slider");
  Object.assign(view.slider, { type: "range", min: 0, step: 1 });
  view.table = add(view.inner, "div", "table");
  view.table.setAttribute("role", "group");
  view.links = node("svg", { "aria-hidden": "true" });
  const foot = add(root, "p", "foot");
  view.story = add(foot, "span", "story");
  view.when = add(foot, "span", "when");
  view.tip = add(root, "div", "tip");
  listen(view);
  new ResizeObserver(() => view.data && draw(view)).observe(view.table);
  return view;
}

function listen(view) {
  const cellOf = (event) => event.target.closest(".cell");
  view.slider.addEventListener("input", () => {
    stop(view);
    choose(view, Number(view.slider.value));
  });
  // A clicker's keys turn pages; they are not for the slider.
  view.slider.addEventListener("keydown", (event) => event.key.startsWith("Page") && event.preventDefault());
  view.play.addEventListener("click", () => (view.timer ? stop(view) : play(view)));
  view.table.addEventListener("mouseover", (event) => hover(view, cellOf(event)));
  view.table.addEventListener("mouseleave", () => hover(view, null));
  view.table.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && hover(view, cellOf(event)));
  view.table.addEventListener("focusout", () => hover(view, null));
  view.table.addEventListener("click", (event) => {
    const cell = cellOf(event);
    const head = event.target.closest(".head");
    if (cell) hold(view, cell.word === view.data.held ? -1 : cell.word);
    if (head) {
      stop(view);
      choose(view, head.column);
    }
  });
  view.root.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && view.data.held >= 0) hold(view, -1);
    else walk(view, event);
  });
}

function walk(view, event) {
  const at = event.target;
  if (!at.classList.contains("cell")) return;
  const move = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
  if (!move) return;
  event.preventDefault();
  const next = view.cells.find((cell) => cell.column === at.column + move[0] && cell.place === at.place + move[1]);
  if (!next) return;
  for (const cell of view.cells) cell.tabIndex = cell === next ? 0 : -1;
  next.focus();
}

function fill(view) {
  const { columns, words, label } = view.data;
  view.root.style.setProperty("--columns", columns.length);
  view.inner.classList.toggle("many", columns.length > 9);
  view.table.setAttribute("aria-label", label);
  view.slider.max = columns.length - 1;
  view.slider.hidden = view.play.hidden = columns.length < 2;
  if (view.filled === JSON.stringify([columns, words])) return;
  view.filled = JSON.stringify([columns, words]);
  view.cells = [];
  view.table.replaceChildren(
    ...columns.map((column, number) => {
      const made = add(null, "div", "column");
      const head = add(made, "button", "head", number ? column.tokens : `${column.tokens} tokens`);
      Object.assign(head, { type: "button", column: number, tabIndex: -1, title: column.when });
      column.cells.forEach((cell, place) => {
        const button = add(made, "button", "cell");
        Object.assign(button, { type: "button", tabIndex: -1, word: cell.word, column: number, place, said: cell.tip });
        button.setAttribute("aria-label", `${words[cell.word].text}, ${cell.tip}, ${column.when}`);
        add(button, "span", "word", words[cell.word].text);
        const bar = add(add(button, "span", "track"), "span", "bar");
        bar.style.width = `${cell.width * 100}%`;
        add(button, "span", "number", cell.number);
        view.cells.push(button);
      });
      return made;
    }),
    view.links,
  );
  if (view.cells.length) view.cells[0].tabIndex = 0;
}

function show(view) {
  const { data, point } = view;
  const column = data.columns[point];
  view.slider.value = point;
  view.slider.setAttribute("aria-valuetext", column.when);
  const guess = add(null, "b", "guess", column.word);
  const sure = add(null, "span", "sure", column.probability);
  view.sentence.replaceChildren(column.before, ...(column.word ? [guess, sure] : []), column.after);
  view.when.textContent = column.when;
  [...view.table.querySelectorAll(".column")].forEach((each, i) => {
    each.classList.toggle("chosen", i === point);
    each.firstChild.setAttribute("aria-pressed", i === point);
  });
  const traced = view.preview ?? (data.held >= 0 ? data.held : data.final);
  for (const cell of view.cells) {
    cell.classList.toggle("traced", cell.word === traced);
    cell.setAttribute("aria-pressed", cell.word === data.held);
  }
  const name = add(null, "b", "", data.words[traced]?.text.trim() ?? "");
  view.story.replaceChildren(...(traced >= 0 && data.words[traced] ? [name, ` ${data.words[traced].story}.`] : []));
  view.traced = traced;
  view.play.textContent = view.timer ? "Stop" : "Play the training";
  view.play.setAttribute("aria-pressed", Boolean(view.timer));
  draw(view);
}

// A line from a word to where it stands in the next column, level until the gap between them.
function draw(view) {
  const { clientWidth: width, clientHeight: height } = view.table;
  view.links.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const lines = view.cells.flatMap((cell) => {
    const next = view.cells.find((c) => c.word === cell.word && c.column === cell.column + 1);
    if (!next) return [];
    const [one, other] = [cell.firstChild, next.firstChild];
    const [y1, y2] = [one, other].map((word) => word.offsetTop + word.offsetHeight / 2);
    const [x1, x2] = [one.offsetLeft + one.offsetWidth + 3, other.offsetLeft - 1];
    const bend = Math.max(cell.offsetLeft + cell.offsetWidth - 4, x1);
    const middle = (bend + x2) / 2;
    const path = node("path", { d: `M${x1},${y1} H${bend} C${middle},${y1} ${middle},${y2} ${x2},${y2}` });
    path.classList.toggle("traced", cell.word === view.traced);
    return [path];
  });
  lines.sort((a, b) => a.classList.contains("traced") - b.classList.contains("traced"));
  view.links.replaceChildren(...lines);
}

function choose(view, point) {
  if (point === view.point) return;
  view.point = view.awaited = point;
  show(view);
  clearTimeout(view.telling);
  view.telling = setTimeout(() => view.send("point", point), TELL_MS);
}

function hold(view, word) {
  view.preview = null;
  view.data = { ...view.data, held: word };
  show(view);
  view.send("word", word < 0 ? "" : view.data.words[word].token);
}

function hover(view, cell) {
  const preview = cell ? cell.word : null;
  view.tip.classList.toggle("on", Boolean(cell));
  if (cell) {
    view.tip.textContent = cell.said;
    const [box, home] = [cell.getBoundingClientRect(), view.root.getBoundingClientRect()];
    const left = Math.min(box.left - home.left, home.width - view.tip.offsetWidth - 4);
    view.tip.style.transform = `translate(${Math.max(left, 0)}px, ${box.bottom - home.top + 2}px)`;
  }
  if (preview === view.preview) return;
  view.preview = preview;
  show(view);
}

function play(view) {
  const last = view.data.columns.length - 1;
  const step = () => {
    const next = view.point + 1;
    if (next > last) return stop(view);
    view.timer = next < last ? setTimeout(step, STEP_MS) : null;
    choose(view, next);
  };
  if (view.point < last) return step();
  view.timer = setTimeout(step, STEP_MS);
  choose(view, 0);
}

function stop(view) {
  if (!view.timer) return;
  clearTimeout(view.timer);
  view.timer = null;
  if (view.data) show(view);
}
