// A picture of a box of the page, whatever it is made of: one SVG of plain shapes and words, with no
// scripts and no HTML in it, so that any program opens it. What is on the page is read, never changed
// for longer than the reading takes.
import { penOf } from "../widgets/canvas.js";
import { SVG, node } from "../widgets/svg.js";
import { tidy, useFace } from "./saver_paint.js";
import { clipped, copyImage, copySvg, paintBox } from "./saver_shapes.js";
import { paintText } from "./saver_words.js";

const MARGIN = 16;
const [CAPTION_PX, LINE_PX] = [15, 21];
const SHARP = 2; // pixels of the PNG per pixel of the page
const LONGEST_PX = 8000;
// The page's controls say how a picture was made; they are no part of it.
const CONTROLS = ["Button", "ButtonGroup", "Checkbox", "DownloadButton", "Popover", "Radio", "Selectbox", "Slider", "TextInput"];
const LEFT_OUT = ["script", "style", "link", "input", "select", "textarea", '[data-save="no"]', ...CONTROLS.map((name) => `[data-testid="st${name}"]`)].join(",");

// The SVG element, its size, and the type faces that its words use.
// `caption` stands below it, each entry on lines of its own.
export function drawPicture(box, label, caption = []) {
  const frame = box.getBoundingClientRect();
  const width = Math.ceil(frame.width) + 2 * MARGIN;
  const style = getComputedStyle(document.body);
  const measure = penOf(document.createElement("canvas"));
  measure.font = `${CAPTION_PX}px ${style.fontFamily}`;
  const lines = caption.flatMap((text) => folded(text, width - 2 * MARGIN, measure));
  const top = Math.ceil(frame.height) + 2 * MARGIN;
  const height = top + (lines.length ? lines.length * LINE_PX + MARGIN : 0);
  const svg = node("svg", { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}` });
  svg.append(node("title", {}, label), node("rect", { width, height, fill: groundOf(box) }));
  const pen = {
    left: frame.left - MARGIN, top: frame.top - MARGIN, faces: new Set(), clips: [], trees: new Map(),
    measure: penOf(document.createElement("canvas")), known: new Map(),
  };
  walk(box, svg, pen);
  useFace(style, pen);
  const words = { "font-family": style.fontFamily, "font-size": CAPTION_PX, fill: style.color };
  lines.forEach((line, i) => svg.append(node("text", { x: MARGIN, y: top + (i + 0.7) * LINE_PX, ...words }, line)));
  return { svg, width, height, faces: pen.faces };
}

export async function asSvg({ svg }) {
  return new Blob([new XMLSerializer().serializeToString(svg)], { type: "image/svg+xml" });
}

// An SVG that is drawn as an image does not see the page's type faces: this copy carries them.
export async function asPng({ svg, width, height, faces }) {
  const copy = svg.cloneNode(true);
  copy.prepend(node("style", {}, await fontFaces(faces)));
  const image = new Image();
  image.src = URL.createObjectURL(await asSvg({ svg: copy }));
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

// A text in lines no wider than `width`; a word that is wider itself, as a link is, is cut into several.
function folded(text, width, measure) {
  const lines = [""];
  for (const piece of text.split(/(?<=[ &])/)) {
    for (const part of measure.measureText(piece).width > width ? piece.match(/.{1,60}/g) : [piece]) {
      if (lines.at(-1) && measure.measureText(lines.at(-1) + part).width > width) lines.push("");
      lines[lines.length - 1] += part;
    }
  }
  return lines;
}

// One element of the page and all in it: its box, then its words, pictures and children.
function walk(element, into, pen) {
  if (element.matches(LEFT_OUT)) return;
  const style = element.ownerDocument.defaultView.getComputedStyle(element);
  if (style.display === "none" || style.opacity === "0" || style.contentVisibility === "hidden") return;
  const tag = element.tagName.toLowerCase();
  const group = Number(style.opacity) < 1 ? node("g", { opacity: style.opacity }) : into;
  if (group !== into) into.append(group);
  upright(element, style, group, pen, (place) => {
    const seen = style.visibility === "visible";
    if (seen) paintBox(element, style, place, pen);
    if (tag === "svg") return seen && copySvg(element, place, pen);
    if (tag === "canvas" || tag === "img") return seen && copyImage(element, place, pen);
    if (tag === "iframe") return seen && enter(element, place, pen);
    const inner = clipped(element, style, place, pen);
    for (const child of (element.shadowRoot ?? element).childNodes) {
      if (child.nodeType === Node.ELEMENT_NODE) walk(child, inner, pen);
      else if (child.nodeType === Node.TEXT_NODE && seen) paintText(child, style, inner, pen);
    }
    return undefined;
  });
}

// Draw something turned: its parts are measured upright, and the group that holds them is turned.
function upright(element, style, into, pen, draw) {
  const turn = element instanceof SVGElement || style.transform === "none" ? null : new DOMMatrix(style.transform);
  if (!turn || (Math.abs(turn.b) < 1e-6 && Math.abs(turn.c) < 1e-6)) {
    draw(into);
    return;
  }
  const [before, ease] = [element.style.transform, element.style.transition];
  element.style.transition = "none";
  element.style.transform = "none";
  const at = element.getBoundingClientRect();
  const [ox, oy] = style.transformOrigin.split(" ").map(parseFloat);
  const [x, y] = [at.left - pen.left + ox, at.top - pen.top + oy];
  const { a, b, c, d, e, f } = turn;
  const group = node("g", { transform: `translate(${x} ${y}) matrix(${[a, b, c, d, e, f].map(tidy).join(" ")}) translate(${-x} ${-y})` });
  into.append(group);
  draw(group);
  element.style.transform = before;
  element.offsetWidth; // the old place is taken before the movement is allowed again
  element.style.transition = ease;
}

// The page inside a frame, where it is one of ours.
function enter(element, into, pen) {
  const body = element.contentDocument?.body;
  if (!body) return;
  const at = element.getBoundingClientRect();
  walk(body, into, { ...pen, left: pen.left - at.left, top: pen.top - at.top });
}

// The faces among the page's own @font-face rules, as one style sheet with the files inside.
async function fontFaces(faces) {
  const rules = [...document.styleSheets].flatMap((sheet) => {
    try {
      return [...sheet.cssRules].filter((rule) => rule instanceof CSSFontFaceRule);
    } catch {
      return []; // another site's
    }
  });
  const wanted = rules.filter((rule) => {
    const value = (name) => rule.style.getPropertyValue(name).replace(/["']/g, "").trim();
    return faces.has(`${value("font-family")}/${value("font-style") || "normal"}`);
  });
  const files = wanted.map(async (rule) => {
    const [, url] = /url\(["']?([^"')]+)/.exec(rule.cssText) ?? [];
    if (!url) return "";
    const file = await (await fetch(new URL(url, rule.parentStyleSheet?.href ?? document.baseURI))).blob();
    const data = await new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result);
      reader.readAsDataURL(file);
    });
    return rule.cssText.replace(/src:[^;]+/, `src: url("${data}")`);
  });
  return (await Promise.all(files)).join("\n");
}

function groundOf(box) {
  const ground = getComputedStyle(document.documentElement).getPropertyValue("--rb-ground").trim();
  return ground || getComputedStyle(box.ownerDocument.body).backgroundColor;
}
