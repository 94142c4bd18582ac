// Whether the part that has the focus is marked by a line that contrasts by 3:1 (WCAG 1.4.11) with what is beside it.
(at) => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const above = (part) => part.assignedSlot ?? part.parentElement ?? part.getRootNode().host ?? null;

  /** The colours laid over white, as red, green and blue. */
  const shown = (colours) => {
    for (const colour of ["#fff", ...colours]) {
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const grounds = (part) => (part ? [...grounds(above(part)), getComputedStyle(part).backgroundColor] : []);
  const luminance = (colour) =>
    shown(colour)
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
      .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  const contrasts = (colour, part) => {
    const [low, high] = [luminance(grounds(part)), luminance([...grounds(part), colour])].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05) >= 3;
  };

  // The browser's own ring has two colours; it is not seen on a box that is there for screen readers alone.
  const clipped = at.parentElement?.offsetWidth <= 1;
  const line = (part) => {
    const style = getComputedStyle(part);
    if (style.outlineStyle === "auto") return !clipped;
    const drawn = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1.5;
    const within = parseFloat(style.outlineOffset) < 0;
    if (drawn && contrasts(style.outlineColor, within ? part : above(part))) return true;
    const shadows = style.boxShadow.match(/\w+\([^)]*\)/g) ?? [];
    if (shadows.some((colour) => contrasts(colour, above(part)))) return true;
    return at instanceof SVGElement && parseFloat(style.strokeWidth) >= 2 && contrasts(style.stroke, part);
  };
  const box = at.getBoundingClientRect();
  const inView = box.width > 0 && box.bottom > 0 && box.top < innerHeight;
  const around = [at, at.parentElement, at.parentElement?.parentElement].filter(Boolean);
  // A slider's thumb cannot be asked for its style, and a frame's page has rings of its own.
  const drawsItself = at.matches("iframe, input[type=range]") && !clipped;
  return inView && (drawsItself || [...around, ...at.querySelectorAll("*")].some(line));
}
