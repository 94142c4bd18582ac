// Whether a text is laid out from right to left or from left to right.

const SPECIAL = /\[[A-Z]+\d*\]|<[^<>\s]+>/g; // [MASK], <mask>, <|endoftext|>: they stand in sentences of every script
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * The direction of a text, by its first letter; unlike HTML's dir="auto" it ignores special tokens.
 * @param {string | string[]} text a text or its tokens
 * @returns {"rtl" | "ltr"}
 */
export function directionOf(text) {
  const [letter = ""] = [text].flat().join(" ").replace(SPECIAL, " ").match(/\p{L}/u) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/**
 * Lay out a sentence's tokens in its direction. A token with letters has their direction, so that “U.S.” keeps its
 * full stop on the right; a token without letters, such as a bracket, has that of its sentence.
 * @param {any} row
 * @param {any[]} tokens elements in the row, with their text
 */
export function layOut(row, tokens) {
  row.dir = directionOf(tokens.map(({ textContent }) => textContent));
  for (const token of tokens) token.style.unicodeBidi = /\p{L}/u.test(token.textContent) ? "plaintext" : "";
}

/**
 * Whether an element's content is laid out from the right.
 * @param {Element} element
 */
export function fromTheRight(element) {
  return getComputedStyle(element).direction === "rtl";
}

/**
 * A text isolated from a line of the other direction.
 * @param {string} text
 */
export function isolated(text) {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
