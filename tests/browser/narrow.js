// What narrow.py asks a page. Everything is looked for through open shadow roots too.
(() => {
  const parentOf = (e) => e.assignedSlot ?? e.parentElement ?? e.getRootNode()?.host ?? null;
  const withParents = (e, until = null) => {
    const all = [];
    for (let p = e; p && p !== until; p = parentOf(p)) all.push(p);
    return all;
  };
  const within = (root) =>
    [...root.querySelectorAll("*")].flatMap((e) => [e, ...(e.shadowRoot ? within(e.shadowRoot) : [])]);
  const plain = (text) => (text ?? "").trim().replace(/\s+/g, " ");
  const classes = (e) => e.getAttribute?.("class")?.trim().split(/\s+/) ?? [];

  /** An element in words: its tag, its class, the key of the Streamlit container around it, its text. */
  const named = (e, text = e.textContent) => {
    const own = e.dataset?.testid ?? classes(e).find((name) => !/^(st-|e\w{7,})/.test(name));
    const keys = withParents(e).flatMap(classes).filter((name) => name.startsWith("st-key-"));
    const place = keys[0]?.slice("st-key-".length) ?? "the page";
    return `${e.tagName.toLowerCase()}${own ? `.${own}` : ""} in ${place}: ${plain(text).slice(0, 50)}`;
  };

  const isShown = (e) =>
    e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true });
  // Icons are ligatures, and KaTeX brings a formula a second time for screen readers.
  const isRead = (e) =>
    !["STYLE", "SCRIPT", "OPTION", "TITLE", "NOSCRIPT"].includes(e.tagName) &&
    !getComputedStyle(e).fontFamily.includes("Material Symbols") &&
    !e.closest(".katex");
  // What is for screen readers alone stands in a box of a pixel.
  const isForReadersAlone = (e) =>
    withParents(e).some((p) => {
      const [style, box] = [getComputedStyle(p), p.getBoundingClientRect()];
      if (style.clipPath === "inset(50%)") return true;
      return style.overflowX !== "visible" && style.display !== "contents" && Math.min(box.width, box.height) <= 1;
    });

  /** Every piece of text that is seen, or laid out at least, with its element and the box of each of its lines. */
  const words = (root = document, counts = isShown) =>
    within(root).flatMap((e) => {
      const nodes = [...e.childNodes].filter((n) => n.nodeType === Node.TEXT_NODE && n.textContent.trim());
      if (!nodes.length || !isRead(e) || !counts(e) || isForReadersAlone(e)) return [];
      return nodes.flatMap((node) => {
        const range = document.createRange();
        range.selectNodeContents(node);
        const boxes = [...range.getClientRects()].filter((box) => box.width > 0.5);
        return boxes.length ? [{ e, text: node.textContent, boxes }] : [];
      });
    });

  /** The nearest element that hides part of a box in it; null if a scroller comes first. */
  const cutter = (e, box) => {
    for (const p of withParents(e)) {
      const { display, overflowX, overflowY } = getComputedStyle(p);
      if (display === "contents" || p.ownerSVGElement || (overflowX === "visible" && overflowY === "visible")) continue;
      if (/auto|scroll/.test(overflowX + overflowY) || p.contains(document.body)) return null;
      const room = p.getBoundingClientRect();
      const across = Math.max(box.right - room.right, room.left - box.left);
      const down = Math.max(box.bottom - room.bottom, room.top - box.top);
      if (across > 2 || down > box.height * 0.4) return p;
    }
    return null;
  };
  const cutWords = () => words().filter(({ e, boxes }) => boxes.some((box) => cutter(e, box)));

  const sideways = (main) => {
    const over = main.scrollWidth - main.clientWidth;
    if (over <= 1) return [];
    const edge = main.getBoundingClientRect().right;
    const hides = (p) => /auto|scroll|hidden|clip/.test(getComputedStyle(p).overflowX);
    const isWide = (e) => e.getBoundingClientRect().right > edge + 1 && !withParents(parentOf(e), main).some(hides);
    const wide = within(main).filter(isWide);
    const outer = wide.filter((e) => !wide.includes(parentOf(e)));
    return [`by ${over} px`, ...outer.slice(0, 4).map((e) => named(e))];
  };

  const hasEdge = (e, part) => {
    const style = getComputedStyle(e, part);
    if (part && style.content === "none") return false;
    const widths = [style.borderLeftWidth, style.borderRightWidth, style.outlineStyle === "none" ? "0" : style.outlineWidth];
    const drawn = [style.boxShadow, style.maskImage, style.backgroundImage];
    return widths.some((width) => parseFloat(width) > 0) || drawn.some((value) => value !== "none");
  };
  const edgeless = (main) =>
    within(main)
      .filter((e) => /auto|scroll/.test(getComputedStyle(e).overflowX) && e.scrollWidth > e.clientWidth + 1 && isShown(e))
      .filter((e) => ![e, parentOf(e)].some((p) => [null, "::before", "::after"].some((part) => hasEdge(p, part))))
      .map((e) => named(e));

  const small = (smallest, texts = words()) =>
    texts.flatMap(({ e, text }) => {
      const matrix = e.ownerSVGElement ? e.getScreenCTM() : null;
      const scale = matrix ? Math.hypot(matrix.a, matrix.b) : (e.currentCSSZoom ?? 1);
      const size = parseFloat(getComputedStyle(e).fontSize) * scale;
      return size < smallest - 0.05 ? [`${size.toFixed(1)} px ${named(e, text)}`] : [];
    });

  const pictures = (root) =>
    within(root).filter((e) => ["svg", "CANVAS", "IMG"].includes(e.tagName) && !e.ownerSVGElement && isShown(e));
  const cutPictures = (main) =>
    pictures(main)
      .filter((e) => !isForReadersAlone(e) && cutter(parentOf(e), e.getBoundingClientRect()))
      .map((e) => named(e, "a picture"));

  /** The part of a box that is seen: a scroller hides the rest. What stands still in the window is over what scrolls by. */
  const inSight = (e, box) => {
    let { left, right, top, bottom } = box;
    for (const p of withParents(e)) {
      const [style, room] = [getComputedStyle(p), p.getBoundingClientRect()];
      if (style.position === "fixed") return null;
      if (style.display === "contents" || style.overflowX === "visible" || p === document.documentElement) continue;
      [left, right] = [Math.max(left, room.left), Math.min(right, room.right)];
      [top, bottom] = [Math.max(top, room.top), Math.min(bottom, room.bottom)];
    }
    return right > left && bottom > top ? { left, right, top, bottom } : null;
  };

  // Letters take the middle of a line's height; the box of a turned text says little.
  const isTurned = (e) => Math.abs((e.ownerSVGElement ? e.getScreenCTM() : null)?.b ?? 0) > 0.1;
  const overlapping = () => {
    const lines = words()
      .filter(({ e }) => !isTurned(e) && !e.closest(".tip, [aria-hidden=true]"))
      .flatMap(({ e, text, boxes }) => boxes.filter((box) => !cutter(e, box)).map((box) => ({ e, text, box: inSight(e, box) })))
      .filter(({ box }) => box)
      .map((line) => ({ ...line, height: line.box.bottom - line.box.top }))
      .map((line) => ({ ...line, top: line.box.top + line.height * 0.3, bottom: line.box.bottom - line.height * 0.3 }))
      .sort((a, b) => a.top - b.top);
    return lines.flatMap((a, i) => {
      const end = lines.findIndex((b, j) => j > i && b.top >= a.bottom);
      return lines
        .slice(i + 1, end < 0 ? undefined : end)
        .filter((b) => a.e !== b.e && Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left) >= 5)
        .map((b) => `${named(a.e, a.text)} and ${plain(b.text).slice(0, 40)}`);
    });
  };

  /** All that is wrong at the present width, by its kind. */
  const look = (smallest) => {
    const main = document.querySelector("[data-testid=stMain]");
    const cut = [...cutWords().map(({ e, text }) => named(e, text)), ...cutPictures(main)];
    const findings = { sideways: sideways(main), small: small(smallest), cut, overlapping: overlapping(), edgeless: edgeless(main) };
    return Object.fromEntries(Object.entries(findings).map(([kind, all]) => [kind, [...new Set(all)]]));
  };

  let marked = [];
  window.narrow = {
    look,
    tools: { within, withParents, plain, named, words, small, pictures, cutter, isForReadersAlone },
    /** Note the cut texts for the taps that follow; returns their names. */
    mark: () => (marked = cutWords()).map(({ e, text }) => named(e, text)),
    /** Where to tap one of them, once it is in sight. */
    place: (i) => {
      const { e } = marked[i];
      e.scrollIntoView({ block: "center", inline: "nearest" });
      const box = e.getBoundingClientRect();
      return [box.left + Math.min(box.width / 2, 20), box.top + box.height / 2];
    },
    /** How many elements show its words whole. */
    whole: (i) => {
      const wanted = plain(marked[i].e.textContent);
      const uncut = words().filter(({ e, boxes }) => boxes.every((box) => !cutter(e, box)));
      const around = uncut.flatMap(({ e }) => withParents(e).slice(0, 3));
      return new Set(around.filter((e) => plain(e.textContent).includes(wanted))).size;
    },
  };
})();
