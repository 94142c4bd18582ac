// What stage.py asks a page in presenter mode. narrow.js is on the page already, and finds the texts.
(() => {
  const { within, withParents, named, words, small, pictures, cutter, isForReadersAlone } = window.narrow.tools;
  const PARTS = {
    title: "h1",
    question: ".rb-question",
    count: ".st-key-question .rb-answered",
    "question in the middle": ".st-key-asked",
    class: ".st-key-poll",
    strip: ".st-key-strip",
    picture: ".st-key-picture",
  };
  const OVER = ".st-key-picture, .st-key-poll, .st-key-asked, .st-key-strip";
  const TAPE = ".st-key-vectors-reading"; // the text that runs by while a model learns goes beyond its edges
  const GIVE = 2; // px, of rounding

  // What is covered is laid out all the same, and runs off the stage no less; what lies below the class's answers does not count.
  const isLaidOut = (e) => e.checkVisibility({ opacityProperty: true });
  const parts = () =>
    Object.entries(PARTS).flatMap(([name, selector]) => {
      const e = document.querySelector(`[data-testid=stMain] ${selector}`);
      const box = e?.getBoundingClientRect();
      return e && box.width && box.height && isLaidOut(e) && e.textContent !== "" ? [{ name, e, box }] : [];
    });
  const scrolls = (e) => {
    const { overflowX, overflowY } = getComputedStyle(e);
    const down = /auto|scroll/.test(overflowY) && e.scrollHeight > e.clientHeight + GIVE;
    return e.clientHeight > 0 && (down || (/auto|scroll/.test(overflowX) && e.scrollWidth > e.clientWidth + GIVE));
  };
  const isOutside = (box) =>
    box.left < -GIVE || box.top < -GIVE || box.right > innerWidth + GIVE || box.bottom > innerHeight + GIVE;
  // A part of a scroller that is out of sight is reported once, with the scroller.
  const scrollerOf = (e) => withParents(e).find((p) => p.closest?.(OVER) && scrolls(p));
  const pairs = (list) => list.flatMap((a, i) => list.slice(i + 1).map((b) => [a, b]));
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > GIVE && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > GIVE;

  /** All that is wrong on the stage, by its kind. @param {number} smallest px of a letter */
  window.stage = (smallest) => {
    const all = parts();
    const texts = all.flatMap(({ e }) => words(e, isLaidOut));
    const drawn = all.flatMap(({ e }) => pictures(e)).filter((e) => !isForReadersAlone(e));
    const places = [
      ...texts.flatMap(({ e, text, boxes }) => boxes.map((box) => ({ e, name: named(e, text), box }))),
      ...drawn.map((e) => ({ e, name: named(e, "a picture"), box: e.getBoundingClientRect() })),
    ].filter(({ e }) => !scrollerOf(e) && !withParents(e).some((p) => p.matches?.(TAPE)));
    const findings = {
      outside: [...all, ...places].filter(({ box }) => isOutside(box)).map(({ name }) => name),
      cut: places.filter(({ e, box }) => cutter(e, box)).map(({ name }) => name),
      overlapping: pairs(all).filter(([a, b]) => overlap(a.box, b.box)).map(([a, b]) => `${a.name} and ${b.name}`),
      small: small(smallest, all.flatMap(({ e }) => words(e))),
      scrolling: all.flatMap(({ e }) => [e, ...within(e)]).filter(scrolls).map((e) => named(e)),
    };
    return Object.fromEntries(Object.entries(findings).map(([kind, names]) => [kind, [...new Set(names)]]));
  };
})();
