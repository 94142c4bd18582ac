// Boxes with their ground and borders, canvases, and the SVGs that are on the page already.
import { penOf } from "../widgets/canvas.js";
import { node } from "../widgets/svg.js";
import { ink, paintOf, tidy, useFace } from "./saver_paint.js";

const DRAWN = "path,rect,circle,ellipse,line,polyline,polygon,text,tspan,textPath,image,use,g,svg,a";
const PAINT = [
  "fill", "fill-rule", "stroke", "stroke-width", "stroke-dasharray", "stroke-dashoffset",
  "stroke-linecap", "stroke-linejoin", "paint-order", "vector-effect", "opacity", "clip-path", "mask", "overflow",
]; // prettier-ignore
const LETTERS = [
  "font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor", "dominant-baseline",
  "direction",
]; // prettier-ignore
const PLACES = { circle: ["cx", "cy", "r"], rect: ["x", "y", "width", "height", "rx", "ry"], ellipse: ["cx", "cy", "rx", "ry"], path: ["d"] };
const NO_LOOK = /^(class|style|tabindex|role|aria-.*|data-.*)$/;
const INITIAL = {
  "fill-rule": "nonzero", "stroke-dasharray": "none", "stroke-dashoffset": "0px",
  "stroke-linecap": "butt", "stroke-linejoin": "miter", "paint-order": "normal", "vector-effect": "none", opacity: "1",
  "clip-path": "none", mask: "none", overflow: "visible", "letter-spacing": "normal", "text-anchor": "start",
  "dominant-baseline": "auto", "font-style": "normal", direction: "ltr",
}; // prettier-ignore

// A box's ground, its borders, its outline, and a shadow that stands for a border.
export function paintBox(element, style, into, pen) {
  const zoom = element.currentCSSZoom ?? 1;
  const px = (value) => (parseFloat(value) || 0) * zoom;
  for (const at of element.getClientRects()) {
    if (!at.width || !at.height) continue;
    const edge = (by) => ({
      x: tidy(at.left - pen.left + by), y: tidy(at.top - pen.top + by),
      width: tidy(Math.max(0, at.width - 2 * by)), height: tidy(Math.max(0, at.height - 2 * by)),
    });
    const radius = Math.min(px(style.borderTopLeftRadius), at.width / 2, at.height / 2);
    const round = (by) => (radius ? { rx: tidy(Math.max(0, radius - by)) } : {});
    const ground = paintOf(style.backgroundColor, pen);
    if (ground) into.append(node("rect", { ...edge(0), ...round(0), ...ink("fill", ground) }));
    const edges = ["Top", "Right", "Bottom", "Left"].map((side) => ({
      width: style[`border${side}Style`] === "none" ? 0 : px(style[`border${side}Width`]),
      colour: paintOf(style[`border${side}Color`], pen), dash: style[`border${side}Style`], side,
    }));
    const ring = (width, colour, by, dash) =>
      into.append(node("rect", { ...edge(by), ...round(by), fill: "none", ...ink("stroke", colour), "stroke-width": width, ...dashes(dash, width) }));
    const [top] = edges;
    if (edges.every((one) => one.width === top.width && one.colour?.join() === top.colour?.join())) {
      if (top.width && top.colour) ring(top.width, top.colour, top.width / 2, top.dash);
    } else {
      for (const one of edges.filter(({ width, colour }) => width && colour)) {
        const [x, y] = [at.left - pen.left, at.top - pen.top];
        const half = one.width / 2;
        const line = {
          Top: [x, y + half, x + at.width, y + half], Bottom: [x, y + at.height - half, x + at.width, y + at.height - half],
          Left: [x + half, y, x + half, y + at.height], Right: [x + at.width - half, y, x + at.width - half, y + at.height],
        }[one.side].map(tidy);
        const [x1, y1, x2, y2] = line;
        into.append(node("line", { x1, y1, x2, y2, ...ink("stroke", one.colour), "stroke-width": one.width, ...dashes(one.dash, one.width) }));
      }
    }
    const outline = paintOf(style.outlineColor, pen);
    if (style.outlineStyle !== "none" && px(style.outlineWidth) && outline) {
      ring(px(style.outlineWidth), outline, -px(style.outlineOffset) - px(style.outlineWidth) / 2, style.outlineStyle);
    }
    const inset = /^(.+\)) 0px 0px 0px ([\d.]+)px inset$/.exec(style.boxShadow);
    const shadow = inset && paintOf(inset[1], pen);
    if (shadow) ring(px(inset[2]), shadow, px(inset[2]) / 2, "solid");
  }
}

function dashes(style, width) {
  if (style === "dashed") return { "stroke-dasharray": `${3 * width} ${2 * width}` };
  return style === "dotted" ? { "stroke-dasharray": `0 ${2 * width}`, "stroke-linecap": "round" } : {};
}

// Where more is in an element than it shows, a group that shows no more either.
export function clipped(element, style, into, pen) {
  const hides = style.overflowX !== "visible" || style.overflowY !== "visible";
  const more = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
  if (!hides || !more || !element.clientWidth) return into;
  const at = element.getBoundingClientRect();
  const id = `clip-${pen.clips.push(element)}`;
  const clip = node("clipPath", { id });
  clip.append(node("rect", { x: tidy(at.left - pen.left), y: tidy(at.top - pen.top), width: tidy(at.width), height: tidy(at.height) }));
  const group = node("g", { "clip-path": `url(#${id})` });
  into.append(clip, group);
  return group;
}

export function copyImage(element, into, pen) {
  const at = element.getBoundingClientRect();
  let canvas = element;
  if (element.tagName === "IMG") {
    canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [element.naturalWidth, element.naturalHeight];
    if (canvas.width) penOf(canvas).drawImage(element, 0, 0);
  }
  if (!canvas.width || !canvas.height || !at.width) return;
  const image = node("image", { x: tidy(at.left - pen.left), y: tidy(at.top - pen.top), width: tidy(at.width), height: tidy(at.height), preserveAspectRatio: "none" });
  image.setAttribute("href", canvas.toDataURL("image/png"));
  if (getComputedStyle(element).imageRendering === "pixelated") image.setAttribute("style", "image-rendering: pixelated");
  into.append(image);
}

// An SVG with what style sheets said of it written into its attributes.
export function copySvg(element, into, pen) {
  const zoom = element.currentCSSZoom ?? 1;
  const at = element.getBoundingClientRect();
  const copy = element.cloneNode(true);
  const tree = element.getRootNode();
  if (!pen.trees.has(tree)) pen.trees.set(tree, pen.trees.size);
  const originals = [element, ...element.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  const gone = [];
  originals.forEach((original, i) => {
    const made = copies[i];
    if (original !== element && !dress(original, made, pen)) gone.push(made);
    for (const name of made.getAttributeNames()) if (NO_LOOK.test(name)) made.removeAttribute(name);
    own(made, pen.trees.get(tree));
  });
  gone.forEach((made) => made.remove());
  for (const [name, value] of Object.entries({ x: at.left - pen.left, y: at.top - pen.top, width: at.width, height: at.height })) {
    copy.setAttribute(name, tidy(value));
  }
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${tidy(at.width / zoom)} ${tidy(at.height / zoom)}`);
  copy.setAttribute("overflow", getComputedStyle(element).overflow);
  into.append(copy);
}

// Ids are unique in a tree only, the page or a component: in the one picture they carry the tree's number.
function own(made, number) {
  if (made.id) made.id = `p${number}-${made.id}`;
  for (const name of ["clip-path", "mask", "fill", "stroke", "marker-end", "marker-start", "href", "xlink:href"]) {
    const value = made.getAttribute(name);
    const mine = /^(url\(["']?[^"')#]*#|#)([^"')]+)(["']?\)?)$/.exec(value ?? "");
    if (mine) made.setAttribute(name, mine[1].endsWith("(#") || mine[1] === "#" ? `${mine[1]}p${number}-${mine[2]}${mine[3]}` : `url(#p${number}-${mine[2]})`);
  }
}

// Write one element's computed look into its copy; false where it cannot be seen.
function dress(original, made, pen) {
  const style = original.ownerDocument.defaultView.getComputedStyle(original);
  const tag = original.tagName;
  if (tag === "style" || tag === "script") return false;
  if (tag === "stop") {
    const [r, g, b, alpha] = paintOf(style.stopColor, pen) ?? [0, 0, 0, 0];
    made.setAttribute("stop-color", `rgb(${r}, ${g}, ${b})`);
    made.setAttribute("stop-opacity", tidy(alpha * Number(style.stopOpacity)));
  }
  if (!original.matches(DRAWN)) return true;
  if (style.display === "none" || style.opacity === "0") return false;
  if (style.visibility !== "visible") made.setAttribute("visibility", "hidden");
  const letters = tag === "text" || tag === "tspan" || tag === "textPath";
  const group = tag === "g" || tag === "svg" || tag === "a";
  for (const name of letters ? [...PAINT, ...LETTERS] : group ? ["opacity", "clip-path", "mask"] : PAINT) {
    const value = style.getPropertyValue(name);
    made.removeAttribute(name);
    if (!value || value === INITIAL[name]) continue;
    if ((name === "fill" || name === "stroke") && value !== "none" && !value.startsWith("url")) {
      const paint = paintOf(value, pen);
      for (const [key, part] of Object.entries(paint ? ink(name, paint, style) : { [name]: "none" })) made.setAttribute(key, part);
    } else if (!(name.startsWith("stroke") && style.stroke === "none")) {
      made.setAttribute(name, value);
    }
  }
  if (letters) useFace(style, pen);
  for (const name of PLACES[tag] ?? []) {
    const value = style.getPropertyValue(name);
    if (value && value !== "auto" && value !== "none") made.setAttribute(name, name === "d" ? value.replace(/^path\(["']|["']\)$/g, "") : value.replace(/px$/, ""));
  }
  const turn = style.transform;
  if (turn && turn !== "none") made.setAttribute("transform", turned(style));
  return true;
}

// A transform of CSS as an attribute; it turns about an origin of its own.
function turned(style) {
  const matrix = new DOMMatrix(style.transform);
  const [ox, oy] = style.transformOrigin.split(" ").map(parseFloat);
  const { a, b, c, d, e, f } = new DOMMatrix().translate(ox, oy).multiply(matrix).translate(-ox, -oy);
  return `matrix(${[a, b, c, d, e, f].map(tidy).join(" ")})`;
}
