// The layers as a player: one slider, whose thumb the playing moves; buttons to play, step, and hurry.
import { button, element } from "../widgets/dom.js";
import { ICONS, iconButton } from "../widgets/player.js";
import { travel } from "./sense_map_motion.js";

const SPEEDS = [1, 2, 0.5];

export function buildPlayer(map) {
  const player = (map.player = element("div", "player"));
  player.dataset.save = "no"; // no part of a saved picture
  map.play = iconButton("control main play", "play", () => play(map));
  map.back = iconButton("control", "back", () => step(map, -1), "One layer down");
  map.on = iconButton("control", "on", () => step(map, 1), "One layer up");
  for (const control of [map.back, map.on]) control.title = control.ariaLabel;
  map.speedButton = button("control speed", "", () => {
    map.speed = SPEEDS[(SPEEDS.indexOf(map.speed) + 1) % SPEEDS.length];
    drawPlayer(map);
  });
  map.slider = element("input", "slider");
  Object.assign(map.slider, { type: "range", min: 0, step: "any" });
  map.slider.setAttribute("aria-label", "Layer");
  map.ticks = element("div", "ticks");
  const track = element("div", "track");
  track.append(map.slider, map.ticks);
  player.append(map.play, map.back, map.on, track, map.speedButton);
  map.slider.addEventListener("input", () => {
    [map.playing, map.trip, map.grabbed] = [false, null, true];
    map.stop = Number(map.slider.value);
    map.wake();
  });
  map.slider.addEventListener("change", () => {
    map.grabbed = false;
    travel(map, Math.round(map.stop), 200);
  });
  map.slider.addEventListener("keydown", (event) => {
    const to = {
      ArrowRight: Math.floor(goal(map)) + 1, ArrowUp: Math.floor(goal(map)) + 1,
      ArrowLeft: Math.ceil(goal(map)) - 1, ArrowDown: Math.ceil(goal(map)) - 1, Home: 0, End: map.last,
    }[event.key];
    if (to !== undefined) goTo(map, to);
    else if (event.key === " ") play(map);
    else return;
    event.preventDefault();
  });
  return player;
}

export function takePlayer(map) {
  map.player.classList.toggle("single", map.last === 0); // one stop: there is nothing to play
  map.slider.max = map.last;
  map.play.disabled = map.frames.some((frame) => !frame); // some layers are made only when they are asked for
  const named = (layer) => map.last <= 16 || (layer > 0 && layer % 5 === 0); // there is no room for more
  const layers = map.data.stops.map((_, i) => i + map.data.first);
  const short = layers.map((layer, i) => (i === 0 ? "word" : named(layer) ? String(layer) : ""));
  if (map.ticks.children.length === short.length) return;
  map.ticks.replaceChildren(...short.map((text) => element("span", "tick", text)));
}

// Where the slider is, or is on its way to.
function goal(map) {
  return map.trip?.to ?? map.stop;
}

function goTo(map, stop) {
  map.playing = false;
  const to = Math.min(Math.max(stop, 0), map.last);
  if (to !== goal(map)) travel(map, to);
  else map.wake();
}

function step(map, by) {
  goTo(map, by > 0 ? Math.floor(goal(map)) + 1 : Math.ceil(goal(map)) - 1);
}

// From the top it plays from the start again.
function play(map) {
  map.playing = !map.playing;
  if (map.playing && map.stop >= map.last) travel(map, 0, 700);
  else if (!map.playing && !map.trip) travel(map, Math.round(map.stop), 200);
  map.next = 0;
  map.wake();
}

export function drawPlayer(map) {
  const at = Math.round(map.stop);
  const text = map.playing ? "Pause" : "Play the layers";
  if (map.play.title !== text) {
    map.play.title = text;
    map.play.setAttribute("aria-label", text);
    map.play.setAttribute("aria-pressed", map.playing);
    map.play.path.setAttribute("d", map.playing ? ICONS.pause : ICONS.play);
  }
  if (Number(map.slider.value) !== map.stop) map.slider.value = map.stop;
  const done = String(map.stop / Math.max(map.last, 1));
  if (map.slider.style.getPropertyValue("--done") !== done) map.slider.style.setProperty("--done", done);
  const speed = `${{ 0.5: "½" }[map.speed] ?? map.speed}×`;
  if (map.speedButton.textContent !== speed) {
    map.speedButton.textContent = speed;
    map.speedButton.setAttribute("aria-label", `Speed ${map.speed}`);
  }
  if (map.told === at) return;
  map.told = at;
  map.slider.setAttribute("aria-valuetext", map.data.stops[at]);
  map.where.textContent = map.data.stops[at];
  map.says.textContent = map.data.lines[at];
  [...map.ticks.children].forEach((tick, i) => tick.classList.toggle("here", i === at));
  map.back.disabled = at === 0;
  map.on.disabled = at === map.last;
}
