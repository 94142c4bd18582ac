// Words, line by line where the page has put them. A line is given its length, so that a program
// without our type faces keeps it in its place.
import { directionOf } from "../widgets/direction.js";
import { node } from "../widgets/svg.js";
import { ink, paintOf, tidy, useFace } from "./saver_paint.js";

export function paintText(words, style, into, pen) {
  if (!words.data.trim()) return;
  const parent = words.parentElement ?? words.getRootNode().host;
  const zoom = parent.currentCSSZoom ?? 1;
  const colour = paintOf(style.color, pen);
  if (!colour) return;
  useFace(style, pen);
  pen.measure.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const { fontBoundingBoxAscent: up, fontBoundingBoxDescent: down } = pen.measure.measureText("x");
  const keeps = style.whiteSpaceCollapse ? style.whiteSpaceCollapse !== "collapse" : style.whiteSpace.startsWith("pre");
  for (const line of linesOf(words)) {
    const said = (keeps ? line.text.replace(/\n/g, "") : line.text.replace(/\s+/g, " ")).trimEnd();
    const base = line.top + (line.bottom - line.top - (up + down) * zoom) / 2 + up * zoom;
    const right = (style.unicodeBidi === "plaintext" ? directionOf(said) : style.direction) === "rtl";
    const text = node("text", {
      x: tidy((right ? line.right : line.left) - pen.left), y: tidy(base - pen.top),
      textLength: tidy(line.right - line.left), lengthAdjust: "spacingAndGlyphs", ...ink("fill", colour),
      "font-family": style.fontFamily, "font-size": tidy(parseFloat(style.fontSize) * zoom), "font-weight": style.fontWeight,
    }, cased(said, style)); // prettier-ignore
    if (style.fontStyle !== "normal") text.setAttribute("font-style", style.fontStyle);
    if (right) text.setAttribute("direction", "rtl");
    if (style.textDecorationLine !== "none" && paintOf(style.textDecorationColor, pen)) text.setAttribute("text-decoration", style.textDecorationLine);
    text.setAttribute("xml:space", "preserve");
    into.append(text);
  }
}

// The lines that a text runs over, each with its place.
function linesOf(words) {
  const range = document.createRange();
  const place = (start, end) => {
    range.setStart(words, start);
    range.setEnd(words, end);
    return [...range.getClientRects()].filter((at) => at.width > 0);
  };
  // Space around a text is not drawn: what can be seen says where the line begins.
  const [first, last] = [words.data.search(/\S/), words.data.trimEnd().length];
  const seen = words.data.slice(first, last);
  const whole = place(first, last);
  if (whole.length === 1) return [{ text: seen, ...placed(whole[0]) }];
  const lines = [];
  const put = (text, at) => {
    const line = lines.at(-1);
    if (!line || Math.abs(line.top - at.top) > 2) {
      if (text.trim()) lines.push({ text, ...placed(at) });
      return;
    }
    line.text += text;
    if (text.trim()) [line.left, line.right] = [Math.min(line.left, at.left), Math.max(line.right, at.right)];
  };
  for (const { 0: word, index } of seen.matchAll(/\s+|\S+/g)) {
    const places = place(first + index, first + index + word.length);
    if (places.length === 1) put(word, places[0]);
    else if (places.length > 1) {
      let at = first + index; // a word broken in two
      for (const letter of word) {
        const [one] = place(at, at + letter.length);
        at += letter.length;
        if (one) put(letter, one);
      }
    }
  }
  return lines;
}

function placed({ left, right, top, bottom }) {
  return { left, right, top, bottom };
}

function cased(text, style) {
  if (style.textTransform === "uppercase") return text.toUpperCase();
  return style.textTransform === "lowercase" ? text.toLowerCase() : text;
}
