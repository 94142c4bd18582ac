// Candidates as horizontal bars: hover gives the full numbers, click acts, arrow keys walk.
// Rows are updated in place, so that a bar eases from its old length to the new one.
const ROW_PX = 27;

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.list) build(root);
  const { list } = root;
  const two = data.rows.some((row) => row.chance !== undefined);
  root.classList.toggle("active", data.active);
  list.setAttribute("aria-label", data.label);
  list.style.maxHeight = `${data.visible * ROW_PX}px`;
  root.style.setProperty("--numbers", two ? 2 : 1);
  root.style.setProperty("--rank", `${Math.max(2, ...data.rows.map((row) => row.rank.length))}ch`);
  root.head.hidden = data.headings.length === 0;
  root.head.replaceChildren(...data.headings.map((text) => element("span", "", text)));

  while (list.children.length > data.rows.length) list.lastChild.remove();
  while (list.children.length < data.rows.length) list.append(newRow());
  data.rows.forEach((row, index) => update(list.children[index], row, index, data));
  if (!list.querySelector('[tabindex="0"]') && list.firstChild) list.firstChild.tabIndex = 0;
  const hovered = list.querySelector(":hover") || root.getRootNode().activeElement;
  if (root.tip.classList.contains("on") && hovered?.tip) root.tip.textContent = hovered.tip;

  list.onclick = (event) => {
    const button = event.target.closest("button");
    if (button && data.active) setTriggerValue("click", Number(button.dataset.index));
  };
}

function build(root) {
  root.head = element("div", "head");
  root.list = element("div", "list");
  root.tip = element("div", "tip");
  root.list.setAttribute("role", "group");
  root.append(root.head, root.list, root.tip);
  const { list, tip } = root;
  const show = (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    tip.textContent = button.tip;
    tip.style.top = `${button.offsetTop - list.scrollTop + ROW_PX + 2}px`;
    tip.classList.add("on");
  };
  const hide = () => tip.classList.remove("on");
  list.addEventListener("mouseover", show);
  list.addEventListener("mouseleave", hide);
  list.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(event));
  list.addEventListener("focusout", hide);
  list.addEventListener("scroll", hide);
  list.addEventListener("keydown", (event) => {
    const rows = [...list.children];
    const at = rows.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    for (const row of rows) row.tabIndex = row === next ? 0 : -1;
    next.focus();
  });
}

function newRow() {
  const row = element("button", "row");
  row.type = "button";
  row.tabIndex = -1;
  row.parts = {
    rank: element("span", "rank"),
    token: element("span", "token"),
    hollow: element("span", "hollow"),
    solid: element("span", "solid"),
    first: element("span", "number first"),
    second: element("span", "number"),
  };
  const track = element("span", "track");
  track.append(row.parts.solid, row.parts.hollow);
  row.append(row.parts.rank, row.parts.token, track, row.parts.first, row.parts.second);
  return row;
}

// Solid is what counts: the chance where one is given, else the probability. Hollow is the
// model's own probability where the chance differs from it, or where the row is cut.
function update(button, row, index, data) {
  const { rank, token, hollow, solid, first, second } = button.parts;
  const two = row.chance !== undefined;
  const width = (value) => `${Math.min(Math.max(value / data.scale, 0), 1) * 100}%`;
  button.className = `row ${row.state || ""}`;
  button.classList.toggle("ruled", Boolean(row.ruled));
  button.dataset.index = index;
  button.setAttribute("aria-pressed", row.state === "chosen");
  rank.textContent = row.rank;
  token.textContent = row.token;
  first.textContent = row.number;
  second.textContent = two ? row.second : "";
  second.hidden = !two;
  solid.style.width = row.state === "cut" ? "0%" : width(two ? row.chance : row.probability);
  hollow.style.width = width(row.probability);
  hollow.hidden = !(two || row.state === "cut");
  button.tip = row.tip;
  button.setAttribute("aria-label", `${row.rank} ${row.token}, ${row.tip}`);
}

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}
