// A continuation, step by step: the token that is being chosen stands in a frame, and the darker a token
// before it, the more of the model's attention was on it then. What is still to be written keeps its
// place but is not shown, so that a class can guess first.
// uses dom
const PLAY_MS = 900;
const TOLD = 5;
const SCALES = [0.05, 0.1, 0.2, 0.5, 1];

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.view ??= build(root);
  const view = root.view;
  const fresh = view.run !== data.run;
  view.data = data;
  if (fresh || view.sent === undefined || view.sent === data.step) {
    view.step = Math.min(data.step, data.steps - 1);
    view.sent = undefined;
  }
  if (fresh) stop(view);
  view.run = data.run;
  view.tell = () => {
    if (view.step === data.step && view.sent === undefined) return;
    view.sent = view.step;
    setTriggerValue("step", view.step);
  };
  view.turn = (on) => setTriggerValue("first", on);
  draw(view);
  show(view);
}

function build(root) {
  const view = { root };
  const line = add(root, "p", "line");
  view.says = add(line, "span", "says");
  view.says.setAttribute("aria-live", "polite");
  view.text = add(root, "div", "text");
  view.text.setAttribute("role", "group");
  view.text.setAttribute("aria-label", "The text; a written token shows what its choice looked at");
  const bar = add(root, "div", "bar");
  bar.dataset.save = "no";
  const button = (name, label, act) => {
    const made = add(bar, "button", "turn", name);
    made.type = "button";
    made.setAttribute("aria-label", label);
    made.onclick = act;
    return made;
  };
  button("‹", "The token before", () => (stop(view), go(view, view.step - 1)));
  view.player = button("Play", "Play", () => (view.timer ? stop(view) : play(view)));
  button("›", "The next token", () => (stop(view), go(view, view.step + 1)));
  view.slider = add(bar, "input", "slider");
  view.slider.type = "range";
  view.slider.min = 1;
  view.slider.setAttribute("aria-label", "Which new token");
  view.slider.oninput = () => (stop(view), go(view, Number(view.slider.value) - 1));
  view.count = add(bar, "span", "count");
  const label = add(bar, "label", "first");
  view.first = add(label, "input");
  view.first.type = "checkbox";
  label.append("first token counts");
  label.title = "Heads rest on the first token of a text; without it the others are rescaled to sum to 1.";
  view.first.onchange = () => view.turn(view.first.checked);
  const tables = add(root, "div", "tables");
  view.looked = add(tables, "div", "looked");
  view.then = add(tables, "div", "then");
  view.text.addEventListener("click", (event) => {
    const index = event.target.closest?.("[data-index]")?.dataset.index;
    if (index === undefined || Number(index) < view.data.prompt) return;
    stop(view);
    go(view, Number(index) - view.data.prompt);
  });
  view.text.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    stop(view);
    go(view, view.step + step);
    view.text.querySelector(".now")?.focus();
    event.preventDefault();
    event.stopPropagation();
  });
  const point = (event) => {
    const index = event.target.closest?.("[data-index]")?.dataset.index;
    view.pointed = index === undefined ? undefined : Number(index);
    say(view);
  };
  view.text.addEventListener("pointerover", point);
  view.text.addEventListener("pointerleave", () => ((view.pointed = undefined), say(view)));
  return view;
}

function go(view, step) {
  view.step = Math.min(Math.max(step, 0), view.data.steps - 1);
  show(view);
  clearTimeout(view.waiting);
  if (!view.timer) view.waiting = setTimeout(view.tell, 400);
}

function play(view) {
  if (view.step === view.data.steps - 1) go(view, 0);
  view.timer = setInterval(() => {
    if (!view.root.isConnected) return clearInterval(view.timer);
    if (view.step === view.data.steps - 1) return stop(view);
    go(view, view.step + 1);
  }, PLAY_MS);
  view.player.textContent = "Stop";
  view.player.setAttribute("aria-label", "Stop");
}

function stop(view) {
  if (!view.timer) return;
  clearInterval(view.timer);
  view.timer = null;
  view.player.textContent = "Play";
  view.player.setAttribute("aria-label", "Play");
  view.waiting = setTimeout(view.tell, 100);
}

function draw(view) {
  const { tokens, prompt, steps } = view.data;
  const signature = JSON.stringify(tokens);
  view.slider.max = steps;
  view.first.checked = view.data.first;
  if (view.signature === signature) return;
  view.signature = signature;
  view.text.replaceChildren();
  view.chips = tokens.map(({ text }, index) => {
    const [, space, word] = text.match(/^( *)([^]*)$/);
    view.text.append(word ? space : "");
    const chip = add(view.text, "span", index < prompt ? "chip given" : "chip made");
    chip.textContent = (word || space).replaceAll("\n", "↵");
    chip.dataset.index = index;
    if (index >= prompt) chip.setAttribute("role", "button");
    view.text.append("\n".repeat(text.split("\n").length - 1));
    return chip;
  });
}

function show(view) {
  const { rows, prompt, steps } = view.data;
  const row = rows[view.step];
  const most = Math.max(...row, 1);
  const now = prompt + view.step;
  const hex = getComputedStyle(view.root).getPropertyValue("--rb-attention-1").trim();
  const hue = [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
  view.chips.forEach((chip, index) => {
    const part = index < now ? row[index] / most : 0;
    chip.style.background = part ? `rgb(${hue.join(" ")} / ${part.toFixed(3)})` : "";
    chip.classList.toggle("strong", part > 0.52);
    chip.classList.toggle("now", index === now);
    chip.classList.toggle("asks", index === now - 1);
    chip.classList.toggle("ahead", index > now);
    chip.tabIndex = index === now ? 0 : -1;
    if (index >= prompt) chip.setAttribute("aria-label", index > now ? "still to come" : `token ${index - prompt + 1}, ${view.data.tokens[index].text}`);
  });
  bring(view.text, view.chips[now]);
  view.slider.value = view.step + 1;
  view.slider.setAttribute("aria-valuetext", `token ${view.step + 1} of ${steps}`);
  view.count.textContent = `new token ${view.step + 1} of ${steps}`;
  const order = [...row.keys()].sort((a, b) => row[b] - row[a]).slice(0, TOLD).filter((i) => row[i] > 0);
  const entries = order.map((i) => ({ text: name(view, i), part: row[i] / 10000, full: most / 10000 }));
  table(view, view.looked, `looked at by ${view.data.who}`, "attention", entries);
  const { candidates } = view.data;
  const likely = Math.max(...candidates[view.step].map((c) => c.probability));
  const full = SCALES.find((scale) => scale >= likely) ?? 1;
  table(view, view.then, `what could come next; a full bar is ${full}`, "probability", candidates[view.step].map((c) => ({ text: c.text, part: c.probability, full, taken: c.taken })));
  say(view);
}

function say(view) {
  const { rows, prompt, tokens } = view.data;
  const now = prompt + view.step;
  const row = rows[view.step];
  const strong = (text) => Object.assign(document.createElement("b"), { textContent: text });
  const at = view.pointed;
  if (at !== undefined && at < now) view.says.replaceChildren("On ", strong(name(view, at)), ` lay ${(row[at] / 10000).toFixed(4)} of the attention when `, strong(name(view, now)), " was chosen");
  else if (!row.some((part) => part > 0)) view.says.replaceChildren("Choosing ", strong(name(view, now)), ": nothing but the first token was looked at");
  else view.says.replaceChildren("Choosing ", strong(name(view, now)), ": the model stands on ", strong(name(view, now - 1)), ` and looks back over ${now} token${now > 1 ? "s" : ""}`);
}

const name = (view, index) => view.data.tokens[index].name;

function table(view, home, heading, kind, entries) {
  home.replaceChildren();
  add(home, "p", "heading", heading);
  for (const { text, part, full, taken } of entries) {
    const row = add(home, "p", `entry ${kind}${taken ? " taken" : ""}`);
    add(row, "span", "token", text);
    const bar = add(add(row, "i", "track"), "i", "fill");
    bar.style.width = `${(100 * part) / full}%`;
    add(row, "span", "number", part.toFixed(3));
    add(row, "span", "mark", taken ? "taken" : "");
  }
}

// Scroll a box, and nothing around it, until one of its parts is in view.
function bring(box, part) {
  if (!part) return;
  const [inner, outer] = [part.getBoundingClientRect(), box.getBoundingClientRect()];
  const zoom = outer.height / box.offsetHeight || 1; // presenter mode enlarges the page
  if (inner.top < outer.top) box.scrollTop -= (outer.top - inner.top) / zoom + 4;
  else if (inner.bottom > outer.bottom) box.scrollTop += (inner.bottom - outer.bottom) / zoom + 4;
}
