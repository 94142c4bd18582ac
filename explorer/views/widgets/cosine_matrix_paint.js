// The squares of a cosine matrix on its canvas, and the legend of their colours.
import { penOf } from "./canvas.js";
import { mixed, palette } from "./colours.js";
import { element } from "./dom.js";
import { calm, ease } from "./motion.js";

const GLIDE_MS = 450;

// Rows glide to their places, and the shades of one layer into those of another.
export function start(grid, glides) {
  cancelAnimationFrame(grid.frame);
  let began = null;
  const step = (time) => {
    began ??= time;
    const part = !glides || calm() ? 1 : Math.min((time - began) / GLIDE_MS, 1);
    const eased = ease(part);
    grid.here = grid.to?.map((to, i) => grid.start[i] + (to - grid.start[i]) * eased);
    if (grid.from) grid.shade.forEach((_, k) => (grid.shade[k] = grid.from[k] + (grid.target[k] - grid.from[k]) * eased));
    paint(grid);
    if (part < 1) grid.frame = requestAnimationFrame(step);
  };
  step(performance.now());
}

export function paint(grid) {
  if (!grid.here || !grid.size) return;
  const n = grid.data.rows.length;
  const pen = penOf(grid.canvas);
  const ratio = grid.canvas.width / grid.size;
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, grid.size, grid.size);
  const line = grid.cell > 8 ? 1 : 0;
  const side = line ? grid.cell - line : grid.cell + 0.5;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      pen.fillStyle = grid.colours[Math.max(0, Math.min(100, Math.round(grid.shade[i * n + j] * 100)))];
      pen.fillRect(grid.here[j], grid.here[i], side, side);
    }
  }
  const at = grid.hover ?? grid.selected;
  if (!at) return;
  pen.strokeStyle = grid.ink;
  pen.lineWidth = 1.5;
  pen.strokeRect(-2, grid.here[at[0]] - 0.5, grid.size + 4, grid.cell + 0.5);
  pen.strokeRect(grid.here[at[1]] - 0.5, -2, grid.cell + 0.5, grid.size + 4);
}

// From the lowest cosine to the highest, in a hundred steps.
export function ramp(grid) {
  const [none, full] = ["panel", "accent"].map((name) => palette(grid.root, name));
  grid.ink = getComputedStyle(grid.root).getPropertyValue("--rb-ink").trim();
  return Array.from({ length: 101 }, (_, k) => mixed(none, full, k / 100));
}

export function legend(grid) {
  const { ends } = grid.data;
  const bar = element("canvas", "bar");
  [bar.width, bar.height] = [1, 100];
  const pen = penOf(bar);
  for (let y = 0; y < 100; y++) {
    pen.fillStyle = grid.colours[100 - y];
    pen.fillRect(0, y, 1, 1);
  }
  grid.legend.replaceChildren(bar, element("span", "most", ends[1]), element("span", "least", ends[0]));
}
