// A small picture that plays on a click, from its first frame to its last. Before that nothing moves.
import { connect } from "../widgets/connect.js";
import { html, render } from "../widgets/lit.js";
import { calm } from "../widgets/motion.js";
import { ICONS, player } from "../widgets/player.js";
import { attended, learnt, off } from "./scenes.js";

const SCENES = { attended, learnt, off };

/**
 * @typedef {object} Data
 * @property {keyof typeof SCENES} scene
 * @property {any} numbers what the scene draws
 * @property {string[]} lines the one below it: at the start, and once it has been played
 * @property {number} frames
 * @property {number} ms each is shown
 */

/**
 * @param {any} root
 * @param {Data} data
 */
export function draw(root, data) {
  const last = data.frames - 1;
  const go = (to) => {
    root.at = to;
    paint();
  };
  const paint = () => render(html`
    <button type="button" aria-label="Play: ${data.lines[1]}" @click=${() => (calm() ? go(root.at < last ? last : 0) : root.player.toggle())}>
      <svg viewBox="0 0 320 150" aria-hidden="true">${SCENES[data.scene](data.numbers, root.at)}</svg>
      <svg class="play" viewBox="0 0 20 20" aria-hidden="true" ?hidden=${root.at > 0}><path d=${ICONS.play}></path></svg>
    </button>
    <p role="status">${data.lines[Number(root.at === last)]}</p>`, root);
  root.style.setProperty("--ms", `${data.ms}ms`);
  root.player ??= player({ root, at: () => root.at, last: () => last, ms: () => data.ms, go });
  go(Math.min(root.at ?? 0, last));
}

export default connect(draw);
