/**
 * What draws on a canvas of its own.
 * @param {any} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 * @returns {CanvasRenderingContext2D}
 */
export function penOf(canvas, settings) {
  return canvas.getContext("2d", settings);
}
