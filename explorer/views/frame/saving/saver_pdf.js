// A picture as a PDF: the browser prints it alone, on a page of its size, with its words as words.
import { element } from "../../widgets/dom.js";
import { t } from "../../widgets/translations.js";
import { asSvg } from "./saver_picture.js";

export async function printPdf(drawn, name) {
  document.querySelector(".rb-pdf")?.remove();
  const frame = element("iframe", "rb-pdf");
  Object.assign(frame.style, { position: "fixed", width: "0", height: "0", border: "0" });
  const picture = await (await asSvg(drawn)).text();
  frame.srcdoc = `<!doctype html><style>@page { size: ${drawn.width}px ${drawn.height}px; margin: 0 } body { margin: 0 } svg { display: block }</style>${picture}`;
  await new Promise((done) => {
    frame.onload = done;
    document.body.append(frame);
  });
  frame.contentDocument.title = name; // the browser's name for the file
  await frame.contentDocument.fonts.ready;
  frame.contentWindow.onafterprint = () => setTimeout(() => frame.remove());
  frame.contentWindow.print();
  return t("Choose “Save as PDF” where the browser asks for a printer.");
}
