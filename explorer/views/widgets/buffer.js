import { addTranslations } from "./translations.js";

/**
 * Reads bytes from Python: four with the length of the header, the header as JSON, then numbers.
 * @param {Uint8Array | ArrayBuffer} data
 * @returns {{ header: any, buffer: ArrayBuffer, start: number }} `start` is where the numbers begin in the buffer
 */
export function unpack(data) {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  const { buffer } = bytes.slice(); // a copy of its own, so that the numbers start on an even address
  const size = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  addTranslations(header);
  return { header, buffer, start: 4 + size };
}
