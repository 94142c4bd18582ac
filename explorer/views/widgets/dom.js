// Makers of elements. Text is set as text: what a person typed is never read as HTML.
function element(tag, className = "", text = "") {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
}

function add(parent, tag, className = "", text = "") {
  const made = element(tag, className, text);
  parent?.append(made);
  return made;
}
