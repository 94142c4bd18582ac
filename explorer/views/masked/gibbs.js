// One frame written in several ways at once, a step of each at a time. The page makes steps as this asks
// for them, a little ahead of what is shown, so that nothing runs for somebody who has gone; walking
// back and forth through what there is needs nobody. A click on a way shows its candidates.
// uses dom, svg
const AHEAD = 40; // steps
const STEP_MS = { slow: 900, fast: 90 };
const ASK_AGAIN_MS = 4000;

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  const view = (root.view ??= build(root));
  view.send = setTriggerValue;
  if (view.run !== data.run) {
    stop(view);
    Object.assign(view, { run: data.run, step: 0, asked: null });
    fill(view, data);
  }
  view.data = data;
  view.slider.max = data.steps;
  show(view);
  return () => stop(view);
}

function build(root) {
  const view = { root, ways: [], chosen: 0 };
  const player = add(root, "div", "player");
  player.dataset.save = "no";
  view.play = button(player, "turn", "Write", () => (view.timer ? stop(view) : play(view)));
  view.back = arrow(player, "One step back", "M13 4.5L6 10l7 5.5z", () => go(view, view.step - 1));
  view.on = arrow(player, "One step on", "M7 4.5L14 10l-7 5.5z", () => go(view, view.step + 1));
  view.slider = add(player, "input", "slider");
  Object.assign(view.slider, { type: "range", min: 0, step: 1 });
  view.slider.setAttribute("aria-label", "Step");
  view.slider.addEventListener("input", () => go(view, Number(view.slider.value)));
  view.slider.addEventListener("keydown", (event) => event.key.startsWith("Page") && event.preventDefault());
  view.where = add(player, "span", "where");
  view.speed = button(player, "small wide", "Faster", () => {
    view.fast = !view.fast;
    view.speed.textContent = view.fast ? "Slower" : "Faster";
  });
  view.list = add(root, "div", "ways");
  return view;
}

function fill(view, data) {
  view.ways = data.ways.map((way, number) => {
    const box = add(null, "section", "way");
    const head = button(box, "head", "", () => {
      view.chosen = number;
      show(view);
    });
    add(head, "b", "", way.name);
    const says = add(head, "span", "says");
    const text = add(box, "p", "text");
    const guesses = add(box, "p", "guesses");
    return { box, head, says, text, guesses };
  });
  view.list.replaceChildren(...view.ways.map((way) => way.box));
}

function show(view) {
  const { data } = view;
  const made = Math.max(...data.ways.map((way) => way.steps.length));
  view.step = Math.min(view.step, made);
  view.slider.value = view.step;
  view.slider.style.setProperty("--made", `${(100 * made) / Math.max(data.steps, 1)}%`);
  view.where.textContent = `step ${view.step} of ${data.steps}`;
  view.play.textContent = view.timer ? "Pause" : view.step >= data.steps ? "Write again" : view.step ? "Go on" : "Write";
  view.back.disabled = view.step === 0;
  view.on.disabled = view.step >= data.steps;
  data.ways.forEach((way, number) => draw(view, way, view.ways[number], number === view.chosen));
  ask(view, made);
}

// The text of a way as it stood after so many steps, with the step at which each word came.
function draw(view, way, parts, chosen) {
  const reached = Math.min(view.step, way.steps.length);
  const words = way.start.map((word) => ({ text: word, when: 0, told: "" }));
  let blanks = way.blanks;
  for (let i = 0; i < reached; i += 1) {
    for (const [place, word] of way.steps[i].shown) words[place] = { ...words[place], text: word };
    const place = way.steps[i].place;
    words[place] = { ...words[place], when: i + 1, told: way.steps[i].told };
  }
  const now = reached && view.step <= way.steps.length ? way.steps[reached - 1] : null;
  const nodes = way.frame.flatMap((part) => {
    if (part.text !== undefined) return [add(null, "span", part.glued ? "fixed glued" : "fixed", part.text)];
    const { text, when, told } = words[part.place];
    const joined = text.startsWith("##") && text.length > 2;
    const word = add(null, "span", `word${joined ? " glued" : ""}${now?.place === part.place ? " now" : ""}${when ? "" : " open"}`);
    add(word, "span", "token", joined ? text.slice(2) : text);
    add(word, "sub", "", when ? String(when) : "·");
    if (told) word.title = told;
    return [word];
  });
  parts.text.replaceChildren(...nodes);
  parts.box.classList.toggle("chosen", chosen);
  parts.head.setAttribute("aria-pressed", chosen);
  const done = way.steps.length === way.total && view.step >= way.total;
  parts.says.textContent = done && way.total < view.data.steps ? `written in ${way.total} steps` : now ? now.says : way.says;
  parts.guesses.hidden = !chosen;
  const shown = reached ? way.steps[reached - 1].candidates : [];
  const lead = add(null, "span", "lead", reached ? `what it expected at step ${reached}` : "what it expects is shown here, step by step");
  parts.guesses.replaceChildren(lead, ...shown.map((guess) => {
    const item = add(null, "span", `guess${guess.taken ? " taken" : ""}`);
    add(item, "i", "").style.width = `${100 * guess.probability}%`;
    add(item, "span", "token", guess.text);
    add(item, "span", "number", guess.number);
    return item;
  }));
}

function ask(view, made) {
  const { data } = view;
  const place = `${data.run}:${data.made}`;
  const wanted = made < data.steps && made < view.step + AHEAD;
  if (!wanted || view.asked === place) return;
  view.asked = place;
  const again = () => {
    if (view.asked !== place || !view.root.isConnected) return;
    view.send("more", { run: data.run, made: data.made });
    view.asking = setTimeout(again, ASK_AGAIN_MS);
  };
  clearTimeout(view.asking);
  view.asking = setTimeout(again, 0);
}

function go(view, step) {
  stop(view);
  view.step = Math.min(Math.max(step, 0), view.data.steps);
  show(view);
}

function play(view) {
  if (view.step >= view.data.steps) view.step = 0;
  const tick = () => {
    view.step += 1;
    view.timer = view.step < view.data.steps ? setTimeout(tick, STEP_MS[view.fast ? "fast" : "slow"]) : null;
    show(view);
  };
  view.timer = setTimeout(tick, 0);
  show(view);
}

function stop(view) {
  if (!view.timer) return;
  clearTimeout(view.timer);
  view.timer = null;
  if (view.data) show(view);
}

function button(parent, name, words, act) {
  const made = add(parent, "button", name, words);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function arrow(parent, label, d, act) {
  const made = button(parent, "small", "", act);
  made.setAttribute("aria-label", label);
  const svg = node("svg", { viewBox: "0 0 20 20" });
  svg.append(node("path", { d }));
  made.append(svg);
  return made;
}
