// The teacher's second window: the notes of the stop that the first window shows, the next stop, the clock, the
// minutes that are left, and the keys of a clicker for the first window.
import { keptRoom } from "../polls/keep_room.js";
import { html, render } from "../../widgets/lit.js";
import { readTranslations, t } from "../../widgets/translations.js";

/**
 * @typedef {{ lecture: string, title: string, progress: string, notes: [kind: string, text: string, name: string][], next: string,
 *   covered: number, poll: string, answered?: string, begins: number | null, minutes: number }} OnScreen
 */

readTranslations({ translations: JSON.parse(document.querySelector("#translations")?.textContent ?? "{}") });
const CHANNEL = new BroadcastChannel("riverbank/notes"); // of notes_button.js too
const ROOM = keptRoom("riverbank/notes"); // of a window on another device, which asks the server for what the channel tells
const ASKED_MS = 1_000; // between two questions to the server
const MINUTE_MS = 60_000;
const BEGAN = "began"; // when the lecture has begun, kept in this window
const KEYS = { PageDown: "PageDown", PageUp: "PageUp", " ": "PageDown", ArrowRight: "PageDown", ArrowLeft: "PageUp", b: "b", ".": "b" };
const WAITING = t("This window follows Riverbank. Open a lecture in the first window, on the projector, and press P there.");
const NO_ROOM = t("This link is not that of an open room: take it from the first window, under Class.");
const root = /** @type {HTMLElement} */ (document.querySelector(".root"));
let waiting = WAITING;
/** @type {OnScreen | undefined} */
let now;

const send = (key) => CHANNEL.postMessage({ key });
const minutesSince = (began) => (Date.now() - began) / MINUTE_MS;

function begin() {
  sessionStorage.setItem(BEGAN, String(Date.now()));
  draw();
}

function times() {
  if (!now?.minutes) return "";
  const gone = minutesSince(Number(sessionStorage.getItem(BEGAN)));
  const left = Math.ceil(now.minutes - gone);
  const plan = now.begins === null ? "" : ` · ${t("minute {minute}, planned {plan}", { minute: Math.floor(gone), plan: Math.round(now.begins) })}`;
  return `${t("{count} minutes left", { count: Math.max(left, 0) })}${plan}`;
}

function draw() {
  const clock = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  render(html`
    <header>
      <b class="clock">${clock}</b>
      <span class="left">${times()}</span>
      <button class="again" @click=${begin}>${t("The lecture begins now")}</button>
    </header>
    ${now ? stop(now) : html`<p class="waiting">${waiting}</p>`}`, root);
}

/** @param {OnScreen} stop */
function stop({ lecture, title, progress, notes, next, covered, poll, answered }) {
  return html`
    <p class="progress">${lecture} · ${progress}</p>
    <h1>${title}</h1>
    <p class="answered" ?hidden=${!answered} aria-live="polite">${answered}</p>
    ${notes.map(([kind, text, name]) => html`<p class="note ${kind.toLowerCase()}"><b>${name ?? kind}</b><span>${text}</span></p>`)}
    ${ROOM ? "" : html`<footer>
      <button @click=${() => send("PageUp")}>${t("Back")}</button>
      <button class="on" ?disabled=${!poll && !covered && !next} @click=${() => send("PageDown")}>${poll || (covered ? t("Show") : next ? t("Next: {stop}", { stop: next }) : t("The end"))}</button>
      <button @click=${() => send("b")}>${t("Blank the screen (B)")}</button>
    </footer>`}
    <p class="next">${covered && next ? t("Then: {stop}", { stop: next }) : ""}</p>`;
}

/** @param {OnScreen | undefined} onScreen */
function follow(onScreen) {
  now = onScreen;
  if (now && !sessionStorage.getItem(BEGAN)) sessionStorage.setItem(BEGAN, String(Date.now()));
  draw();
}

async function ask() {
  try {
    const answer = await fetch(`${location.pathname}/now${location.search}`, { headers: { authorization: ROOM } });
    waiting = answer.ok ? WAITING : NO_ROOM;
    follow(answer.ok ? ((await answer.json()) ?? undefined) : undefined);
  } catch {
    // No connection: what was there last stays until there is one.
  }
  setTimeout(ask, ASKED_MS);
}

CHANNEL.onmessage = ({ data }) => {
  if (data.onScreen && !ROOM) follow(data.onScreen);
};
addEventListener("keydown", (event) => {
  const key = KEYS[event.key];
  if (!key || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  send(key);
});
draw();
setInterval(draw, 10_000);
if (ROOM) ask();
else CHANNEL.postMessage({ asks: true });
