// A picture of heads without the app: the data of every layer are there, and a change is answered here.

/**
 * A layer's buffer (head_data.js says how it is built) with other settings in its header.
 * @param {Uint8Array} buffer
 * @param {object} changes of the settings
 * @param {number} answered the number of the last change that this answers
 */
export function withState(buffer, changes, answered) {
  const size = new DataView(buffer.buffer, buffer.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(buffer.subarray(4, 4 + size)));
  Object.assign(header, { answered, state: { ...header.state, ...changes } });
  const text = new TextEncoder().encode(JSON.stringify(header));
  const even = text.length + (text.length % 2);
  const data = new Uint8Array(4 + even + buffer.length - 4 - size).fill(32);
  new DataView(data.buffer).setUint32(0, even, true);
  data.set(text, 4);
  data.set(buffer.subarray(4 + size), 4 + even);
  return data;
}
