// BertViz's neuron view opens folded, and shows a token only while the pointer is on it. Here it opens
// unfolded on a token, a click locks another, a second click or Esc releases it, the arrows walk.
(() => {
  const { chosen, inks } = /** @type {any} */ (window).bertviz_params;
  /** @type {number | null} */
  let locked = null;
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
      rows(group).forEach((row, index) => row.classList.toggle("locked", index === locked));
  };
  // Letters stay legible on whatever ground their token's weight has given them.
  const ink = () => {
    for (const row of all("#rightText > g")) {
      const weight = Number(row.querySelector(".highlight").style.opacity);
      row.querySelector("text").style.fill = inks.findLast(([from]) => weight >= from)[1];
    }
  };
  /** @param {number} index */
  const lock = (index) => {
    locked = Math.min(Math.max(index, 0), rows("expanded").length - 1);
    for (const group of ["collapsed", "expanded"]) send(rows(group)[locked], "mouseover");
    mark();
  };
  const release = () => {
    locked = null;
    for (const group of ["collapsed", "expanded"]) send(rows(group)[0], "mouseleave");
    mark();
  };
  // While a token is locked, the pointer previews no other.
  for (const type of ["mouseover", "mouseleave"])
    document.addEventListener(type, (event) => {
      if (locked !== null && !sending && rowOf(event)) event.stopPropagation();
      else requestAnimationFrame(ink); // when the view has answered
    }, true);
  document.addEventListener("click", (event) => {
    const row = rowOf(event);
    if (!row || event.target === icon(row)) return;
    const index = [...row.parentNode.children].indexOf(row);
    if (index === locked) release();
    else lock(index);
  });
  document.addEventListener("keydown", (event) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (event.key === "Escape" && locked !== null) release();
    else if (step && locked !== null) lock(locked + step);
    else return;
    event.preventDefault();
  });
  // Another choice of sentences draws everything anew, with fewer rows.
  document.addEventListener("change", () => {
    const before = locked;
    release();
    if (before !== null) setTimeout(() => lock(before));
  }, true);
  lock(chosen);
  icon(all("#collapsed .locked")[0]).dispatchEvent(new MouseEvent("click", { bubbles: false }));
})();
