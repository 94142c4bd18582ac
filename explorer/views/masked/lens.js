// The logit lens: for each model a table of the first words at every layer, and the probabilities of
// the watched words from layer to layer. One slider walks the layers of all of them, and the sentences
// above are read with that layer's best word. Arrow keys move the slider; a click on a layer goes there.
// uses dom, svg
const PLOT = { high: 158, left: 58, right: 12, top: 10, bottom: 26 };
const TELL_MS = 250; // the address follows the slider once it rests
const STEP_MS = 900;

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const view = (root.view ??= build(root));
  view.send = setTriggerValue;
  if (view.text !== data.text || view.awaited === undefined || view.awaited === data.layer) {
    view.layer = data.layer;
    view.awaited = undefined;
  }
  if (view.text !== data.text) stop(view);
  view.text = data.text;
  view.data = data;
  root.classList.toggle("tight", data.tight);
  view.slider.max = data.layers;
  fill(view);
  show(view);
  return () => stop(view);
}

function build(root) {
  const view = { root, panels: [] };
  const player = add(root, "div", "player");
  player.dataset.save = "no";
  view.play = add(player, "button", "play", "Play the layers");
  view.play.type = "button";
  view.slider = add(player, "input", "slider");
  Object.assign(view.slider, { type: "range", min: 0, step: 1 });
  view.slider.setAttribute("aria-label", "Layer");
  view.where = add(player, "span", "where");
  view.row = add(root, "div", "panels");
  view.tip = add(root, "div", "tip");
  view.tip.dataset.save = "no";
  view.slider.addEventListener("input", () => {
    stop(view);
    choose(view, Number(view.slider.value));
  });
  // A clicker's keys turn pages; they are not for the slider.
  view.slider.addEventListener("keydown", (event) => event.key.startsWith("Page") && event.preventDefault());
  view.play.addEventListener("click", () => (view.timer ? stop(view) : play(view)));
  const told = (event) => event.target.closest(".cell, .mark");
  root.addEventListener("mouseover", (event) => tell(view, told(event)));
  root.addEventListener("mouseleave", () => tell(view, null));
  root.addEventListener("click", (event) => {
    const line = event.target.closest(".layer");
    if (!line) return;
    stop(view);
    choose(view, line.shared);
  });
  new ResizeObserver(() => view.data && draw(view)).observe(root);
  return view;
}

function tell(view, mark) {
  view.tip.classList.toggle("on", Boolean(mark?.told));
  if (!mark?.told) return;
  view.tip.textContent = mark.told;
  const [box, home] = [mark.getBoundingClientRect(), view.root.getBoundingClientRect()];
  const zoom = home.width / view.root.offsetWidth; // presenter mode enlarges the page
  const left = (box.left - home.left) / zoom;
  view.tip.style.left = `${Math.max(Math.min(left, view.root.offsetWidth - view.tip.offsetWidth), 0)}px`;
  view.tip.style.top = `${(box.bottom - home.top) / zoom + 3}px`;
}

function fill(view) {
  const signature = JSON.stringify(view.data.panels);
  if (view.filled === signature) return;
  view.filled = signature;
  view.tip.classList.remove("on");
  view.panels = view.data.panels.map((panel) => {
    const box = add(null, "section", "panel");
    add(box, "p", "title", panel.title);
    const read = add(box, "p", "read");
    const table = add(box, "div", "table");
    table.setAttribute("role", "table");
    table.setAttribute("aria-label", panel.label);
    const lines = panel.layers.map((layer, number) => {
      const line = add(table, "div", "layer");
      line.setAttribute("role", "row");
      // Models of different depth: the slider goes as far through each as through the deepest.
      line.shared = Math.round((number * view.data.layers) / Math.max(panel.layers.length - 1, 1));
      add(line, "span", "name", layer.name).setAttribute("role", "rowheader");
      for (const word of layer.words) {
        const cell = add(line, "span", "cell");
        cell.setAttribute("role", "cell");
        cell.told = word.tip;
        cell.setAttribute("aria-label", word.tip);
        add(cell, "i", "fill").style.width = `${100 * word.probability}%`;
        add(cell, "span", "word", word.text);
      }
      return line;
    });
    const plot = node("svg");
    plot.setAttribute("role", "img");
    plot.setAttribute("aria-label", panel.says);
    const legend = add(box, "p", "legend");
    box.append(plot);
    panel.lines.forEach((line) => {
      const item = add(legend, "span", "item");
      const sign = node("svg", { viewBox: "-13 -13 26 26", class: "sign" });
      sign.append(node("path", { d: line.path, class: `c${line.colour}` }));
      item.append(sign, add(null, "b", "", line.name));
      line.place = add(item, "span", "now");
    });
    return { panel, box, read, lines, plot };
  });
  view.row.replaceChildren(...view.panels.map((panel) => panel.box));
}

// Which of a panel's layers the slider stands on.
function at(view, panel) {
  return Math.round((view.layer * (panel.layers.length - 1)) / Math.max(view.data.layers, 1));
}

function show(view) {
  view.slider.value = view.layer;
  view.where.textContent = view.layer ? `after layer ${view.layer}` : "the embedding";
  view.slider.setAttribute("aria-valuetext", view.where.textContent);
  view.play.textContent = view.timer ? "Stop" : "Play the layers";
  for (const { panel, read, lines } of view.panels) {
    const now = at(view, panel);
    lines.forEach((line, number) => line.classList.toggle("now", number === now));
    const best = panel.layers[now].words[0];
    read.replaceChildren(panel.before, add(null, "b", "guess", best.text), panel.after);
    for (const line of panel.lines) line.place.textContent = line.points[now].short;
  }
  draw(view);
}

function draw(view) {
  for (const { panel, plot } of view.panels) {
    const wide = plot.clientWidth || 480;
    const { left, right, top, bottom } = PLOT;
    const high = plot.clientHeight || PLOT.high;
    plot.setAttribute("viewBox", `0 0 ${wide} ${high}`);
    const last = Math.max(panel.layers.length - 1, 1);
    const x = (layer) => left + ((wide - left - right) * layer) / last;
    const y = (height) => top + (high - top - bottom) * (1 - height);
    const now = at(view, panel);
    const made = [node("line", { x1: x(now), x2: x(now), y1: top - 6, y2: high - bottom, class: "cursor" })];
    for (const tick of view.data.ticks) {
      made.push(node("line", { x1: left, x2: wide - right, y1: y(tick.height), y2: y(tick.height), class: "grid" }));
      made.push(text(left - 8, y(tick.height) + 5, tick.text, "end"));
    }
    const every = Math.ceil(panel.layers.length / 13);
    panel.layers.forEach((_, layer) => {
      if (layer % every === 0) made.push(text(x(layer), high - 6, layer ? String(layer) : "emb", "middle", layer === now));
    });
    for (const line of panel.lines) {
      const places = line.points.map((point, layer) => `${x(layer).toFixed(1)},${y(point.height).toFixed(1)}`);
      made.push(node("polyline", { points: places.join(" "), class: `c${line.colour}` }));
    }
    for (const line of panel.lines) {
      line.points.forEach((point, layer) => {
        const size = layer === now ? 0.85 : 0.6;
        const mark = node("path", { d: line.path, class: `mark c${line.colour}`, transform: `translate(${x(layer)},${y(point.height)}) scale(${size})` });
        mark.told = point.tip;
        made.push(mark);
      });
    }
    plot.replaceChildren(...made);
  }
}

function choose(view, layer) {
  if (layer === view.layer) return;
  view.layer = view.awaited = layer;
  show(view);
  clearTimeout(view.telling);
  view.telling = setTimeout(() => view.send("layer", layer), TELL_MS);
}

function play(view) {
  const step = () => {
    const next = view.layer + 1;
    view.timer = next < view.data.layers ? setTimeout(step, STEP_MS) : null;
    choose(view, next);
    show(view);
  };
  if (view.layer < view.data.layers) return step();
  view.timer = setTimeout(step, STEP_MS);
  choose(view, 0);
}

function stop(view) {
  if (!view.timer) return;
  clearTimeout(view.timer);
  view.timer = null;
  if (view.data) show(view);
}

function text(x, y, words, anchor, strong = false) {
  const made = node("text", { x, y, "text-anchor": anchor, class: strong ? "strong" : "" });
  made.textContent = words;
  return made;
}
