// What the three moving pictures draw in a frame, 320 wide and 150 high; their style moves what changes.
import { svg } from "../widgets/lit.js";

const LETTER = 8.4; // the width of a letter of a sentence
const LONGEST = 34; // letters of a line
const [LAYERS, HEADS] = [6, 12];

/**
 * Words on the map of a training.
 * @param {{ words: string[], groups: number[], maps: number[][][] }} numbers
 * @param {number} at
 */
export function learnt({ words, groups, maps }, at) {
  const places = apart(maps[at].map(([x, y]) => [160 + 130 * x, 76 - 52 * y]));
  return words.map((word, i) => svg`
    <text class="word group${groups[i]}" style="transform: translate(${places[i][0]}px, ${places[i][1]}px)">${word}</text>`);
}

/**
 * Lines from “it” to the words that one head reads, as thick as their shares.
 * @param {{ sentences: { words: string[], weights: number[], shares: string[] }[] }} numbers
 * @param {number} at
 */
export function attended({ sentences }, at) {
  const { words, weights, shares } = sentences[at];
  const places = placed(words, 50, 78);
  const [fromX, fromY] = places[words.indexOf("it")];
  return words.map((word, i) => {
    const [x, y] = places[i];
    const line = `M${fromX},${fromY - 13} C${fromX},${fromY - 40} ${x},${y + 36} ${x},${y + 6}`;
    return svg`
      <path class="look" d=${y < fromY ? line : ""} style="stroke-width: ${20 * weights[i]}px"></path>
      <text class="token" x=${x} y=${y}>${word}</text>
      <text class="share" x=${x} y=${y - 20}>${shares[i]}</text>`;
  });
}

/**
 * The guesses for a blank, and beside them all heads, of which one is off in the second frame.
 * @param {{ sentence: string[], head: number[], words: string[], sides: number[][], shares: string[][] }} numbers
 * @param {number} at
 */
export function off({ sentence, head, words, sides, shares }, at) {
  const places = placed(sentence, 22, 22);
  const cells = Array.from({ length: LAYERS * HEADS }, (_, i) => [Math.floor(i / HEADS), i % HEADS]);
  const isOff = (layer, place) => at === 1 && layer === head[0] && place === head[1];
  return svg`
    ${sentence.map((word, i) => svg`<text class="token" x=${places[i][0]} y=${places[i][1]}>${word}</text>`)}
    ${cells.map(([layer, place]) => svg`
      <rect class="cell ${isOff(layer, place) ? "out" : ""}" x=${224 + 7 * place} y=${58 + 9 * layer} width="5" height="7"></rect>`)}
    ${words.map((word, i) => svg`
      <text class="token" x="32" y=${88 + 24 * i}>${word}</text>
      <rect class="bar" x="60" y=${76 + 24 * i} height="14" style="width: ${100 * sides[at][i]}px"></rect>
      <text class="share" x="187" y=${88 + 24 * i}>${shares[at][i]}</text>`)}`;
}

// The centres of words that are set in lines from the left.
function placed(words, y, gap) {
  let [line, letters] = [0, 0];
  return words.map((word) => {
    if (letters + word.length > LONGEST) [line, letters] = [line + 1, 0];
    letters += word.length + 1;
    return [14 + LETTER * (letters - 1 - word.length / 2), y + gap * line];
  });
}

// Places of words that would cover one another, moved up and down until they can be read.
function apart(places) {
  const result = places.map(([x, y]) => [x, y]);
  for (let round = 0; round < 30; round++) {
    for (const one of result) {
      for (const other of result) {
        const overlap = 16 - Math.abs(one[1] - other[1]);
        if (one === other || Math.abs(one[0] - other[0]) > 46 || overlap <= 0) continue;
        const way = one[1] < other[1] ? -1 : 1;
        one[1] += (way * overlap) / 4;
        other[1] -= (way * overlap) / 4;
      }
    }
  }
  return result;
}
