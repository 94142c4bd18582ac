// What a hand does on the map: pointing at a dot, locking it, walking by keyboard, turning the room.
const CLICK_PX = 4; // a pointer that moved further has dragged
const KEY_TURN = 0.15; // radians per press of an arrow key

function listen(map) {
  const { svg } = map;
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const zoom = zoomOf(map);
    return [(event.clientX - box.left) / zoom, (event.clientY - box.top) / zoom];
  };
  svg.addEventListener("pointerdown", (event) => {
    map.press = at(event);
    if (map.axes === 3 && event.button === 0) {
      map.drag = map.press;
      svg.setPointerCapture(event.pointerId);
      tell(map, -1);
    }
  });
  svg.addEventListener("pointermove", (event) => {
    const place = at(event);
    if (!map.drag) return tell(map, hit(map, ...place));
    turn(map, -(place[0] - map.drag[0]) * TURN, (place[1] - map.drag[1]) * TURN);
    map.drag = place;
  });
  for (const name of ["pointerup", "pointercancel"]) {
    svg.addEventListener(name, () => {
      map.drag = null;
      wake(map);
    });
  }
  svg.addEventListener("pointerleave", () => tell(map, -1));
  svg.addEventListener("click", (event) => {
    const place = at(event);
    if (map.press && Math.hypot(place[0] - map.press[0], place[1] - map.press[1]) > CLICK_PX) return;
    const found = hit(map, ...place);
    if (found >= 0) lock(map, found);
    else if (map.locked) release(map);
  });
  svg.addEventListener("dblclick", () => map.axes === 3 && face(map));
  svg.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) tell(map, indexOf(map, event.target));
  });
  svg.addEventListener("focusout", () => tell(map, -1));
  map.root.addEventListener("keydown", (event) => keys(map, event));
}

function keys(map, event) {
  const from = indexOf(map, event.target);
  const arrow = { ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowUp: [0, -1] }[event.key];
  if (event.key === "Escape" && map.locked) release(map);
  else if (from >= 0 && (event.key === "Enter" || event.key === " ")) lock(map, from);
  else if (from >= 0 && arrow && !event.shiftKey) walk(map, from, arrow[0] + arrow[1]);
  else if (map.axes === 3 && arrow && map.svg.contains(event.target)) {
    turn(map, -arrow[0] * KEY_TURN, arrow[1] * KEY_TURN);
  } else if (map.axes === 3 && event.key === "Home" && map.svg.contains(event.target)) face(map);
  else return;
  event.preventDefault();
}

// To the next dot: another element, or the one that walks.
function walk(map, from, by) {
  const to = (from + by + map.size) % map.size;
  if (map.many) {
    map.walker = to;
    dress(map, shown(map)[0][0], to);
    wake(map);
  } else {
    const all = [...map.elements.values()];
    for (const dot of all) dot.setAttribute("tabindex", dot === all[to] ? 0 : -1);
    all[to].focus({ preventScroll: true });
  }
  tell(map, to);
}

// The dot that an element of the picture stands for, or -1.
function indexOf(map, target) {
  return shown(map).find(([element]) => element === target)?.[1] ?? -1;
}

// Straight from the front, as a flat picture would show it.
function face(map) {
  turn(map, -map.yaw, -map.pitch);
}

// The ring is drawn at once; the server answers with the neighbours.
function lock(map, index) {
  const id = map.data.dots[index].id;
  if (id === map.locked) return release(map);
  [map.locked, map.near] = [id, []];
  map.send("lock", id);
  refresh(map);
}

function release(map) {
  [map.locked, map.near] = ["", []];
  map.send("lock", "");
  refresh(map);
}

function refresh(map) {
  shown(map).forEach(([dot, i]) => dress(map, dot, i));
  wake(map);
}

// The sentence of a dot, its group, and the sentences that share its words but not its sense.
function tell(map, index) {
  if (index === map.hovered) return;
  map.hovered = index;
  map.stage.classList.toggle("over", index >= 0);
  map.tip.classList.toggle("on", index >= 0);
  wake(map);
  if (index < 0) return;
  const dot = map.data.dots[index];
  map.tip.replaceChildren(
    ...sentence(dot),
    element("span", "", dot.sense || "no sense given"),
    ...map.pairs[index].slice(0, 2).map((i) => {
      const line = element("span", "other");
      line.append("against ", ...sentence(map.data.dots[i]), ` ${map.data.dots[i].sense}`);
      return line;
    }),
    element("span", "place", coordinates(map, index)),
  );
  placeTip(map);
}

function sentence({ parts: [before, word, after] }) {
  return [before, element("b", "", word), after];
}

function coordinates(map, index) {
  const frame = map.frames[Math.round(map.stop)];
  if (!frame) return "";
  const grain = map.data.unit * 1e4;
  return ["x", "y", "z"].slice(0, map.axes)
    .map((axis, k) => `${axis} ${(frame[index * map.axes + k] * grain).toFixed(3)}`).join("  ").replaceAll("-", "−");
}

function placeTip(map) {
  const [x, y] = [map.at.x[map.hovered], map.at.y[map.hovered]];
  const [w, h] = [map.tip.offsetWidth, map.tip.offsetHeight];
  const left = Math.min(Math.max(x - w / 2, 4), map.width - w - 4);
  const top = y - h - 18 < 0 ? y + 18 : y - h - 18;
  map.tip.style.transform = `translate(${left}px, ${top}px)`;
}

// Presenter mode enlarges the page: px on the screen per px here.
function zoomOf(map) {
  return map.svg.getBoundingClientRect().width / map.width || 1;
}
