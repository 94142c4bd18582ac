// A small picture that plays on a click, from its first frame to its last. Before that nothing moves.
import { connect } from "../widgets/connect.js";
import { html, render, svg } from "../widgets/lit.js";
import { calm } from "../widgets/motion.js";
import { ICONS, player } from "../widgets/player.js";
import { t } from "../widgets/translations.js";

const AGAIN = "M10 3.5a6.5 6.5 0 1 0 6.5 6.5h-2a4.5 4.5 0 1 1-4.5-4.5v3l4.5-4-4.5-4z"; // a turned arrow

/**
 * @typedef {object} Frame what is drawn in 320 x 150; a style moves what changes
 * @property {[string, number, number, string][]} texts each with its place and its look
 * @property {[number, number, number, number, number][]} curves from a place up to another, and how thick
 * @property {[number, number, number, number, string][]} bars left, top, width, height and look
 * @param {any} root
 * @param {{ frames: Frame[], captions: string[], ms: number }} data the captions of the first and the last frame
 */
export function draw(root, { frames, captions, ms }) {
  const last = frames.length - 1;
  const go = (to) => {
    root.at = to;
    render(html`
      <button type="button" aria-label=${to === last ? t("Play again: {caption}", { caption: captions[1] }) : t("Play: {caption}", { caption: captions[1] })} @click=${() => (calm() ? go(root.at < last ? last : 0) : root.player.toggle())}>
        <svg viewBox="0 0 320 150" aria-hidden="true">${shapes(frames[to])}</svg>
        <svg class="play" viewBox="0 0 20 20" aria-hidden="true" ?hidden=${to > 0 && to < last}><path d=${to ? AGAIN : ICONS.play}></path></svg>
      </button>
      <p role="status">${captions[Number(to === last)]}</p>`, root);
  };
  root.style.setProperty("--ms", `${ms}ms`);
  root.player ??= player({ root, at: () => root.at, last: () => last, ms: () => ms, go });
  go(root.at ?? 0);
}

/** @param {Frame} frame */
function shapes({ texts, curves, bars }) {
  return svg`
    ${curves.map(([x, y, toX, toY, width]) => svg`
      <path d="M${x},${y} C${x},${y - 27} ${toX},${toY + 30} ${toX},${toY}" style="stroke-width: ${width}px"></path>`)}
    ${bars.map(([x, y, width, height, look]) => svg`<rect class=${look} x=${x} y=${y} height=${height} style="width: ${width}px"></rect>`)}
    ${texts.map(([text, x, y, look]) => svg`<text class=${look} style="transform: translate(${x}px, ${y}px)">${text}</text>`)}`;
}

export default connect(draw);
