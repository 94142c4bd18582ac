// Running text under a reading head: the centre word stays in the middle, its context is lit, and the
// text passes by as the model learns.
export default function ({ parentElement, data }) {
  const root = parentElement.querySelector(".root");
  if (!root.parts) {
    root.setAttribute("role", "group");
    root.parts = ["before", "centre", "after"].map((name) => {
      const part = document.createElement("div");
      part.className = name;
      root.append(part);
      return part;
    });
  }
  root.setAttribute("aria-label", data.label);
  const word = ({ text, lit }) => {
    const made = document.createElement("span");
    made.textContent = text;
    made.className = lit ? "lit" : "";
    return made;
  };
  const [before, centre, after] = root.parts;
  before.replaceChildren(...data.before.map(word));
  centre.textContent = data.centre;
  after.replaceChildren(...data.after.map(word));
}
