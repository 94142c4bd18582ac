// A text that grows: the prompt plain, then a chip per token. When the tokens at hand are drawn
// and more are to come, it asks for them; asking again for the same ones does no harm.
// uses dom
const ASK_AGAIN_MS = 1500;
const LEGEND = [["solid", "top 1"], ["dashed", "top 10"], ["dotted", "top 100"], ["", "beyond"]];

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  if (!root.text) build(root);
  const { text } = root;
  const atEnd = text.scrollTop + text.clientHeight >= text.scrollHeight - 8;
  if (root.run !== data.run || root.prompt.textContent !== data.prompt) {
    root.run = data.run;
    root.prompt.textContent = data.prompt;
    text.replaceChildren(root.prompt);
  }
  root.prompt.classList.toggle("bare", data.bare);
  draw(text, data.chips);
  shade(root.ramp, data.ramp);
  root.note.textContent = data.note;
  root.button.textContent = data.button;
  // Of two messages that wait at the server the newer one counts: so nothing is asked for until a click
  // has been answered, or has had its time.
  const state = `${data.run}:${data.button}:${data.locked}`;
  if (state !== root.state) root.held = 0;
  root.state = state;
  const act = (name, value) => {
    root.held = performance.now() + ASK_AGAIN_MS;
    setTriggerValue(name, value);
  };
  root.button.onclick = () => act("turn", data.button);
  root.back.disabled = !data.back;
  root.forward.disabled = !data.forward;
  root.back.onclick = () => act("step", "back");
  root.forward.onclick = () => act("step", "forward");
  if (data.going && atEnd) text.scrollTop = text.scrollHeight;
  text.setAttribute("aria-busy", data.going);
  text.dataset.run = data.run;
  text.dataset.count = data.count;

  root.act = (chip) => act("click", { first: chip.first, last: chip.last });
  root.release = () => act("click", { first: -1, last: -1 });
  const place = `${data.run}:${data.count}:${data.answers}`;
  if (data.going && root.asked !== place) {
    root.asked = place;
    const ask = () => {
      if (root.asked !== place || !root.isConnected) return;
      const wait = (root.held || 0) - performance.now();
      if (wait > 0) {
        root.timer = setTimeout(ask, wait);
        return;
      }
      setTriggerValue("more", { run: data.run, count: data.count, answers: data.answers });
      root.timer = setTimeout(ask, ASK_AGAIN_MS);
    };
    clearTimeout(root.timer);
    root.timer = setTimeout(ask, 0);
  }
  if (!data.going) {
    root.asked = null;
    clearTimeout(root.timer);
  }
}

function build(root) {
  root.text = element("div", "text");
  root.text.setAttribute("role", "group");
  root.text.setAttribute("aria-label", "Continuation");
  root.text.dir = "auto";
  root.prompt = element("span", "prompt");
  root.note = element("span", "note");
  const legend = element("span", "legend");
  for (const [mark, words] of LEGEND) legend.append(element("i", mark, words));
  const ramp = element("span", "", "probability 0");
  root.ramp = element("b", "ramp");
  ramp.append(root.ramp, "1");
  legend.append(ramp);
  const foot = element("div", "foot");
  const buttons = element("div", "buttons");
  root.button = element("button", "turn");
  root.back = element("button", "step", "Back");
  root.forward = element("button", "step", "Step");
  for (const button of [root.button, root.back, root.forward]) button.type = "button";
  root.back.title = "The token before (stops)";
  root.forward.title = "One token on (stops)";
  buttons.dataset.save = "no";
  buttons.append(root.button, root.back, root.forward);
  foot.append(buttons, root.note, legend);
  const tip = element("div", "tip");
  root.append(root.text, foot, tip);

  const show = (chip) => {
    if (!chip) return;
    const box = chip.getClientRects()[0];
    const home = root.getBoundingClientRect();
    const zoom = home.width / root.offsetWidth; // presenter mode enlarges the page
    tip.textContent = chip.tip;
    const left = Math.min((box.left - home.left) / zoom, root.offsetWidth - tip.offsetWidth);
    tip.style.left = `${Math.max(0, left)}px`;
    tip.style.top = `${(box.bottom - home.top) / zoom + 6}px`;
    tip.classList.add("on");
  };
  const hide = () => tip.classList.remove("on");
  const chipOf = (event) => event.target.closest(".chip");
  root.text.addEventListener("mouseover", (event) => (chipOf(event) ? show(chipOf(event)) : hide()));
  root.text.addEventListener("mouseleave", hide);
  root.text.addEventListener("focusin", (event) => event.target.matches(":focus-visible") && show(chipOf(event)));
  root.text.addEventListener("focusout", hide);
  root.text.addEventListener("scroll", hide);
  root.text.addEventListener("click", (event) => chipOf(event) && root.act(chipOf(event)));
  root.text.addEventListener("keydown", (event) => {
    const chips = [...root.text.querySelectorAll(".chip")];
    const at = chips.indexOf(event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: chips.length - 1 }[event.key];
    if (event.key === "Escape") root.release();
    else if (at >= 0 && (event.key === "Enter" || event.key === " ")) root.act(event.target);
    else if (at >= 0 && to !== undefined) walk(chips, Math.min(Math.max(to, 0), chips.length - 1));
    else return;
    event.preventDefault();
  });
}

function walk(chips, to) {
  chips.forEach((chip, index) => (chip.tabIndex = index === to ? 0 : -1));
  chips[to].focus();
}

// Chips that did not change stay as they are; those that came are appended.
function draw(text, chips) {
  const drawn = [...text.querySelectorAll(".piece")];
  chips.forEach((chip, index) => {
    const signature = JSON.stringify(chip);
    const piece = drawn[index] || text.appendChild(newPiece());
    if (piece.signature === signature) return;
    piece.signature = signature;
    update(piece, chip, index);
  });
  for (const piece of drawn.slice(chips.length)) piece.remove();
}

function newPiece() {
  const piece = element("span", "piece");
  piece.chip = element("span", "chip");
  piece.chip.setAttribute("role", "button");
  piece.chip.tabIndex = -1;
  piece.before = document.createTextNode("");
  piece.after = document.createTextNode("");
  piece.append(piece.before, piece.chip, piece.after);
  return piece;
}

// The space before a word stays outside of its chip; a line end is shown and then made.
function update(piece, data, index) {
  const [, space, word] = data.text.match(/^( *)([^]*)$/);
  const { chip } = piece;
  piece.before.data = word ? space : "";
  piece.after.data = "\n".repeat(data.text.split("\n").length - 1);
  chip.textContent = (word || space).replaceAll("\n", "↵");
  chip.className = `chip ${data.mark}`;
  chip.classList.toggle("shown", data.shown);
  chip.style.background = data.colour;
  chip.style.color = data.ink;
  chip.first = data.first;
  chip.last = data.last;
  chip.tip = data.tip;
  if (index === 0) chip.tabIndex = 0;
  chip.setAttribute("aria-pressed", data.shown);
  chip.setAttribute("aria-label", `${data.text}: ${data.tip}`);
}

// In steps, not as a gradient: pictures that are saved have no gradients.
function shade(ramp, colours) {
  while (ramp.children.length < colours.length) ramp.append(element("i"));
  colours.forEach((colour, index) => (ramp.children[index].style.background = colour));
}
