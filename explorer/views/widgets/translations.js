// What scripts say, in the language of whoever sees it. A component gets the texts of its scripts with its data (registry.py).

/** @type {Record<string, string>} */
let translations = {};

/** @param {any} data with which a component is drawn; in English they have no translations */
export function readTranslations(data) {
  translations = data?.translations ?? {};
}

/** @param {any} header of data that are bytes; several components of a saved page have one each */
export function addTranslations(header) {
  translations = { ...translations, ...header.translations };
}

/**
 * A text in the language of whoever sees it, with its fields filled in: `{code}` by `{ code }`.
 * @param {string} english
 * @param {Record<string, any>} fields
 */
export function t(english, fields = {}) {
  return (translations[english] ?? english).replace(/\{([a-z]+)\}/g, (field, name) => String(fields[name] ?? field));
}

/**
 * The parts of a text with its fields filled in, some of which are elements: `{ word: strong(name) }`.
 * @param {string} text
 * @param {Record<string, any>} fields
 * @returns {any[]}
 */
export function filled(text, fields) {
  return text.split(/\{([a-z]+)\}/).map((part, i) => (i % 2 ? fields[part] : part));
}
