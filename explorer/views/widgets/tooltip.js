import { byKeyboard, element, partOf, zoomOf } from "./dom.js";
import { pointing } from "./pointing.js";

/**
 * A line of text below a part that is pointed at or has the focus. The style sheet of the component defines
 * `.tip`, and `.tip.on` for a visible one.
 * @param {any} root the element that the text is placed in; its own position must not be static
 * @param {object} options
 * @param {string} [options.of] a selector of the parts that have a text
 * @param {any} [options.on] where to listen; the root by default
 * @param {"left" | "middle" | ""} [options.align] its place along the part; by default that of the style sheet
 * @param {number} [options.gap] px below the part
 * @param {(part: any) => string} [options.text] the text of a part; nothing is shown if it is empty
 * @param {(part: any) => void} [options.tell] called with the part whose text is shown, or null
 */
export function tooltip(root, { of = "", on = root, align = "", gap = 2, text = (part) => part.tip, tell = () => {} } = {}) {
  const box = element("div", "tip");
  box.dataset.save = "no"; // no part of a saved picture
  box.dir = "ltr"; // it is of the page, not of the text that it tells of
  const tip = {
    box,
    /** @type {any} */
    part: null,
    hide: () => tip.show(null),
    /** @param {any} part */
    show(part, words = part ? text(part) : "") {
      tip.part = words ? part : null;
      box.classList.toggle("on", Boolean(words));
      tell(part);
      if (!words) return;
      box.textContent = words;
      const [home, zoom] = [root.getBoundingClientRect(), zoomOf(root)];
      const at = part.getClientRects()[0] ?? part.getBoundingClientRect();
      box.style.top = `${(at.bottom - home.top) / zoom + gap}px`;
      if (!align) return;
      box.style.left = "0"; // its width is not to depend on where it stood
      const from = align === "left" ? at.left : (at.left + at.right) / 2;
      const left = (from - home.left) / zoom - (align === "left" ? 0 : box.offsetWidth / 2);
      box.style.left = `${Math.max(0, Math.min(left, root.offsetWidth - box.offsetWidth))}px`;
    },
    /**
     * Beside the pointer instead of below a part.
     * @param {PointerEvent} event
     * @param {string | undefined} words
     */
    follow(event, words) {
      box.classList.toggle("on", Boolean(words));
      if (!words) return;
      box.textContent = words;
      const [home, zoom] = [root.getBoundingClientRect(), zoomOf(root)];
      const left = (event.clientX - home.left) / zoom + 12;
      box.style.left = `${Math.min(left, root.offsetWidth - box.offsetWidth - 4)}px`;
      box.style.top = `${(event.clientY - home.top) / zoom + 16}px`;
    },
    /** The text of the part may have changed. */
    refresh: () => tip.part && tip.show(tip.part),
  };
  root.append(box);
  if (!of) return tip;
  pointing(on, (event) => tip.show(partOf(event, of)), tip.hide, "pointerover");
  on.addEventListener("focusin", (event) => byKeyboard(event) && tip.show(partOf(event, of)));
  on.addEventListener("focusout", tip.hide);
  return tip;
}

/**
 * Put a text above a point of a picture, or below it if there is no room, within the picture's width.
 * @param {HTMLElement} box
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} gap px from the point
 */
export function placeAbove(box, x, y, width, gap) {
  const [w, h] = [box.offsetWidth, box.offsetHeight];
  const left = Math.min(Math.max(x - w / 2, 4), width - w - 4);
  const top = y - h - gap < 0 ? y + gap : y - h - gap;
  box.style.transform = `translate(${left}px, ${top}px)`;
}
