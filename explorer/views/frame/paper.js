// On paper a picture is drawn as Save draws it, whole and with its canvases, however it scrolls on the screen; below
// it stand its caption and its address. print.css says what is printed around it.
import { element } from "../widgets/dom.js";
import { drawPicture } from "./saver_picture.js";

/** @param {string[]} caption the lines under a saved picture */
export function layPaper(caption) {
  clearPaper();
  /** @type {HTMLElement | null} */
  const picture = document.querySelector(".st-key-picture");
  if (!picture?.offsetHeight) return;
  const sheet = element("div", "rb-sheet");
  sheet.dataset.save = "no";
  sheet.append(drawPicture(picture, "").svg, ...[...caption, location.href].map((line) => element("p", "", line)));
  picture.append(sheet);
}

export function clearPaper() {
  document.querySelectorAll(".rb-sheet").forEach((sheet) => sheet.remove());
}
