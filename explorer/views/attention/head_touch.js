// Pointer and keys in the picture: hover previews, a click locks, a click on the other side makes a pair,
// Esc releases, arrow keys walk the tokens of a column, or else the heads and layers.
import { partOf } from "../widgets/dom.js";
import { pointing } from "../widgets/pointing.js";
import { arrow, remember } from "../widgets/roving.js";
import { paintLines } from "./head_paint.js";

// A place in the picture is a token on one side, or a pair.
const same = (a, b) => a?.side === b?.side && a?.at === b?.at && a?.other === b?.other;

export function listen(view) {
  const tokenAt = (event) => {
    const token = partOf(event, ".token");
    return token && { side: token.parentNode.className, at: Number(token.dataset.index) };
  };
  const cellAt = (event) => {
    const box = view.map.getBoundingClientRect();
    const index = (offset, size) => Math.min(view.n - 1, Math.max(0, Math.floor((offset / size) * view.n)));
    return {
      side: "from",
      at: index(event.clientY - box.top, box.height),
      other: index(event.clientX - box.left, box.width),
    };
  };
  const pointed = (event) => (view.map.contains(event.target) ? cellAt(event) : tokenAt(event)) ?? null;
  // While a token is locked, one on the other side makes a pair.
  const paired = (spot) => {
    const { locked } = view.state;
    return locked && spot && spot.other === undefined && spot.side !== locked.side ? { ...locked, other: spot.at } : spot;
  };
  const preview = (pointed) => {
    const spot = paired(pointed);
    if (same(spot, view.preview)) return;
    view.preview = spot;
    view.show();
    paintLines(view);
  };
  const toggle = (pointed) => {
    const { locked } = view.state;
    const spot = paired(pointed);
    view.preview = null;
    if (!same(spot, locked)) view.change({ locked: spot });
    else view.change({ locked: spot.other === undefined ? null : { side: spot.side, at: spot.at } });
  };
  pointing(view.stage, (event) => preview(pointed(event)), () => preview(null));
  view.stage.addEventListener("focusin", (event) => view.root.classList.contains("keys") && preview(tokenAt(event) ?? null));
  view.stage.addEventListener("focusout", () => preview(null));
  // A click leaves the focus on the picture, so that the arrow keys still walk the heads; the focus is
  // outlined only for people who use the keyboard.
  view.stage.addEventListener("mousedown", (event) => {
    event.preventDefault();
    view.root.classList.remove("keys");
    view.stage.focus({ preventScroll: true });
  });
  for (const column of [view.from, view.to]) remember(column, () => [...column.children], true);
  view.root.addEventListener("keyup", () => view.root.classList.add("keys"));
  view.stage.addEventListener("click", (event) => {
    const spot = pointed(event);
    if (spot) toggle(spot);
  });
  view.stage.addEventListener("keydown", (event) => {
    const token = tokenAt(event);
    const [heads, down] = arrow(event) ?? [0, 0];
    if (event.key === "Escape" && view.state.locked) view.change({ locked: null });
    else if (heads) walk(view, 0, heads);
    else if (down && token) view[token.side].children[(token.at + down + view.n) % view.n].focus({ preventScroll: true });
    else if (down) walk(view, down, 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

// Go to the neighbouring head, which is then drawn alone, or to the same heads of the neighbouring layer.
function walk(view, layers, heads) {
  const layer = view.state.layer + layers;
  const head = view.state.head + heads;
  if (layer < 0 || layer >= view.data.layers || head < 0 || head >= view.data.heads) return;
  view.change(heads ? { head, on: [head] } : { layer });
}
