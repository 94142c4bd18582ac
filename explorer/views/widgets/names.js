import { isolated } from "./direction.js";

/**
 * What tokens are called in a sentence: a mark is quoted, and a word that occurs twice is told apart by its
 * number, bank (1), bank (2).
 * @param {{ text: string }[]} tokens
 * @returns {string[]}
 */
export function names(tokens) {
  const counts = new Map();
  for (const { text } of tokens) counts.set(text, (counts.get(text) ?? 0) + 1);
  const seen = new Map();
  return tokens.map(({ text }) => {
    seen.set(text, (seen.get(text) ?? 0) + 1);
    const name = /(?!\p{Variation_Selector})[\p{L}\p{N}\p{Mn}\p{Mc}]/u.test(text) ? text : `“${text}”`;
    return isolated(counts.get(text) > 1 ? `${name} (${seen.get(text)})` : name);
  });
}
