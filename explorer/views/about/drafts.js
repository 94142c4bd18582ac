// What a model wrote on from one beginning at each point of its training, a line each; the chosen
// one is read in large letters above. Arrow keys walk through the lines.
// uses dom
const TELL_MS = 250; // the address follows once the keys rest

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.view ??= build(root);
  const view = root.view;
  view.send = setTriggerValue;
  // What was just chosen here counts until Python has answered it.
  if (view.shown !== data.shown || view.awaited === undefined || view.awaited === data.point) {
    view.point = data.point;
    view.awaited = undefined;
  }
  view.shown = data.shown;
  view.data = data;
  view.list.setAttribute("aria-label", data.label);
  view.list.classList.toggle("many", data.rows.length > 9);
  while (view.list.children.length > data.rows.length) view.list.lastChild.remove();
  while (view.list.children.length < data.rows.length) {
    const row = add(view.list, "button", "row");
    row.type = "button";
    row.setAttribute("role", "option");
    for (const part of ["tokens", "text"]) row[part] = add(row, "span", part);
  }
  data.rows.forEach((each, i) => {
    const row = view.list.children[i];
    row.at = i;
    row.tokens.textContent = i ? each.tokens : `${each.tokens} tokens`;
    row.text.textContent = each.text;
  });
  show(view);
}

function build(root) {
  const view = { root };
  view.reading = add(root, "p", "reading");
  view.reading.setAttribute("aria-live", "polite");
  view.list = add(root, "div", "list");
  view.list.setAttribute("role", "listbox");
  view.when = add(root, "p", "when");
  view.list.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (row) choose(view, row.at);
  });
  view.list.addEventListener("keydown", (event) => {
    const last = view.data.rows.length - 1;
    const to = { ArrowDown: view.point + 1, ArrowUp: view.point - 1, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(view, Math.min(Math.max(to, 0), last));
    view.list.children[view.point].focus({ preventScroll: true });
  });
  return view;
}

function choose(view, point) {
  if (point === view.point) return;
  view.point = view.awaited = point;
  show(view);
  clearTimeout(view.telling);
  view.telling = setTimeout(() => view.send("point", point), TELL_MS);
}

function show(view) {
  const { data, point } = view;
  const row = data.rows[point];
  view.reading.replaceChildren(add(null, "span", "prompt", data.prompt), row.text);
  view.when.textContent = row.when;
  [...view.list.children].forEach((each, i) => {
    each.classList.toggle("chosen", i === point);
    each.setAttribute("aria-selected", i === point);
    each.tabIndex = i === point ? 0 : -1;
  });
}
