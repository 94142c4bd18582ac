// What is locked, and the occurrences most like it; a click on one of them goes on to that one.
// uses dom, svg

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.style.minHeight = `${data.height}px`;
  const signature = JSON.stringify(data);
  if (root.signature === signature) return;
  root.signature = signature;
  const focused = root.getRootNode().activeElement?.dataset?.index;
  const rows = (data.rows ?? []).map(row);
  root.replaceChildren(...(data.title ? [title(data, setTriggerValue), ...rows] : rows.length ? rows : [hint(data)]));
  root.onclick = (event) => {
    const id = event.target.closest("button.row")?.occurrence;
    if (id) setTriggerValue("lock", id);
  };
  root.onkeydown = (event) => {
    const buttons = [...root.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") setTriggerValue("lock", "");
    else if (step && at >= 0) buttons[(at + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
  };
  if (focused !== undefined) root.querySelector(`[data-index="${focused}"]`)?.focus({ preventScroll: true });
}

function title(data, send) {
  const line = element("div", "title");
  const release = element("button", "release", "Release");
  release.type = "button";
  release.title = "Esc";
  release.onclick = () => send("lock", "");
  line.append(mark(data.title), sentence(data.title.parts), release);
  return line;
}

function row(item, index) {
  const button = element("button", "row");
  button.type = "button";
  button.occurrence = item.id;
  button.dataset.index = index;
  button.setAttribute("aria-label", `cosine ${item.cosine}, ${item.sense || "no sense given"}: ${item.whole}`);
  button.append(mark(item), element("span", "number", item.cosine), sentence(item.parts));
  return button;
}

function hint(data) {
  return element("p", "hint", data.hint);
}

function sentence([before, word, after]) {
  const line = element("span", "sentence");
  line.append(before, element("b", "", word), after);
  return line;
}

function mark({ colour, path }) {
  const svg = node("svg", { viewBox: "-14 -14 28 28", "aria-hidden": "true" });
  const shape = node("path", { d: path });
  if (colour < 0) shape.setAttribute("class", "unknown");
  else shape.style.fill = `var(--rb-senses-${colour})`;
  svg.append(shape);
  return svg;
}
