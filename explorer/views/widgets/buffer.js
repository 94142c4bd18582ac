/**
 * What Python sends as bytes: four that say how long the header is, the header as JSON, and numbers behind it.
 * @param {Uint8Array | ArrayBuffer} data
 * @returns {{ header: any, buffer: ArrayBuffer, start: number }} the numbers start there in the buffer
 */
export function unpack(data) {
  const bytes = data instanceof ArrayBuffer ? new Uint8Array(data) : data;
  const { buffer } = bytes.slice(); // a copy of its own, so that the numbers start on an even address
  const size = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, size)));
  return { header, buffer, start: 4 + size };
}
