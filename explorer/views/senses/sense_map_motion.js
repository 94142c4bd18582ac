// Where every dot is: between two layers, seen from an angle.
import { calm, ease } from "../widgets/motion.js";

const LAYER_MS = 1000; // from one layer to the next, at speed 1
const HOLD_MS = 500; // how long a layer stands while the layers play
export const TURN = 0.01; // radians per px of a drag
const STEEPEST = 1.3; // radians: the picture is never upside down
const PAD = 40; // px between the outermost dot and the edge

// Go to a stop, in a time that grows with the way, but not for ever.
export function travel(map, to, ms = Math.min(LAYER_MS * Math.abs(to - map.stop), 1400)) {
  map.trip = { from: map.stop, to, start: null, ms: calm() ? 1 : Math.max(ms / map.speed, 1) };
  map.wake();
}

// One frame's progress; true as long as something still moves.
export function advance(map, now) {
  if (map.trip) {
    map.trip.start ??= now;
    const part = Math.min(Math.max((now - map.trip.start) / map.trip.ms, 0), 1);
    map.stop = part === 1 ? map.trip.to : map.trip.from + (map.trip.to - map.trip.from) * ease(part);
    if (part === 1) [map.trip, map.next] = [null, now + HOLD_MS / map.speed];
  } else if (map.playing && now >= (map.next ?? 0)) {
    if (map.stop < map.last) travel(map, Math.floor(map.stop) + 1, LAYER_MS);
    else map.playing = false;
  }
  return Boolean(map.trip || map.playing || map.drag || map.grabbed);
}

// How places become px: one scale and one middle for all layers, so that every picture fits.
export function fitScale(map) {
  const { axes } = map;
  const [low, high] = [new Array(axes).fill(0), new Array(axes).fill(0)];
  each(map, (place, k) => {
    low[k] = Math.min(low[k], place);
    high[k] = Math.max(high[k], place);
  });
  map.middle = low.map((value, k) => (value + high[k]) / 2);
  // The widest axis reaches 1 on one side of its mean; less than half of it is a picture of rounding errors.
  let [wide, tall] = [Math.max((high[0] - low[0]) / 2, 0.5), Math.max((high[1] - low[1]) / 2, 0.05)];
  map.deep = 1;
  if (axes === 3) {
    [wide, tall] = [0.5, 0.05];
    for (const places of map.frames) {
      for (let k = 0; places && k < places.length; k += 3) {
        const [x, y, z] = map.middle.map((value, axis) => places[k + axis] - value);
        const round = Math.hypot(x, z);
        wide = Math.max(wide, round);
        tall = Math.max(tall, 0.83 * Math.abs(y) + 0.56 * round); // seen from above
      }
    }
    map.deep = wide;
    wide *= 1.1; // what is near looks larger
  }
  map.scale = Math.min((map.width / 2 - PAD) / wide, (map.height / 2 - PAD) / tall);
}

function each(map, visit) {
  for (const places of map.frames) places?.forEach((place, k) => visit(place, k % map.axes));
}

// The places at a stop in px, with the depth of each dot (1 is nearest to the eye, 0 in a flat picture).
// Between two stops every dot is on the straight way from one place to the other.
export function locate(map, stop, out) {
  const low = Math.min(Math.floor(stop), map.last);
  const part = stop - low;
  const [a, b] = [map.frames[low], part ? map.frames[low + 1] : map.frames[low]];
  if (!a || !b) return false; // a picture that the server has not made yet
  const { axes, size, width, height, middle, scale } = map;
  const [cy, sy, cp, sp] = [Math.cos(map.yaw), Math.sin(map.yaw), Math.cos(map.pitch), Math.sin(map.pitch)];
  for (let i = 0; i < size; i++) {
    const k = i * axes;
    const x = a[k] + (b[k] - a[k]) * part - middle[0];
    const y = a[k + 1] + (b[k + 1] - a[k + 1]) * part - middle[1];
    let [px, py, depth] = [x, y, 0];
    if (axes === 3) {
      const z = a[k + 2] + (b[k + 2] - a[k + 2]) * part - middle[2];
      const back = z * cy - x * sy;
      depth = (y * sp + back * cp) / map.deep;
      const near = 1 / (1 - 0.22 * depth); // a little perspective
      px = (x * cy + z * sy) * near;
      py = (y * cp - back * sp) * near;
    }
    out.x[i] = width / 2 + px * scale;
    out.y[i] = height / 2 - py * scale;
    out.depth[i] = depth;
  }
  return true;
}

export function turn(map, yaw, pitch) {
  map.yaw += yaw;
  map.pitch = Math.min(Math.max(map.pitch + pitch, -STEEPEST), STEEPEST);
  map.turned = true;
  map.wake();
}

export function places(size) {
  return { x: new Float32Array(size), y: new Float32Array(size), depth: new Float32Array(size) };
}
