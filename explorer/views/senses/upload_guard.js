// A file that is too large, or of another kind, is turned away before a byte of it is sent: Python says why.
export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".root");
  root.limits = data;
  if (root.listening) return undefined;
  root.listening = true;
  const bad = (file) =>
    file.size > root.limits.most || !root.limits.kinds.includes(file.name.split(".").pop().toLowerCase());
  const check = (event) => {
    if (!event.target.closest?.(root.limits.within)) return;
    const file = [...((event.type === "drop" ? event.dataTransfer : event.target)?.files ?? [])].find(bad);
    if (!file) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === "change") event.target.value = "";
    setTriggerValue("refused", { name: file.name, size: file.size });
  };
  for (const kind of ["drop", "change"]) document.addEventListener(kind, check, true);
  return () => {
    root.listening = false;
    for (const kind of ["drop", "change"]) document.removeEventListener(kind, check, true);
  };
}
