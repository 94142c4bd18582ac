// The squares of a cosine matrix on its canvas, and the legend of their colours.
import { penOf } from "./canvas.js";
import { mixed, palette } from "./colours.js";
import { html, render } from "./lit.js";
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
  render(html`<canvas class="bar" width="1" height="101"></canvas><span class="most">${ends[1]}</span><span class="least">${ends[0]}</span>`, grid.legend);
  const pen = penOf(grid.legend.firstElementChild);
  grid.colours.forEach((colour, k) => {
    pen.fillStyle = colour;
    pen.fillRect(0, 100 - k, 1, 1);
  });
}
