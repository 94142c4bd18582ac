// How layers and heads are counted on every screen: from 1, with layer 0 the embedding; see layer_names.py.
import { t } from "./translations.js";

/** @param {number} block @param {number} head both counted from 0 */
export const headName = (block, head) => `L${block + 1}H${head + 1}`;

/** @param {number} block counted from 0 */
export const blockName = (block) => t("Layer {layer}", { layer: block + 1 });
