// One token a line: its probability before on the left, after on the right, and how much it changed.
// Bars are updated in place, so that they ease to their new length.
// uses dom
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".root");
  if (!root.rows) build(root);
  root.setAttribute("aria-label", data.label);
  ["before", "after"].forEach((side, i) => (root.heads[i].textContent = data[side]));
  while (root.rows.children.length > data.rows.length) root.rows.lastChild.remove();
  while (root.rows.children.length < data.rows.length) root.rows.append(newRow());
  data.rows.forEach((row, index) => update(root.rows.children[index], row, data.scale));
}

function build(root) {
  root.setAttribute("role", "table");
  const head = element("div", "line head");
  head.setAttribute("role", "row");
  root.heads = [element("span", "left"), element("span", "right")];
  head.append(root.heads[0], element("span", "middle"), root.heads[1], element("span", "change", "change"));
  for (const cell of head.children) cell.setAttribute("role", "columnheader");
  root.rows = element("div", "rows");
  root.tip = element("div", "tip");
  root.tip.dataset.save = "no";
  root.append(head, root.rows, root.tip);
  const show = (line) => {
    root.tip.classList.toggle("on", Boolean(line?.tip));
    if (!line?.tip) return;
    root.tip.textContent = line.tip;
    const home = root.getBoundingClientRect();
    const zoom = home.width / root.offsetWidth || 1; // presenter mode enlarges the page
    root.tip.style.top = `${(line.getBoundingClientRect().bottom - home.top) / zoom + 2}px`;
  };
  root.rows.addEventListener("mouseover", (event) => show(event.target.closest(".line")));
  root.rows.addEventListener("mouseleave", () => show(null));
}

function newRow() {
  const line = element("div", "line");
  line.setAttribute("role", "row");
  const side = (name) => {
    const cell = element("span", name);
    const track = element("span", "track");
    const bar = element("span", "bar");
    const number = element("span", "number");
    track.append(bar);
    cell.append(...(name === "left" ? [number, track] : [track, number]));
    cell.setAttribute("role", "cell");
    return { cell, bar, number };
  };
  line.parts = { left: side("left"), token: element("span", "middle"), right: side("right"), change: element("span", "change") };
  for (const cell of [line.parts.token, line.parts.change]) cell.setAttribute("role", "cell");
  line.append(line.parts.left.cell, line.parts.token, line.parts.right.cell, line.parts.change);
  return line;
}

function update(line, row, scale) {
  const { left, token, right, change } = line.parts;
  line.className = `line ${row.state}`;
  line.tip = row.tip;
  token.textContent = row.token;
  for (const [side, value, text] of [[left, row.before, row.before_text], [right, row.after, row.after_text]]) {
    side.bar.style.width = `${Math.min(value / scale, 1) * 100}%`;
    side.number.textContent = text;
  }
  const arrow = { up: "▲ ", down: "▼ " }[row.direction] ?? "";
  change.replaceChildren(element("span", row.direction, arrow), row.change);
}
