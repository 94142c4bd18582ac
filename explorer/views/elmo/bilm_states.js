// What each state of the two LSTMs has read, and the sentence that says it.

// The place that follows in the reading direction (by 1), or that was read before (by -1).
export function nextTo(side, at, by) {
  return side === "forward" ? at + by : at - by;
}

/**
 * A function that says whether a state or word, or a line that leads to it, is among what the state at a place has
 * read; for a word, whether it is part of ELMo's vector.
 * @param {[string, number, number]} place
 * @param {any} data
 */
export function readBy([side, layer, at], data) {
  const upTo = (place) => (side === "forward" ? place <= at : place >= at);
  if (!side) return ([, to, place], line = false) => !line && (Number(to) === 0 || to > 0) && Number(place) === at;
  return ([from, to, place], line = false) => {
    if (to === "guess") return from === side && layer === data.layers && Number(place) === at;
    if (!from) return upTo(Number(place));
    if (line && Number(to) > data.layers) return from === side && layer === data.layers && Number(place) === at;
    const here = Number.parseInt(place);
    if (line && String(place).endsWith("<")) return from === side && to <= layer && upTo(here);
    return from === side && to <= layer && upTo(here);
  };
}

/**
 * The sentence below the picture, and the place of the word that both LSTMs are asked for; none for a lower layer,
 * whose states predict nothing.
 * @param {[string, number, number]} place
 * @param {any} data
 */
export function describe([side, layer, at], data) {
  const word = data.words[at];
  if (!side)
    return {
      sentence: `ELMo’s vector of “${word}” is the weighted sum of its ${data.layers + 1} layers: layer 0 from the letters of the word, and the two states of each layer above, side by side. In its place, from the other words, the LSTMs expect:`,
      asked: at,
    };
  const inside = (places) => places.map((i) => data.words[i]).filter((token) => token !== "<S>" && token !== "</S>");
  const all = data.words.map((_, i) => i);
  const read = inside(side === "forward" ? all.slice(0, at + 1) : all.slice(at)).join(" ");
  const start = `The ${side} LSTM, layer ${layer}, ${read ? `has read “${read}”` : "has read nothing yet"}.`;
  if (layer < data.layers) return { sentence: `${start} It passes its ${data.size} numbers on to the next word and to layer ${layer + 1}.`, asked: -1 };
  const asked = nextTo(side, at, 1);
  if (!data.words[asked]) return { sentence: start, asked: -1 };
  return { sentence: `${start} As the ${side === "forward" ? "next" : "previous"} word, the LSTMs expect:`, asked };
}
