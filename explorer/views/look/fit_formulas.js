// In presenter mode the formulas of a view are shown if the window has room for them below the picture.

const GAP_PX = 8;
const here = document.documentElement.dataset; // presenter.css shows them by it

/** @type {ResizeObserver | undefined} */
let watch;

export function fitFormulas() {
  watch?.disconnect();
  const picture = document.querySelector(".st-key-picture");
  const formulas = document.querySelector(".st-key-formulas");
  delete here.rbFormulas;
  if (!picture || !formulas) return;
  const fit = () => {
    const room = innerHeight - GAP_PX - picture.getBoundingClientRect().bottom;
    here.rbFormulas = formulas.getBoundingClientRect().height <= room ? "shown" : "hidden";
  };
  watch = new ResizeObserver(fit);
  for (const part of [picture, formulas, document.documentElement]) watch.observe(part);
}
