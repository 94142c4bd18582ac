import { arrow } from "./roving.js";

const NOBODYS = "body, h1, [data-testid=stMain]"; // where the keyboard is when no control has it

/**
 * The left and right arrow keys belong to the picture on screen, also while the keyboard is at no control: when a page
 * has opened, and after a click on what takes no focus. Up and down still scroll the page.
 * @param {any} root the picture; once it has left the page it hears no more keys
 * @param {(by: number) => unknown} move called with 1 or -1
 */
export function takeFreeKeys(root, move) {
  const end = new AbortController();
  addEventListener("keydown", (event) => {
    if (!root.isConnected) return end.abort();
    const [by] = arrow(event) ?? [0];
    const free = event.target instanceof Element && event.target.matches(NOBODYS);
    if (!by || !free || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    move(by);
  }, { signal: end.signal });
}
