// The lines between a sentence and its translation: what each token read most, or all that one token read.
import { zoomOf } from "../widgets/dom.js";
import { node } from "../widgets/svg.js";

const FAINT = 0.03; // a share that is worth a line

/** @param {any} root see translator.js */
export function drawLines(root) {
  const { data, svg } = root;
  if (data.part !== "words") return;
  const now = root.point ?? root.lock;
  const [home, zoom] = [root.stage.getBoundingClientRect(), zoomOf(root)];
  const edge = (row, at, across, down) => {
    const chip = row.children[at];
    const box = (root.upright ? chip.text : chip).getBoundingClientRect();
    return [(box.left + across * box.width - home.left) / zoom, (box.top + down * box.height - home.top) / zoom];
  };
  const [leaves, reaches] = root.upright ? [[1, 0.5], [0, 0.5]] : [[0.5, 1], [0.5, 0]]; // parts of the width and height
  const pairs = [];
  data.cross.forEach((row, t) => {
    if (t > root.shown) return;
    row.forEach((value, s) => {
      const on = now && (now.side === "target" ? now.at === t : now.at === s);
      const strongest = value === Math.max(...row);
      if (on ? value >= FAINT : !now && strongest) pairs.push([s, t, value, on]);
    });
  });
  svg.replaceChildren(
    ...pairs.map(([s, t, value, on]) => {
      const [from, to] = [edge(root.english, s, ...leaves), edge(root.french, t + 1, ...reaches)];
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      const bend = root.upright ? `${x},${from[1]} ${x},${to[1]}` : `${from[0]},${y} ${to[0]},${y}`;
      return node("path", {
        d: `M${from}C${bend} ${to}`,
        "stroke-width": on ? 2 + 10 * value : 3,
        opacity: on ? 0.45 + 0.55 * value : 0.8,
      });
    }),
  );
}
