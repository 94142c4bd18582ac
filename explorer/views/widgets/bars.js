// Candidates as horizontal bars: hover gives the full numbers, click acts, arrow keys walk.
// Rows are updated in place, so that a bar eases from its old length to the new one. Pinned rows
// stay in view below the list, which scrolls when it is long.
// uses dom
const ROW_PX = 27;

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.list) build(root);
  const two = data.rows.some((row) => row.chance !== undefined);
  root.classList.toggle("active", data.active);
  root.classList.toggle("cosines", Boolean(data.cosines));
  root.setAttribute("aria-label", data.label);
  root.style.setProperty("--numbers", two ? 2 : 1);
  root.style.setProperty("--rank", `${Math.max(2, ...data.rows.map((row) => row.rank.length))}ch`);
  root.head.hidden = data.headings.length === 0;
  root.head.replaceChildren(...data.headings.map((text) => element("span", "", text)));

  const plain = data.rows.filter((row) => !row.pinned);
  fill(root.list, plain.length);
  fill(root.pinned, data.rows.length - plain.length);
  const scrolls = plain.length > data.visible;
  root.classList.toggle("scrolls", scrolls);
  // Half a row at the end says that there is more.
  root.list.style.maxHeight = `${(data.visible - (scrolls ? 0.5 : 0)) * ROW_PX}px`;
  root.pinned.hidden = data.rows.length === plain.length;
  const buttons = rows(root);
  data.rows.forEach((row, index) => update(buttons[index], row, index, data));
  if (buttons.length && !buttons.some((button) => button.tabIndex === 0)) buttons[0].tabIndex = 0;
  if (root.told) root.tip.textContent = root.told.tip;

  root.onclick = (event) => {
    const button = event.target.closest("button");
    if (button && data.active && !button.covered) setTriggerValue("click", Number(button.dataset.index));
  };
}

function build(root) {
  for (const part of ["head", "list", "pinned", "tip"]) {
    root[part] = element("div", part);
    root.append(root[part]);
  }
  root.setAttribute("role", "group");
  const { tip } = root;
  const show = (button) => {
    root.told = button;
    tip.classList.toggle("on", Boolean(button));
    if (!button) return;
    tip.textContent = button.tip;
    const home = root.getBoundingClientRect();
    const zoom = home.width / root.offsetWidth; // presenter mode enlarges the page
    tip.style.top = `${(button.getBoundingClientRect().bottom - home.top) / zoom + 2}px`;
  };
  // A row that is scrolled into view is pointed at, or focused, before its list reports the scroll.
  const follow = () => root.told && show(inView(root.told) ? root.told : null);
  root.addEventListener("mouseover", (event) => show(event.target.closest("button")));
  root.addEventListener("mouseleave", () => show(null));
  root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(event.target));
  root.addEventListener("focusout", () => show(null));
  root.list.addEventListener("scroll", follow);
  root.addEventListener("keydown", (event) => {
    const buttons = rows(root);
    const at = buttons.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = buttons[Math.min(Math.max(to, 0), buttons.length - 1)];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
  });
}

function rows(root) {
  return [...root.list.children, ...root.pinned.children];
}

function inView(button) {
  const [row, list] = [button, button.parentElement].map((each) => each.getBoundingClientRect());
  const middle = (row.top + row.bottom) / 2;
  return list.top <= middle && middle <= list.bottom;
}

function fill(list, count) {
  while (list.children.length > count) list.lastChild.remove();
  while (list.children.length < count) list.append(newRow());
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
// model's own probability where the chance differs from it, or where the row is cut; or what the
// same word has elsewhere.
function update(button, row, index, data) {
  const { rank, token, hollow, solid, first, second } = button.parts;
  const two = row.chance !== undefined;
  const width = (value) => `${Math.min(Math.max(value / data.scale, 0), 1) * 100}%`;
  button.className = `row ${row.state || ""}`;
  button.dataset.index = index;
  button.covered = row.covered;
  button.classList.toggle("covered", row.covered);
  button.setAttribute("aria-pressed", row.state === "chosen");
  rank.textContent = row.rank;
  token.textContent = row.token;
  first.textContent = row.number;
  second.textContent = two ? row.second : "";
  second.hidden = !two;
  solid.style.width = row.state === "cut" ? "0%" : width(two ? row.chance : row.probability);
  const elsewhere = row.beside !== undefined;
  hollow.style.width = width(elsewhere ? row.beside : row.probability);
  // An outline too short to be one would only be a stroke over the bar.
  const drawn = elsewhere && row.beside > 0.01 * data.scale;
  hollow.hidden = !(two || drawn || row.state === "cut");
  button.tip = row.tip;
  button.setAttribute("aria-label", `${row.rank} ${row.token}, ${row.tip}`);
}
