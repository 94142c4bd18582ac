// Words, line by line where the page has put them. A line is given its length, so that a program
// without our type faces keeps it in its place.
import { penOf } from "../../widgets/canvas.js";
import { directionOf } from "../../widgets/direction.js";
import { node } from "../../widgets/svg.js";
import { paint, tidy } from "./saver_shapes.js";

export function paintText(words, style, into, pen) {
  const look = words.data.trim() && paint("fill", style.color);
  if (!look) return;
  const zoom = (words.parentElement ?? words.getRootNode().host).currentCSSZoom ?? 1;
  pen.measure ??= penOf(document.createElement("canvas"));
  pen.measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: ascent, fontBoundingBoxDescent: descent } = pen.measure.measureText("x");
  // Words that run down the page are drawn in a frame that is turned by 90 degrees: (x, y) there is (-y, x) here.
  const down = style.writingMode.startsWith("vertical");
  const [left, top] = down ? [pen.top, -pen.left] : [pen.left, pen.top];
  for (const line of linesOf(words, down)) {
    const base = line.top + (line.bottom - line.top - (ascent + descent) * zoom) / 2 + ascent * zoom;
    const right = (style.unicodeBidi === "plaintext" ? directionOf(line.text) : style.direction) === "rtl";
    const text = node("text", {
      x: tidy((right ? line.right : line.left) - left), y: tidy(base - top), ...look,
      textLength: tidy(line.right - line.left), lengthAdjust: "spacingAndGlyphs", "xml:space": "preserve",
      "font-family": style.fontFamily, "font-size": tidy(parseFloat(style.fontSize) * zoom), "font-weight": style.fontWeight,
    }, line.text.trimEnd()); // prettier-ignore
    if (style.fontStyle !== "normal") text.setAttribute("font-style", style.fontStyle);
    if (right) text.setAttribute("direction", "rtl");
    if (down) text.setAttribute("transform", "rotate(90)");
    if (style.textDecorationLine !== "none" && paint("stroke", style.textDecorationColor)) text.setAttribute("text-decoration", style.textDecorationLine);
    into.append(text);
  }
}

// The lines that a text runs over, each with its place. Spaces that are not drawn have no width.
function linesOf(words, down) {
  const range = document.createRange();
  const lines = [];
  let index = 0;
  for (const letter of words.data) {
    range.setStart(words, index);
    range.setEnd(words, (index += letter.length));
    const places = [...range.getClientRects()].map(({ left, right, top, bottom }) =>
      down ? { left: top, right: bottom, top: -right, bottom: -left } : { left, right, top, bottom },
    );
    const at = places.find(({ left, right }) => left < right) ?? places[0];
    const [line, blank] = [lines.at(-1), !letter.trim()];
    if (!at || (blank && at.left === at.right)) continue;
    if (line && Math.abs(line.top - at.top) <= 2) {
      line.text += blank ? " " : letter;
      if (!blank && at.left < at.right) [line.left, line.right] = [Math.min(line.left, at.left), Math.max(line.right, at.right)];
    } else if (!blank) lines.push({ text: letter, ...at });
  }
  return lines;
}
