// Every head of a model as a cell: layers down, heads across. Hover tells, click picks, arrow keys
// walk. Cells are updated in place, so that colours ease from one map to the next.
// uses dom
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.grid) build(root);
  root.data = data;
  root.pick = (layer, head) => setTriggerValue("pick", { layer, head });
  root.grid.setAttribute("aria-label", data.label);
  root.grid.setAttribute("aria-rowcount", data.layers);
  root.style.setProperty("--heads", data.heads);
  root.style.setProperty("--cell", `${Math.min(34, Math.max(20, data.room / data.layers - 3))}px`);
  if (root.layers !== data.layers || root.heads !== data.heads) lay(root);
  data.cells.forEach((cell, index) => update(root.cells[index], cell, index));
  const chosen = data.cells.findIndex((cell) => cell.state.includes("chosen"));
  if (!root.cells.some((cell) => cell.tabIndex === 0)) root.cells[Math.max(chosen, 0)].tabIndex = 0;
  legend(root);
  if (root.told) show(root, root.told);
}

function build(root) {
  root.grid = element("div", "grid");
  root.grid.setAttribute("role", "grid");
  root.scale = element("div", "scale");
  root.tip = element("div", "tip");
  root.tip.dataset.save = "no";
  root.append(root.grid, root.scale, root.tip);
  const cellOf = (event) => event.target.closest?.(".cell") ?? null;
  root.grid.addEventListener("mouseover", (event) => show(root, cellOf(event)));
  root.grid.addEventListener("mouseleave", () => show(root, null));
  root.grid.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(root, cellOf(event)));
  root.grid.addEventListener("focusout", () => show(root, null));
  root.grid.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    root.pick(Number(button.dataset.layer), button.dataset.head === undefined ? null : Number(button.dataset.head));
  });
  root.grid.addEventListener("keydown", (event) => {
    const at = root.cells.indexOf(event.target);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: root.heads, ArrowUp: -root.heads }[event.key];
    if (at < 0 || !step) return;
    event.preventDefault();
    event.stopPropagation();
    const next = root.cells[at + step];
    if (!next || (Math.abs(step) === 1 && next.dataset.layer !== event.target.dataset.layer)) return;
    for (const cell of root.cells) cell.tabIndex = cell === next ? 0 : -1;
    next.focus({ preventScroll: true });
  });
}

function lay(root) {
  const { data } = root;
  root.layers = data.layers;
  root.heads = data.heads;
  root.cells = [];
  const head = element("div", "row");
  head.setAttribute("aria-hidden", "true");
  head.append(element("span", "corner"));
  for (let h = 0; h < data.heads; h++) head.append(element("span", "name", `H${h}`));
  const rows = [head];
  for (let l = 0; l < data.layers; l++) {
    const row = element("div", "row");
    row.setAttribute("role", "row");
    const name = element(data.whole ? "button" : "span", "name layer", `L${l}`);
    if (data.whole) {
      name.type = "button";
      name.dataset.layer = l;
      name.setAttribute("aria-label", `${data.whole} ${l}`);
      name.title = `${data.whole} ${l}`;
    }
    row.append(name);
    for (let h = 0; h < data.heads; h++) {
      const cell = element("button", "cell");
      cell.type = "button";
      cell.tabIndex = -1;
      cell.dataset.layer = l;
      cell.dataset.head = h;
      cell.setAttribute("role", "gridcell");
      cell.append(element("span", "number"));
      row.append(cell);
      root.cells.push(cell);
    }
    rows.push(row);
  }
  root.grid.replaceChildren(...rows);
}

function update(button, cell, index) {
  button.className = `cell ${cell.state}`;
  button.style.background = cell.colour;
  button.style.color = cell.ink;
  button.firstChild.textContent = cell.text;
  button.tip = cell.tip;
  const chosen = cell.state.includes("chosen") || cell.state.includes("off");
  button.setAttribute("aria-selected", chosen);
  button.setAttribute("aria-label", cell.tip.replaceAll("\n", ", "));
}

function legend(root) {
  const { scale, data } = root;
  const { legend } = data;
  scale.hidden = !legend;
  if (!legend) return;
  const bar = element("div", "bar");
  for (const colour of legend.colours) bar.append(element("span"));
  [...bar.children].forEach((step, index) => (step.style.background = legend.colours[index]));
  for (const tick of legend.ticks) {
    const mark = element("i", "tick");
    mark.style.left = `${Math.min(Math.max(tick, 0), 1) * 100}%`;
    bar.append(mark);
  }
  scale.replaceChildren(element("span", "", legend.low), bar, element("span", "", legend.high), element("span", "says", legend.says));
}

function show(root, cell) {
  const { tip } = root;
  root.told = cell;
  tip.classList.toggle("on", Boolean(cell));
  if (!cell) return;
  tip.textContent = cell.tip;
  const home = root.getBoundingClientRect();
  const box = cell.getBoundingClientRect();
  const zoom = home.width / root.offsetWidth || 1; // presenter mode enlarges the page
  const middle = (box.left + box.width / 2 - home.left) / zoom;
  const half = tip.offsetWidth / 2;
  tip.style.left = `${Math.min(Math.max(middle, half), root.offsetWidth - half)}px`;
  tip.style.top = `${(box.bottom - home.top) / zoom + 6}px`;
}
