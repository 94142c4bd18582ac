// BertViz's neuron view opens folded, and shows a token only while the pointer is on it. Here it opens
// unfolded on a token, a click locks another, a second click or Esc releases it, the arrows walk.
(() => {
  const rows = (group) => [...document.querySelectorAll(`#${group} #leftText > g`)];
  const rowOf = (event) => event.target.closest?.("#leftText > g");
  /** @type {number | null} */
  let locked = null;
  let sending = false;
  /** @param {number | null} index the token to lock, or null for none */
  const lock = (index) => {
    const type = index === null ? "mouseleave" : "mouseover";
    const event = { bubbles: type === "mouseover" };
    locked = index === null ? null : Math.min(Math.max(index, 0), rows("expanded").length - 1);
    sending = true;
    for (const group of ["collapsed", "expanded"]) {
      rows(group)[locked ?? 0].dispatchEvent(new MouseEvent(type, event));
      rows(group).forEach((row, i) => row.classList.toggle("locked", i === locked));
    }
    sending = false;
  };
  // While a token is locked, the pointer previews no other.
  for (const type of ["mouseover", "mouseleave"]) {
    document.addEventListener(type, (event) => {
      if (locked !== null && !sending && rowOf(event)) event.stopPropagation();
    }, true);
  }
  document.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (!row || event.target === row.lastElementChild) return; // that one folds the view
    const index = [...row.parentNode.children].indexOf(row);
    lock(index === locked ? null : index);
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (locked === null || (!step && event.key !== "Escape")) return;
    lock(step ? locked + step : null);
    event.preventDefault();
  });
  // Another choice of sentences draws everything again, with fewer rows.
  document.addEventListener("change", () => {
    const before = locked;
    lock(null);
    if (before !== null) setTimeout(() => lock(before));
  }, true);
  const { chosen } = /** @type {any} */ (window).bertviz_params;
  lock(chosen);
  rows("collapsed")[chosen].lastElementChild?.dispatchEvent(new MouseEvent("click"));
})();
