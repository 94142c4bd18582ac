// Escape closes the meaning of a term, wherever the pointer and the focus are; they open it again.
import { connect } from "../widgets/connect.js";

/** @param {any} root */
export function draw(root) {
  if (root.listening) return undefined;
  root.listening = true;
  const listen = (event) => event.key === "Escape" && document.querySelectorAll(".rb-term:is(:hover, :focus)").forEach(close);
  document.addEventListener("keydown", listen);
  return () => {
    root.listening = false;
    document.removeEventListener("keydown", listen);
  };
}

/** @param {Element} term */
function close(term) {
  term.classList.add("rb-closed");
  const open = () => term.classList.remove("rb-closed");
  for (const again of ["pointerenter", "focus", "blur"]) term.addEventListener(again, open, { once: true });
}

export default connect(draw);
