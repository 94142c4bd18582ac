import { t } from "./translations.js";

/**
 * A number with a fixed number of decimals, a true minus sign, and no minus before zero.
 * @param {number} value
 */
export function fixed(value, digits = 2) {
  return value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "−").replace(".", t("."));
}

/**
 * The same, with its sign also if it is a plus.
 * @param {number} value
 */
export function signed(value, digits = 2) {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(digits)}`.replace(".", t("."));
}

/**
 * A whole number in the groups of digits of the language.
 * @param {number} value
 */
export function grouped(value) {
  return value.toLocaleString("en").replaceAll(",", t(","));
}

/**
 * A part of a whole in per cent, in whole ones as a class reads it, or with decimals.
 * @param {number} part
 */
export function perCent(part, digits = 0) {
  return t("{number}%", { number: digits ? fixed(100 * part, digits) : Math.round(100 * part) });
}

/**
 * A part of a whole as a CSS percentage, from 0 to 100.
 * @param {number} part
 */
export function percent(part) {
  return `${Math.min(Math.max(part, 0), 1) * 100}%`;
}
