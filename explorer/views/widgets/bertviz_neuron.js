// BertViz's neuron view opens folded, and shows a token only while the pointer is on it. Here it opens
// unfolded on a token, a click holds another, a second click or Esc releases it, the arrows walk.
(() => {
  const { chosen, inks } = /** @type {any} */ (window).bertviz_params;
  /** @type {number | null} */
  let held = null;
  let sending = false;
  /**
   * @param {string} selector
   * @returns {any[]} elements of BertViz's, whose page has no types
   */
  const all = (selector) => [...document.querySelectorAll(selector)];
  const rows = (group) => all(`#${group} #leftText > g`);
  const rowOf = (event) => event.target.closest?.("#leftText > g");
  const icon = (row) => row.lastElementChild;
  const send = (row, type) => {
    sending = true;
    row.dispatchEvent(new MouseEvent(type, { bubbles: type === "mouseover" }));
    sending = false;
  };
  const mark = () => {
    for (const group of ["expanded", "collapsed"])
      rows(group).forEach((row, index) => row.classList.toggle("held", index === held));
  };
  // Letters stay legible on whatever ground their token's weight has given them.
  const ink = () => {
    for (const row of all("#rightText > g")) {
      const weight = Number(row.querySelector(".highlight").style.opacity);
      row.querySelector("text").style.fill = inks.findLast(([from]) => weight >= from)[1];
    }
  };
  /** @param {number} index */
  const hold = (index) => {
    held = Math.min(Math.max(index, 0), rows("expanded").length - 1);
    for (const group of ["collapsed", "expanded"]) send(rows(group)[held], "mouseover");
    mark();
  };
  const release = () => {
    held = null;
    for (const group of ["collapsed", "expanded"]) send(rows(group)[0], "mouseleave");
    mark();
  };
  // While a token is held, the pointer previews no other.
  for (const type of ["mouseover", "mouseleave"])
    document.addEventListener(type, (event) => {
      if (held !== null && !sending && rowOf(event)) event.stopPropagation();
      else requestAnimationFrame(ink); // when the view has answered
    }, true);
  document.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (!row || event.target === icon(row)) return;
    const index = [...row.parentNode.children].indexOf(row);
    if (index === held) release();
    else hold(index);
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape" && held !== null) release();
    else if (step && held !== null) hold(held + step);
    else return;
    event.preventDefault();
  });
  // Another choice of sentences draws everything anew, with fewer rows.
  document.addEventListener("change", () => {
    const before = held;
    release();
    if (before !== null) setTimeout(() => hold(before));
  }, true);
  hold(chosen);
  icon(all("#collapsed .held")[0]).dispatchEvent(new MouseEvent("click", { bubbles: false }));
})();
