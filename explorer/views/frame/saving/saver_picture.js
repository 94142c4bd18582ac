// A picture of a box of the page, whatever it is made of: one SVG of plain shapes and words, with no
// scripts and no HTML in it, so that any program opens it. Components are drawn in shadow trees, on
// canvases and in frames, which libraries for this leave out or put in as HTML.
import { penOf } from "../../widgets/canvas.js";
import { SVG, node } from "../../widgets/svg.js";
import { endOf, framesOf, unscrolled } from "./saver_frames.js";
import { about, clipped, copyImage, copySvg, paintBox } from "./saver_shapes.js";
import { paintText } from "./saver_words.js";

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
    canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error("the picture is too large."))), "image/png"),
  );
}

// Texts in lines no wider than `width`; a word that is wider itself, as a link is, is cut into several.
function folded(texts, width, font) {
  const pen = penOf(document.createElement("canvas"));
  pen.font = font;
  const fits = (text) => pen.measureText(text).width <= width;
  return texts.flatMap((text) => {
    const pieces = text.split(/(?<=[ &])/).flatMap((piece) => (fits(piece) ? piece : piece.match(/.{1,60}/g)));
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
    if (!url || !used.has(`${family}/${style || "normal"}`)) return "";
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
