// What boxes, pictures and words of a saved picture have in common: rounded numbers, colours, type faces.
import { penOf } from "../widgets/canvas.js";

export function tidy(number) {
  return Math.round(number * 1000) / 1000;
}

// A colour in whatever notation as red, green, blue and alpha; null where it is transparent.
export function paintOf(colour, pen) {
  if (!colour || colour === "transparent") return null;
  if (!pen.known.has(colour)) {
    const dot = penOf(document.createElement("canvas"), { willReadFrequently: true });
    dot.fillStyle = colour;
    dot.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = dot.getImageData(0, 0, 1, 1).data;
    pen.known.set(colour, a ? [r, g, b, a / 255] : null);
  }
  return pen.known.get(colour);
}

// The attributes that paint in this colour.
export function ink(name, [r, g, b, alpha], style) {
  const opacity = alpha * (style ? Number(style.getPropertyValue(`${name}-opacity`)) : 1);
  return { [name]: `rgb(${r}, ${g}, ${b})`, ...(opacity < 1 ? { [`${name}-opacity`]: tidy(opacity) } : {}) };
}

// Remember the faces that a picture's words are set in.
export function useFace(style, pen) {
  for (const family of style.fontFamily.split(",")) {
    pen.faces.add(`${family.replace(/["']/g, "").trim()}/${style.fontStyle === "italic" ? "italic" : "normal"}`);
  }
}
