// The layers as a player: one slider, whose thumb the playing moves; buttons to play, step, and hurry.
import { html, render } from "../widgets/lit.js";
import { scrubber, setSlider, sign } from "../widgets/player.js";
import { travel } from "./sense_map_motion.js";

const SPEEDS = [1, 2, 0.5];

export function buildPlayer(map) {
  map.slider = scrubber("Layer", (stop) => {
    Object.assign(map, { playing: false, trip: null, grabbed: true, stop });
    map.wake();
  });
  map.slider.step = "any";
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
  const { data, last, playing, speed } = map;
  const at = Math.round(map.stop);
  const text = playing ? "Pause" : "Play the layers";
  setSlider(map.slider, map.stop, last, data.stops[at]);
  const named = (layer) => last <= 16 || (layer > 0 && layer % 5 === 0); // there is no room for more
  const name = (layer) => (layer === data.first ? "word" : named(layer) ? layer : "");
  const hurry = () => {
    map.speed = SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length];
    drawPlayer(map);
  };
  const walk = (icon, label, by, end) => html`
    <button type="button" class="control" title=${label} aria-label=${label} ?disabled=${at === end} @click=${() => step(map, by)}>${sign(icon)}</button>`;
  // Some layers are made only when they are asked for.
  render(html`
    <button type="button" class="control main play" title=${text} aria-label=${text} aria-pressed=${playing} ?disabled=${map.frames.some((frame) => !frame)}
      @click=${() => play(map)}>${sign(playing ? "pause" : "play")}</button>
    ${walk("back", "One layer down", -1, 0)}${walk("on", "One layer up", 1, last)}
    <div class="track">${map.slider}<div class="ticks">${data.stops.map((_, i) => html`<span class="tick ${i === at ? "here" : ""}">${name(i + data.first)}</span>`)}</div></div>
    <button type="button" class="control speed" aria-label="Speed ${speed}" @click=${hurry}>${{ 0.5: "½" }[speed] ?? speed}×</button>`, map.player);
  map.player.classList.toggle("single", last === 0); // one stop: there is nothing to play
  if (map.told === at) return;
  map.told = at;
  map.where.textContent = data.stops[at];
  map.says.textContent = data.lines[at];
}
