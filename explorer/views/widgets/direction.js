// Right to left or left to right: the one place that says how a text is laid out.

const SPECIAL = /\[[A-Z]+\d*\]|<[^<>\s]+>/g; // [MASK], <mask>, <|endoftext|>: they stand in sentences of every script
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/**
 * Which way a text runs: as its first letter, like HTML's dir="auto", which would count special tokens.
 * @param {string | string[]} text a text or its tokens
 * @returns {"rtl" | "ltr"}
 */
export function directionOf(text) {
  const [letter = ""] = [text].flat().join(" ").replace(SPECIAL, " ").match(/\p{L}/u) ?? [];
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/**
 * Lay a sentence's tokens out as it runs. A token with letters runs as these do, so that “U.S.” keeps its full stop
 * on the right; one without is turned with its sentence, as brackets are.
 * @param {any} row
 * @param {any[]} tokens elements in the row, with their text
 */
export function layOut(row, tokens) {
  row.dir = directionOf(tokens.map(({ textContent }) => textContent));
  for (const token of tokens) token.style.unicodeBidi = /\p{L}/u.test(token.textContent) ? "plaintext" : "";
}

/**
 * Whether what an element holds is laid out from the right.
 * @param {Element} element
 */
export function fromTheRight(element) {
  return getComputedStyle(element).direction === "rtl";
}

/**
 * A text kept together within a line that runs the other way: its neighbours are not drawn into it.
 * @param {string} text
 */
export function isolated(text) {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
