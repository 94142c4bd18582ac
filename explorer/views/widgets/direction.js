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

// Scripts whose letters alone say the language, see quoted.py.
const LANGUAGES = [["ja", /[\u3041-\u30ff]/], ["ko", /[\uac00-\ud7a3]/], ["zh", /[\u3400-\u9fff]/]];

// In a page in another language the examples are English: what a reader's voice would not know of plain letters.
const plainLanguage = (text) => (document.documentElement.lang !== "en" && /[a-z]/i.test(text) && !/[\u00c0-\u024f]/.test(text) ? "en" : "");

/**
 * Name the language of a text in its element, if its letters say it; otherwise a language that the element has of its
 * own stays.
 * @param {any} part
 * @param {string} text
 * @param {string} plain the language of other letters, where it is known
 */
function nameLanguage(part, text, plain = "") {
  const [language = plain] = LANGUAGES.find(([, letters]) => text.match(letters)) ?? [];
  if (language) part.lang = language;
  else if (part.language) part.removeAttribute("lang");
  part.language = language;
}

/**
 * Give an element the direction and the language of its text.
 * @param {any} part
 * @param {string | string[]} text a text or its tokens
 */
export function setDirection(part, text) {
  part.dir = directionOf(text);
  const whole = [text].flat().join(" ");
  nameLanguage(part, whole, plainLanguage(whole));
}

/**
 * Lay out a sentence's tokens in its direction. A token with letters has their direction, so that “U.S.” keeps its
 * full stop on the right; a token without letters, such as a bracket, has that of its sentence.
 * @param {any} row
 * @param {any[]} tokens elements in the row, with their text
 */
export function layOut(row, tokens) {
  setDirection(row, tokens.map(({ textContent }) => textContent));
  for (const token of tokens) {
    token.style.unicodeBidi = /\p{L}/u.test(token.textContent) ? "plaintext" : "";
    nameLanguage(token, token.textContent);
  }
}

/**
 * The numbers of a line's parts in the order in which they stand, from where the line begins: a name or a number runs
 * its own way in a sentence of the other direction. The browser is asked, in a line that nobody sees.
 * @param {Element} root where the line is measured
 * @param {string[]} parts
 * @param {"rtl" | "ltr"} direction of the line
 */
export function orderOf(root, parts, direction) {
  const text = parts.join("");
  const order = [...parts.keys()];
  if (!RIGHT_TO_LEFT.test(text)) return order;
  const line = document.createElement("span");
  const letters = document.createTextNode(text);
  line.style.cssText = "position: absolute; visibility: hidden; white-space: pre";
  line.dir = direction;
  line.append(letters);
  root.append(line);
  const range = document.createRange();
  let at = 0;
  const middles = parts.map((part) => {
    range.setStart(letters, at);
    range.setEnd(letters, (at += part.length));
    const { left, right } = range.getBoundingClientRect();
    return direction === "rtl" ? -left - right : left + right;
  });
  line.remove();
  return order.sort((one, other) => middles[one] - middles[other] || one - other);
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
