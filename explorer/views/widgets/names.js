import { isolated } from "./direction.js";
import { t } from "./translations.js";

/**
 * The kinds of a head as they are read aloud: “object →” is “from object”, and where they were measured is said once,
 * beside the picture.
 * @param {string} kinds
 */
export function readAloud(kinds) {
  const words = kinds
    .replaceAll(/→ ([^,;:]+)/g, (_, kind) => t("to {kind}", { kind }))
    .replaceAll(/([^,;: ][^,;:]*) →/g, (_, kind) => t("from {kind}", { kind }));
  const where = t("{does} (on our 200 sentences)", { does: "" });
  return words.endsWith(where) ? words.slice(0, -where.length) : words;
}

/**
 * The names of a sentence's tokens: a mark is quoted, and a word that occurs twice is numbered: bank (1),
 * bank (2).
 * @param {{ text: string }[]} tokens
 * @returns {string[]}
 */
export function names(tokens) {
  const counts = new Map();
  for (const { text } of tokens) counts.set(text, (counts.get(text) ?? 0) + 1);
  const numbers = new Map();
  return tokens.map(({ text }) => {
    numbers.set(text, (numbers.get(text) ?? 0) + 1);
    const name = /(?!\p{Variation_Selector})[\p{L}\p{N}\p{Mn}\p{Mc}]/u.test(text) ? text : `“${text}”`;
    return isolated(counts.get(text) > 1 ? `${name} (${numbers.get(text)})` : name);
  });
}
