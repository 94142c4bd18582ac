// Boxes with their ground and borders, canvases, and the SVGs that are on the page already.
import { penOf } from "../../widgets/canvas.js";
import { node } from "../../widgets/svg.js";

const DRAWN = "path,rect,circle,ellipse,line,polyline,polygon,text,tspan,textPath,image,use,g,svg,a";
// The properties that a style sheet may set, with the values that need no attribute.
const GROUP = { opacity: "1", "clip-path": "none", mask: "none" };
const PAINT = {
  ...GROUP, fill: "", stroke: "none", "fill-rule": "nonzero", "stroke-width": "", "stroke-dasharray": "none",
  "stroke-dashoffset": "0px", "stroke-linecap": "butt", "stroke-linejoin": "miter", "paint-order": "normal",
  "vector-effect": "none", overflow: "visible",
}; // prettier-ignore
const LETTERS = {
  ...PAINT, "font-family": "", "font-size": "", "font-weight": "", "font-style": "normal", "letter-spacing": "normal",
  "text-anchor": "start", "dominant-baseline": "auto", direction: "ltr",
}; // prettier-ignore
const LOOKS = { group: Object.entries(GROUP), shape: Object.entries(PAINT), text: Object.entries(LETTERS) };
const KINDS = { g: "group", svg: "group", a: "group", text: "text", tspan: "text", textPath: "text" };
const NO_LOOK = /^(class|style|tabindex|role|aria-.*|data-.*)$/;
const MOST_CELLS = 20_000; // rectangles of one canvas
const SIDES = ["Top", "Right", "Bottom", "Left"];
const colours = new Map(); // [red, green, blue, alpha] by notation

export function tidy(number) {
  return Math.round(number * 1000) / 1000;
}

// The attributes that fill or stroke in a colour of whatever notation; null if it is transparent.
export function paint(name, colour, opacity = 1) {
  if (!colours.has(colour)) {
    const pen = penOf(document.createElement("canvas"), { willReadFrequently: true });
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    colours.set(colour, pen.getImageData(0, 0, 1, 1).data);
  }
  const [r, g, b, alpha] = colours.get(colour);
  const part = tidy((alpha / 255) * opacity);
  return alpha ? { [name]: `rgb(${r}, ${g}, ${b})`, ...(part < 1 ? { [`${name}-opacity`]: part } : {}) } : null;
}

// The place of a rectangle of the page in the picture, `by` px smaller on each side.
function placed(at, pen, by = 0) {
  const [width, height] = [at.width - 2 * by, at.height - 2 * by].map((size) => tidy(Math.max(0, size)));
  return { x: tidy(at.left - pen.left + by), y: tidy(at.top - pen.top + by), width, height };
}

// A box's ground, its borders, its outline, and a shadow that serves as a border.
export function paintBox(element, style, into, pen) {
  const px = (value) => (parseFloat(value) || 0) * (element.currentCSSZoom ?? 1);
  for (const at of element.getClientRects()) {
    if (!at.width || !at.height) continue;
    const radius = Math.min(px(style.borderTopLeftRadius), at.width / 2, at.height / 2);
    const rect = (by, look) => {
      const round = radius ? { rx: tidy(Math.max(0, radius - by)) } : {};
      if (look) into.append(node("rect", { ...placed(at, pen, by), ...round, ...look }));
    };
    const ring = (by, width, colour, dash) => {
      const look = line(width, colour, dash);
      if (look) rect(by, { fill: "none", ...look });
    };
    rect(0, paint("fill", style.backgroundColor));
    const borders = SIDES.map((side) => {
      const [dash, width, colour] = ["Style", "Width", "Color"].map((part) => style[`border${side}${part}`]);
      return [dash === "none" ? 0 : px(width), colour, dash];
    });
    const { x, y, width, height } = placed(at, pen);
    if (borders.every((border) => String(border) === String(borders[0]))) ring(borders[0][0] / 2, ...borders[0]);
    else borders.forEach(([thick, colour, dash], side) => {
      const look = line(thick, colour, dash);
      const [left, top, right, bottom] = [x + thick / 2, y + thick / 2, x + width - thick / 2, y + height - thick / 2];
      const [x1, y1] = [[x, top], [right, y], [x, bottom], [left, y]][side];
      const [x2, y2] = side % 2 ? [x1, y + height] : [x + width, y1];
      if (look) into.append(node("line", { x1, y1, x2, y2, ...look }));
    });
    const outline = style.outlineStyle === "none" ? 0 : px(style.outlineWidth);
    ring(-px(style.outlineOffset) - outline / 2, outline, style.outlineColor, style.outlineStyle);
    const [, colour, spread, inset] = /^([^,]+\([^)]+\)) 0px 0px 0px ([\d.]+)px( inset)?$/.exec(style.boxShadow) ?? [];
    if (colour) ring((inset ? 1 : -1) * px(spread) / 2, px(spread), colour, "solid");
  }
}

// The attributes of a border; null if there is none.
function line(width, colour, style) {
  const stroke = width ? paint("stroke", colour) : null;
  const dash = { dashed: `${3 * width} ${2 * width}`, dotted: `0 ${2 * width}` }[style];
  const look = dash ? { "stroke-dasharray": dash, "stroke-linecap": style === "dotted" ? "round" : "butt" } : {};
  return stroke && { ...stroke, "stroke-width": tidy(width), ...look };
}

// A group that shows no more than the element does, if there is more in it.
export function clipped(element, style, into, pen) {
  const hides = style.overflowX !== "visible" || style.overflowY !== "visible";
  const more = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
  if (!hides || !more || !element.clientWidth) return into;
  const id = `clip-${pen.clips.push(element)}`;
  const clip = node("clipPath", { id });
  const place = placed(element.getBoundingClientRect(), pen);
  clip.append(node("rect", pen.frames.includes(element) ? { ...place, width: element.scrollWidth } : place));
  const group = node("g", { "clip-path": `url(#${id})` });
  into.append(clip, group);
  return group;
}

export function copyImage(element, style, into, pen) {
  const canvas = element.tagName === "IMG" ? document.createElement("canvas") : element;
  if (canvas !== element) {
    [canvas.width, canvas.height] = [element.naturalWidth, element.naturalHeight];
    if (canvas.width) penOf(canvas).drawImage(element, 0, 0);
  }
  if (!canvas.width || !canvas.height) return;
  const cells = (style.imageRendering === "pixelated" || canvas.height === 1) && cellsOf(canvas, placed(element.getBoundingClientRect(), pen));
  if (cells) {
    into.append(cells);
    return;
  }
  const image = node("image", { ...placed(element.getBoundingClientRect(), pen), preserveAspectRatio: "none" });
  image.setAttribute("href", canvas.toDataURL("image/png"));
  if (style.imageRendering === "pixelated") image.setAttribute("style", "image-rendering: pixelated");
  into.append(image);
}

// The cells of a canvas as rectangles, which can be scaled and recoloured; null if there are too many.
function cellsOf(canvas, { x, y, width: wide, height: high }) {
  const { width, height } = canvas;
  const { data } = penOf(canvas).getImageData(0, 0, width, height);
  const left = Array.from(new Uint32Array(data.buffer)); // what is drawn becomes 0, as what is empty is
  const group = node("g", { transform: `translate(${x} ${y}) scale(${wide / width} ${high / height})`, "shape-rendering": "crispEdges" });
  for (let at = 0; at < left.length; at++) {
    const colour = left[at];
    if (!data[4 * at + 3] || !colour) continue;
    if (group.childElementCount === MOST_CELLS) return null;
    const [column, row] = [at % width, Math.floor(at / width)];
    let [end, bottom] = [column + 1, row + 1];
    while (end < width && left[row * width + end] === colour) end++;
    const same = () => left.slice(bottom * width + column, bottom * width + end).every((other) => other === colour);
    while (bottom < height && same()) bottom++;
    for (let line = row; line < bottom; line++) left.fill(0, line * width + column, line * width + end);
    const [red, green, blue, opaque] = data.subarray(4 * at, 4 * at + 4);
    const look = { fill: `rgb(${red}, ${green}, ${blue})`, ...(opaque < 255 && { "fill-opacity": tidy(opaque / 255) }) };
    group.append(node("rect", { x: column, y: row, width: end - column, height: bottom - row, ...look }));
  }
  return group;
}

// An SVG with the looks that style sheets give it as attributes.
export function copySvg(element, into, pen) {
  const at = element.getBoundingClientRect();
  const copy = element.cloneNode(true);
  // Ids are unique in a tree only, the page or a component: in the one picture they carry the tree's number.
  const tree = element.getRootNode();
  if (!pen.trees.includes(tree)) pen.trees.push(tree);
  const prefix = `p${pen.trees.indexOf(tree)}-`;
  const originals = [element, ...element.querySelectorAll("*")];
  [copy, ...copy.querySelectorAll("*")].forEach((part, i) => {
    const style = originals[i].ownerDocument.defaultView.getComputedStyle(originals[i]);
    const drawable = originals[i].matches(DRAWN);
    if (i && (drawable ? style.display === "none" || style.opacity === "0" : /^(style|script)$/.test(part.tagName))) {
      part.remove();
      return;
    }
    if (i && drawable) dress(part, style);
    for (const name of part.getAttributeNames()) {
      const value = part.getAttribute(name);
      if (NO_LOOK.test(name)) part.removeAttribute(name);
      else if (name === "id") part.id = prefix + value;
      else if (value.startsWith("url(")) part.setAttribute(name, value.replace(/^url\([^#]*#([^"')]*).*$/, `url(#${prefix}$1)`));
      else if (value.startsWith("#") && name.endsWith("href")) part.setAttribute(name, `#${prefix}${value.slice(1)}`);
    }
  });
  const zoom = element.currentCSSZoom ?? 1;
  if (!copy.hasAttribute("viewBox")) copy.setAttribute("viewBox", `0 0 ${tidy(at.width / zoom)} ${tidy(at.height / zoom)}`);
  const { overflow } = getComputedStyle(element);
  for (const [name, value] of Object.entries({ ...placed(at, pen), overflow })) copy.setAttribute(name, value);
  into.append(copy);
}

// Write the computed look of a part of an SVG into the attributes of its copy.
function dress(part, style) {
  if (style.visibility !== "visible") part.setAttribute("visibility", "hidden");
  for (const [name, plain] of LOOKS[KINDS[part.tagName] ?? "shape"]) {
    const value = style.getPropertyValue(name);
    part.removeAttribute(name);
    if ((name === "fill" || name === "stroke") && value !== "none" && !value.startsWith("url")) {
      const look = paint(name, value, Number(style.getPropertyValue(`${name}-opacity`))) ?? { [name]: "none" };
      for (const [key, text] of Object.entries(look)) part.setAttribute(key, text);
    } else if (value && value !== plain && !(name.startsWith("stroke-") && style.stroke === "none")) {
      part.setAttribute(name, value);
    }
  }
  if (style.transform !== "none") {
    const [x, y] = style.transformOrigin.split(" ").map(parseFloat);
    part.setAttribute("transform", about(x, y, new DOMMatrix(style.transform)));
  }
}

// A transform about a point, as an attribute.
export function about(x, y, matrix) {
  return String(new DOMMatrix().translate(x, y).multiply(matrix).translate(-x, -y));
}
