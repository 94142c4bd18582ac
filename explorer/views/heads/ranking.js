// Heads in order, a bar each; a tick in every bar stands at what would be had for nothing.
// Hover gives the full numbers, click picks, arrow keys walk.
// uses dom
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.rows) build(root);
  root.pick = (index) => setTriggerValue("pick", index);
  root.setAttribute("aria-label", data.label);
  root.heading.textContent = data.heading;
  root.heading.hidden = !data.heading;
  while (root.rows.children.length > data.rows.length) root.rows.lastChild.remove();
  while (root.rows.children.length < data.rows.length) root.rows.append(newRow());
  const buttons = [...root.rows.children];
  data.rows.forEach((row, index) => update(buttons[index], row, index, data));
  if (buttons.length && !buttons.some((button) => button.tabIndex === 0)) buttons[0].tabIndex = 0;
}

function build(root) {
  root.setAttribute("role", "group");
  root.heading = element("p", "heading");
  root.rows = element("div", "rows");
  root.tip = element("div", "tip");
  root.tip.dataset.save = "no";
  root.append(root.heading, root.rows, root.tip);
  const show = (button) => {
    root.tip.classList.toggle("on", Boolean(button?.tip));
    if (!button?.tip) return;
    root.tip.textContent = button.tip;
    const home = root.getBoundingClientRect();
    const zoom = home.width / root.offsetWidth || 1; // presenter mode enlarges the page
    root.tip.style.top = `${(button.getBoundingClientRect().bottom - home.top) / zoom + 2}px`;
  };
  root.addEventListener("mouseover", (event) => show(event.target.closest("button")));
  root.addEventListener("mouseleave", () => show(null));
  root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(event.target));
  root.addEventListener("focusout", () => show(null));
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) root.pick(Number(button.dataset.index));
  });
  root.addEventListener("keydown", (event) => {
    const buttons = [...root.rows.children];
    const at = buttons.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = buttons[Math.min(Math.max(to, 0), buttons.length - 1)];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });
}

function newRow() {
  const row = element("button", "row");
  row.type = "button";
  row.tabIndex = -1;
  const track = element("span", "track");
  row.parts = { name: element("b", "name"), note: element("span", "note"), bar: element("span", "bar"), tick: element("i", "tick"), number: element("span", "number") };
  track.append(row.parts.bar, row.parts.tick);
  row.append(row.parts.name, row.parts.note, track, row.parts.number);
  return row;
}

function update(button, row, index, data) {
  const { name, note, bar, tick, number } = button.parts;
  button.className = `row ${row.chosen ? "chosen" : ""}`;
  button.dataset.index = index;
  button.setAttribute("aria-pressed", Boolean(row.chosen));
  button.setAttribute("aria-label", [row.name, row.note, row.number, row.tip].filter(Boolean).join(", "));
  button.tip = row.tip;
  name.textContent = row.name;
  note.textContent = row.note;
  number.textContent = row.number;
  const at = (value) => `${Math.min(Math.max(value / data.scale, 0), 1) * 100}%`;
  bar.style.width = at(row.value);
  tick.hidden = data.tick === null;
  if (data.tick !== null) tick.style.left = at(data.tick);
}
