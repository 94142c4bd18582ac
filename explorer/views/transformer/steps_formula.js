import { html } from "../widgets/lit.js";

/**
 * A formula in which `_{}` stands lower and `^{}` higher.
 * @param {string} formula
 */
export const formula = (formula) => formula.split(/([_^]\{[^}]*\})/).map((part) =>
  part.startsWith("_{") ? html`<sub>${part.slice(2, -1)}</sub>` : part.startsWith("^{") ? html`<sup>${part.slice(2, -1)}</sup>` : part);
