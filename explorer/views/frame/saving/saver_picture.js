// A picture of a box of the page, whatever it is made of: one SVG of plain shapes and words, with no
// scripts and no HTML in it, so that any program opens it. Components are drawn in shadow trees, on
// canvases and in frames, which libraries for this leave out or put in as HTML.

import { penOf } from "../../widgets/canvas.js";
import { directionOf } from "../../widgets/direction.js";
import { SVG, node } from "../../widgets/svg.js";
import { t } from "../../widgets/translations.js";
import { about, clipped, copyImage, copySvg, paint, paintBox, tidy } from "./saver_shapes.js";

// Words, line by line where the page has put them. A line is given its length, so that a program
// without our type faces keeps it in its place.

function paintText(words, style, into, pen) {
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

// On a narrow screen, what scrolls sideways in a frame of its own (wide.css) is saved whole, and the picture is as
// wide as that needs.

const NARROW = "(max-width: 820px)"; // there nothing stands beside a frame

/**
 * The frames in a part of the page that have more than they show.
 * @param {Element} box
 * @returns {Element[]}
 */
function framesOf(box) {
  if (!matchMedia(NARROW).matches) return [];
  const all = [...box.querySelectorAll("*")].flatMap((part) => [part, ...(part.shadowRoot?.querySelectorAll("*") ?? [])]);
  return [box, ...all].filter((part) => part.scrollWidth > part.clientWidth + 1 && part.clientWidth && /auto|scroll/.test(getComputedStyle(part).overflowX));
}

/**
 * Do something with all frames at their beginnings, and leave them as they were.
 * @template T
 * @param {Element[]} frames
 * @param {() => T} act
 */
function unscrolled(frames, act) {
  const before = frames.map((frame) => frame.scrollLeft);
  frames.forEach((frame) => (frame.scrollLeft = 0));
  const result = act();
  frames.forEach((frame, at) => (frame.scrollLeft = before[at]));
  return result;
}

/**
 * Where all that is in a frame ends, on the screen.
 * @param {Element} frame
 */
const endOf = (frame) => frame.getBoundingClientRect().left + frame.scrollWidth;

const MARGIN = 16;
const [CAPTION_PX, LINE_PX] = [15, 21];
const SHARP = 2; // pixels of the PNG per pixel of the page
const LONGEST_PX = 8000;
// The page's controls say how a picture was made; they are no part of it.
const CONTROLS = ["Button", "ButtonGroup", "Checkbox", "DownloadButton", "Popover", "Radio", "Selectbox", "Slider", "TextInput"];
const LEFT_OUT = ["script", "style", "link", "input", "select", "textarea", '[data-save="no"]', ...CONTROLS.map((name) => `[data-testid="st${name}"]`)].join(",");

// The SVG element and its size. `caption` stands below the picture, each entry on lines of its own. `ground` is that
// of the page, unless it is another colour or "none".
export function drawPicture(box, label, caption = [], ground = "") {
  const frames = framesOf(box);
  return unscrolled(frames, () => drawFrames(box, label, caption, ground, frames));
}

function drawFrames(box, label, caption, ground, frames) {
  const frame = box.getBoundingClientRect();
  const style = getComputedStyle(document.body);
  const width = Math.ceil(Math.max(frame.right, ...frames.map(endOf)) - frame.left) + 2 * MARGIN;
  const top = Math.ceil(frame.height) + 2 * MARGIN;
  const lines = folded(caption, width - 2 * MARGIN, `${CAPTION_PX}px ${style.fontFamily}`);
  const height = top + (lines.length ? lines.length * LINE_PX + MARGIN : 0);
  const svg = node("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  const fill = ground || getComputedStyle(document.documentElement).getPropertyValue("--rb-ground").trim() || style.backgroundColor;
  svg.append(node("title", {}, label), node("rect", { width, height, fill }));
  walk(box, svg, { left: frame.left - MARGIN, top: frame.top - MARGIN, clips: [], trees: [], frames });
  const words = { "font-family": style.fontFamily, "font-size": CAPTION_PX, fill: style.color };
  lines.forEach((line, i) => svg.append(node("text", { x: MARGIN, y: top + (i + 0.7) * LINE_PX, ...words }, line)));
  return { svg, width, height };
}

// With its type faces inside, so that it looks the same where they are not installed.
export async function asSvg({ svg }) {
  svg.prepend(node("style", {}, await fontFaces(svg)));
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

export async function asPng({ svg, width, height }) {
  const image = new Image();
  image.src = URL.createObjectURL(await asSvg({ svg }));
  await image.decode();
  const sharp = Math.min(SHARP, LONGEST_PX / width, LONGEST_PX / height);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [Math.round(width * sharp), Math.round(height * sharp)];
  penOf(canvas).drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((done, fail) =>
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error(t("the picture is too large.")))), "image/png"),
  );
}

// Where a line may end: after a space or &, and between Chinese characters, but before no closing mark.
const BREAKS = /(?<=[ &]|[\p{Script=Han}，。：；、！？）”])(?![ ，。：；、！？）”])/u;

// Texts in lines no wider than `width`; a word that is wider itself, as a link is, is cut into several.
function folded(texts, width, font) {
  const pen = penOf(document.createElement("canvas"));
  pen.font = font;
  const fits = (text) => pen.measureText(text).width <= width;
  return texts.flatMap((text) => {
    const pieces = text.split(BREAKS).flatMap((piece) => (fits(piece) ? piece : piece.match(/.{1,60}/g)));
    const lines = [""];
    for (const piece of pieces) {
      if (lines.at(-1) && !fits(lines.at(-1) + piece)) lines.push("");
      lines[lines.length - 1] += piece;
    }
    return lines;
  });
}

// One element of the page and all in it: its box, then its words, pictures and children.
function walk(element, into, pen) {
  if (element.matches(LEFT_OUT)) return;
  const style = element.ownerDocument.defaultView.getComputedStyle(element);
  if (style.display === "none" || style.opacity === "0" || style.contentVisibility === "hidden") return;
  const group = Number(style.opacity) < 1 ? node("g", { opacity: style.opacity }) : into;
  if (group !== into) into.append(group);
  upright(element, style, group, pen, (place) => {
    const visible = style.visibility === "visible";
    const tag = element.tagName.toLowerCase();
    if (visible) paintBox(element, style, place, pen);
    if (/^(svg|canvas|img|iframe)$/.test(tag)) {
      if (!visible) return;
      if (tag === "svg") copySvg(element, place, pen);
      else if (tag === "iframe") enter(element, place, pen);
      else copyImage(element, style, place, pen);
      return;
    }
    const inner = clipped(element, style, place, pen);
    for (const child of (element.shadowRoot ?? element).childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) walk(child, inner, pen);
      else if (child.nodeType === Node.TEXT_NODE && visible) paintText(child, style, inner, pen);
    }
  });
}

// Draw something turned: its parts are measured upright, and the group that holds them is turned.
function upright(element, style, into, pen, draw) {
  const turn = new DOMMatrix(element instanceof SVGElement ? "none" : style.transform);
  if (turn.a > 0 && Math.abs(turn.b) < 1e-6) {
    draw(into);
    return;
  }
  const { transform, transition } = element.style;
  Object.assign(element.style, { transition: "none", transform: "none" });
  const at = element.getBoundingClientRect();
  const origin = style.transformOrigin.split(" ").map(parseFloat);
  const [x, y] = [at.left - pen.left + origin[0], at.top - pen.top + origin[1]];
  const group = node("g", { transform: about(x, y, turn) });
  into.append(group);
  draw(group);
  element.style.transform = transform;
  element.offsetWidth; // the old place is taken before the movement is allowed again
  element.style.transition = transition;
}

// The page inside a frame, if it is one of ours.
function enter(element, into, pen) {
  const body = element.contentDocument?.body;
  const at = element.getBoundingClientRect();
  if (body) walk(body, into, { ...pen, left: pen.left - at.left, top: pen.top - at.top });
}

// The page's own faces that a picture uses, as a style sheet with the files inside: an SVG that is drawn
// as an image does not see those of the page.
async function fontFaces(svg) {
  const used = new Set([...svg.querySelectorAll("text, tspan")].flatMap((text) => {
    const style = text.getAttribute("font-style") ?? "normal";
    return (text.getAttribute("font-family") ?? "").split(",").map((family) => `${unquoted(family)}/${style}`);
  }));
  const files = [...document.styleSheets].flatMap(rulesOf).map(async (rule) => {
    const [family, style] = ["font-family", "font-style"].map((name) => unquoted(rule.style.getPropertyValue(name)));
    const [, url] = /url\(["']?([^"')]+)/.exec(rule.cssText) ?? [];
    if (!used.has(`${family}/${style || "normal"}`)) return "";
    if (!url) return rule.cssText; // a face of this computer under another name
    const response = await fetch(new URL(url, rule.parentStyleSheet?.href ?? document.baseURI));
    const reader = new FileReader();
    reader.readAsDataURL(await response.blob());
    await new Promise((done) => (reader.onload = done));
    return rule.cssText.replace(/src:[^;]+/, `src: url("${reader.result}")`);
  });
  return (await Promise.all(files)).join("\n");
}

function rulesOf(sheet) {
  try {
    return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
  } catch {
    return []; // another site's
  }
}

function unquoted(text) {
  return text.replace(/["']/g, "").trim();
}
