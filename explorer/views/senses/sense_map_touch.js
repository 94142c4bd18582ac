// What a hand does on the map: pointing at a dot, locking it, walking by keyboard, turning the picture.
import { byKeyboard, element, zoomOf } from "../widgets/dom.js";
import { fixed } from "../widgets/numbers.js";
import { pointing } from "../widgets/pointing.js";
import { arrow, stopAt } from "../widgets/roving.js";
import { placeAbove } from "../widgets/tooltip.js";
import { t } from "../widgets/translations.js";
import { sentence } from "../widgets/occurrence.js";
import { dress, hit, shown } from "./sense_map_dots.js";
import { TURN, turn } from "./sense_map_motion.js";

const CLICK_PX = 4; // a pointer that moved further has dragged
const KEY_TURN = 0.15; // radians per press of an arrow key

export function listen(map) {
  const { svg } = map;
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const zoom = zoomOf(map.stage);
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
  const point = (event) => {
    if (map.drag) return;
    tell(map, hit(map, ...at(event)));
  };
  pointing(svg, point, () => tell(map, -1));
  svg.addEventListener("pointermove", (event) => {
    if (!map.drag) return;
    const place = at(event);
    turn(map, -(place[0] - map.drag[0]) * TURN, (place[1] - map.drag[1]) * TURN);
    map.drag = place;
  });
  for (const name of ["pointerup", "pointercancel"]) {
    svg.addEventListener(name, () => {
      map.drag = null;
      map.wake();
    });
  }
  svg.addEventListener("click", (event) => {
    const place = at(event);
    if (map.press && Math.hypot(place[0] - map.press[0], place[1] - map.press[1]) > CLICK_PX) return;
    const dot = hit(map, ...place);
    if (dot >= 0) lock(map, dot);
    else if (map.locked) release(map);
  });
  svg.addEventListener("dblclick", () => map.axes === 3 && face(map));
  svg.addEventListener("focusin", (event) => {
    if (byKeyboard(event)) tell(map, indexOf(map, event.target));
  });
  svg.addEventListener("focusout", () => tell(map, -1));
  map.root.addEventListener("keydown", (event) => keys(map, event));
}

function keys(map, event) {
  const from = indexOf(map, event.target);
  const by = arrow(event);
  if (event.key === "Escape" && map.locked) release(map);
  else if (from >= 0 && (event.key === "Enter" || event.key === " ")) lock(map, from);
  else if (from >= 0 && by && !event.shiftKey) walk(map, from, by[0] + by[1]);
  else if (map.axes === 3 && by && map.svg.contains(event.target)) {
    turn(map, -by[0] * KEY_TURN, by[1] * KEY_TURN);
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
    map.wake();
  } else {
    const all = [...map.elements.values()];
    stopAt(all, all[to]);
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
  map.wake();
}

// The sentence of a dot, its group, and the sentences that share its words but not its sense.
export function tell(map, index) {
  if (index === map.hovered) return;
  map.hovered = index;
  map.stage.classList.toggle("over", index >= 0);
  map.tip.classList.toggle("on", index >= 0);
  map.wake();
  if (index < 0) return;
  const dot = map.data.dots[index];
  map.tip.replaceChildren(
    sentence(dot.parts),
    element("span", "", dot.sense || t("no sense given")),
    ...map.pairs[index].slice(0, 2).map((i) => {
      const line = element("span", "other");
      line.append(`${t("against")} `, sentence(map.data.dots[i].parts), ` ${map.data.dots[i].sense}`);
      return line;
    }),
    element("span", "place", coordinates(map, index)),
  );
  placeTip(map);
}

function coordinates(map, index) {
  const frame = map.frames[Math.round(map.stop)];
  if (!frame) return "";
  const grain = map.data.unit * 1e4;
  return ["x", "y", "z"].slice(0, map.axes)
    .map((axis, k) => `${axis} ${fixed(frame[index * map.axes + k] * grain, 3)}`).join("  ");
}

export function placeTip(map) {
  placeAbove(map.tip, map.at.x[map.hovered], map.at.y[map.hovered], map.width, 18);
}
