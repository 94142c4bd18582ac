// Ways to one thing, each with a figure as a bar: a click, or the arrow keys, choose one of them.
// uses dom
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const list = (root.list ??= build(root));
  list.setAttribute("aria-label", data.label);
  root.head.replaceChildren(...data.headings.map((text) => element("span", "", text)));
  list.style.setProperty("--text", `${Math.max(...data.rows.map((each) => each.text.length), 0) * 0.47}em`);
  while (list.children.length > data.rows.length) list.lastElementChild.remove();
  while (list.children.length < data.rows.length) list.append(row());
  data.rows.forEach((item, i) => fill(list.children[i], item));
  const chosen = [...list.children].find((each) => each.ariaChecked === "true");
  for (const each of list.children) each.tabIndex = each === (chosen ?? list.firstElementChild) ? 0 : -1;
  list.choose = (button) => button.ariaChecked !== "true" && setTriggerValue("choose", button.dataset.name);
}

function build(root) {
  root.head = element("div", "head");
  const list = element("div", "list");
  list.setAttribute("role", "radiogroup");
  list.onclick = (event) => {
    const button = event.target.closest("button");
    if (button) list.choose(button);
  };
  list.onkeydown = (event) => {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    const all = [...list.children];
    const at = all.indexOf(event.target);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = all[(at + step + all.length) % all.length];
    next.focus();
    list.choose(next);
  };
  root.append(root.head, list);
  return list;
}

function row() {
  const button = element("button", "row");
  button.type = "button";
  button.setAttribute("role", "radio");
  const track = element("span", "track");
  track.append(element("span", "bar"));
  button.append(element("span", "knob"), element("span", "text"), track, element("span", "number"), element("span", "aside"));
  return button;
}

function fill(button, item) {
  const [, text, track, number, aside] = button.children;
  button.dataset.name = item.name;
  button.setAttribute("aria-checked", item.chosen);
  button.ariaChecked = String(item.chosen);
  text.textContent = item.text;
  track.firstElementChild.style.width = `${100 * Math.max(0, Math.min(1, item.value ?? 0))}%`;
  number.textContent = item.number;
  aside.textContent = item.aside ?? "";
  button.setAttribute("aria-label", item.said);
}
