/**
 * The 2D drawing context of a canvas.
 * @param {any} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 * @returns {CanvasRenderingContext2D}
 */
export function penOf(canvas, settings) {
  return canvas.getContext("2d", settings);
}
