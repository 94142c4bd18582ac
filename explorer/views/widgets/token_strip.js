// A line of tokens as buttons: hover tells, click acts, arrow keys walk.
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.setAttribute("role", "group");
  root.setAttribute("aria-label", data.label);
  root.classList.toggle("active", data.active);
  root.style.position = "relative";
  const signature = JSON.stringify(data.tokens);
  if (root.signature !== signature) {
    root.signature = signature;
    draw(root, data.tokens);
  }
  root.onclick = (event) => {
    const button = event.target.closest("button");
    if (button && data.active) setTriggerValue("click", Number(button.dataset.index));
  };
  root.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const buttons = [...root.querySelectorAll("button")];
    const at = buttons.indexOf(event.target);
    if (step && at >= 0) {
      buttons[(at + step + buttons.length) % buttons.length].focus();
      event.preventDefault();
    }
  };
}

function draw(root, tokens) {
  const focused = root.getRootNode().activeElement?.dataset?.index;
  const tip = document.createElement("div");
  tip.className = "tip";
  const buttons = tokens.map((token, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.index = index;
    button.textContent = token.text;
    for (const name of ["selected", "quiet", "glued"]) button.classList.toggle(name, Boolean(token[name]));
    if (token.mark) button.classList.add(token.mark);
    if (token.colour) button.style.background = token.colour;
    if (token.ink) button.style.color = token.ink;
    button.setAttribute("aria-pressed", Boolean(token.selected));
    if (token.title) button.setAttribute("aria-label", `${token.text}: ${token.title}`);
    const show = () => {
      if (!token.title) return;
      tip.textContent = token.title;
      tip.style.left = `${button.offsetLeft + button.offsetWidth / 2}px`;
      tip.style.top = `${button.offsetTop + button.offsetHeight}px`;
      tip.classList.add("on");
    };
    const hide = () => tip.classList.remove("on");
    button.addEventListener("mouseenter", show);
    button.addEventListener("focus", show);
    button.addEventListener("mouseleave", hide);
    button.addEventListener("blur", hide);
    return button;
  });
  root.replaceChildren(...buttons, tip);
  if (focused !== undefined) buttons[focused]?.focus({ preventScroll: true });
}
