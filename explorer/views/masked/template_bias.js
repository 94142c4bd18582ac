// Which of two sets a sentence leans to: a dot for each word of the slot on an axis of ratios, equal in
// the middle. A dashed line stands where the sentence leans with no word in the slot. Hover tells the
// probabilities; a click opens the sentence.
// uses dom
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.parts ??= build(root);
  const { axis, rows, bare, tip } = root.parts;
  const place = (bits) => 50 - (50 * Math.max(Math.min(bits, data.limit), -data.limit)) / data.limit;
  root.setAttribute("aria-label", data.label);
  axis.replaceChildren(
    ...data.ticks.map((tick) => {
      const mark = add(null, "span", "tick", tick.text);
      mark.style.left = `${place(tick.bits)}%`;
      return mark;
    }),
  );
  root.parts.one.textContent = `← ${data.one}`;
  root.parts.other.textContent = `${data.other} →`;
  bare.hidden = data.bare === null;
  if (data.bare !== null) bare.style.left = `${place(data.bare.bits)}%`;
  root.parts.grid.replaceChildren(
    ...data.ticks.map((tick) => {
      const line = add(null, "i", tick.bits ? "" : "even");
      line.style.left = `${place(tick.bits)}%`;
      return line;
    }),
    bare,
  );
  while (rows.children.length > data.rows.length) rows.lastChild.remove();
  while (rows.children.length < data.rows.length) rows.append(newRow());
  data.rows.forEach((row, index) => {
    const button = rows.children[index];
    const { name, stem, dot, ratio } = button.parts;
    Object.assign(button, { index, told: row.tip, tabIndex: index ? -1 : 0 });
    button.className = `row ${row.bits > 0 ? "one" : "other"}${row.bits === null ? " unknown" : ""}`;
    button.setAttribute("aria-label", `${row.name}, ${row.ratio}, ${row.tip}`);
    name.textContent = row.name;
    ratio.textContent = row.ratio;
    const at = place(row.bits ?? 0);
    stem.style.left = `${Math.min(at, 50)}%`;
    stem.style.width = `${Math.abs(at - 50)}%`;
    dot.style.left = `${at}%`;
  });
  if (root.told) tip.textContent = root.told.told;
  root.onclick = (event) => {
    const row = event.target.closest("button");
    if (row) setTriggerValue("click", row.index);
  };
}

function build(root) {
  root.setAttribute("role", "group");
  const head = add(root, "div", "head");
  const parts = { one: add(head, "b", "end one"), other: add(head, "b", "end other") };
  parts.rows = add(root, "div", "rows");
  parts.grid = add(root, "div", "grid");
  parts.bare = add(null, "i", "bare");
  parts.axis = add(root, "div", "axis");
  parts.tip = add(root, "div", "tip");
  parts.tip.dataset.save = "no";
  const show = (row) => {
    root.told = row;
    parts.tip.classList.toggle("on", Boolean(row));
    if (!row) return;
    parts.tip.textContent = row.told;
    const [box, home] = [row.getBoundingClientRect(), root.getBoundingClientRect()];
    parts.tip.style.top = `${((box.bottom - home.top) * root.offsetWidth) / home.width}px`;
  };
  root.addEventListener("mouseover", (event) => show(event.target.closest("button")));
  root.addEventListener("mouseleave", () => show(null));
  root.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(event.target));
  root.addEventListener("focusout", () => show(null));
  root.addEventListener("keydown", (event) => {
    const all = [...parts.rows.children];
    const at = all.indexOf(event.target);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const next = all[Math.min(Math.max(to, 0), all.length - 1)];
    for (const row of all) row.tabIndex = row === next ? 0 : -1;
    next.focus();
  });
  return parts;
}

function newRow() {
  const row = add(null, "button", "row");
  row.type = "button";
  const name = add(row, "span", "name");
  const plot = add(row, "span", "plot");
  row.parts = { name, stem: add(plot, "span", "stem"), dot: add(plot, "span", "dot"), ratio: add(row, "span", "ratio") };
  return row;
}
