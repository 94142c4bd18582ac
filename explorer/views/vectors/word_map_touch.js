// What a hand does on the map: pointing at a dot, locking it, walking from dot to dot by keyboard.
const REACH_PX = 18;

function listen(map) {
  const { svg } = map;
  svg.addEventListener("pointermove", (event) => tell(map, hit(map, event)));
  svg.addEventListener("pointerleave", () => tell(map, ""));
  svg.addEventListener("click", (event) => {
    const found = hit(map, event);
    if (found || map.data.locked) lock(map, found);
  });
  svg.addEventListener("focusin", (event) => {
    const drawn = event.target.closest(".dot");
    if (drawn?.matches(":focus-visible")) tell(map, drawn.id_);
  });
  svg.addEventListener("focusout", () => tell(map, ""));
  svg.addEventListener("keydown", (event) => {
    const id = event.target.closest(".dot")?.id_;
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && map.data.locked) lock(map, "");
    else if (id !== undefined && (event.key === "Enter" || event.key === " ")) lock(map, id);
    else if (id !== undefined && by) walk(map, id, by);
    else return;
    event.preventDefault();
  });
}

// A second click on the locked dot, and a click beside all dots, release it.
function lock(map, id) {
  const { dots, locked } = map.data;
  const dot = dots[map.index.get(id)];
  if (dot?.fixed) return;
  map.send("lock", id === locked ? "" : id);
}

function walk(map, id, by) {
  const { dots } = map.data;
  map.walker = dots[(map.index.get(id) + by + dots.length) % dots.length].id;
  for (const [other, drawn] of map.elements) drawn.setAttribute("tabindex", other === map.walker ? 0 : -1);
  map.elements.get(map.walker).focus({ preventScroll: true });
  tell(map, map.walker);
}

// The nearest dot within reach of the pointer.
function hit(map, event) {
  const box = map.svg.getBoundingClientRect();
  const zoom = box.width / map.width || 1; // presenter mode enlarges the page
  const [px, py] = [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
  let [best, found] = [REACH_PX ** 2, ""];
  for (const [id, [x, y]] of map.at) {
    const away = (x - px) ** 2 + (y - py) ** 2;
    if (away < best) [best, found] = [away, id];
  }
  return found;
}

function tell(map, id) {
  if (id === map.hovered) return;
  map.hovered = id;
  map.stage.classList.toggle("over", Boolean(id));
  map.tip.classList.toggle("on", Boolean(id));
  for (const [other, drawn] of map.elements) drawn.classList.toggle("hovered", other === id);
  if (!id) return;
  const dot = map.data.dots[map.index.get(id)];
  map.tip.replaceChildren(element("b", "", dot.text), ...(dot.tip ?? "").split("\n").map((said) => element("span", "", said)));
  placeTip(map);
}

function placeTip(map) {
  const [x, y] = map.at.get(map.hovered);
  const [w, h] = [map.tip.offsetWidth, map.tip.offsetHeight];
  const left = Math.min(Math.max(x - w / 2, 4), map.width - w - 4);
  const top = y - h - 16 < 0 ? y + 16 : y - h - 16;
  map.tip.style.transform = `translate(${left}px, ${top}px)`;
}
