// The page of a lecture: each stop is drawn as one comes to it, its question is answered and counted here, and its
// picture is covered until then, as on the stage.
import { t } from "../../widgets/translations.js";
import { add, element, unpacked, unpackPlotly } from "../saving/web_page.js";

const NEAR = "800px"; // a stop is drawn so far ahead
const IDLE_MS = 1500; // after the first one is on screen
/** @type {any[]} */
const questions = JSON.parse(element("#questions").textContent);
const stops = /** @type {any[]} */ ([...document.querySelectorAll(".stop")]);
const [where, list, sheet, bar] = [".where", "#list", "#sheet", "progress"].map(element);
const tries = new Map(); // by the number of the stop: whether the first answer was right
const KEPT = `riverbank ${document.title}`;
const firsts = kept(); // by the number of the stop: the first answer and the place of its choice, for a page loaded again
// As a class's answers are counted: in any case, and without marks at the ends.
const fold = (text) => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").replace(/^[\s“”"'.,;:!?…]+(?=.)|(?<=.)[\s“”"'.,;:!?…]+$/g, "");

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEPT) ?? "{}");
  } catch {
    return {}; // a sandbox keeps nothing
  }
}

function keep(number, first) {
  firsts[number] ??= first;
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(firsts));
  } catch {}
}

// What covers the picture, and what is said of it, in the page and within its components.
function cover(stop) {
  const { covers, plain } = stop.dataset;
  if (!covers) return;
  const whole = covers.startsWith(".st-key-picture");
  stop.classList.add("asked", whole ? "whole" : "partly");
  if (whole) return;
  stop.covers = [`#${stop.id} .picture `, ""].map((within) => {
    const sheet = new CSSStyleSheet();
    const bare = plain && `${within}:is(${plain}) { background: none !important; color: inherit !important; fill: var(--rb-quiet) !important; }`;
    sheet.replaceSync(`${within}:is(${covers}), ${within}:is(${covers}) * { visibility: hidden !important; } ${bare}`);
    return sheet;
  });
  document.adoptedStyleSheets.push(stop.covers[0]);
}

const unpack = (stop) => (stop.text ??= unpacked(stop.querySelector('script[type="text/plain"]').textContent));

function draw(stop) {
  return (stop.drawn ??= unpack(stop).then((text) => {
    const drawn = add(text);
    for (const host of stop.covers ? stop.querySelectorAll("[id^=part-]") : []) host.shadowRoot?.adoptedStyleSheets.push(stop.covers[1]);
    return drawn;
  }));
}

// What a browser prints has to be drawn without waiting for anything that is still packed.
async function unpackAll() {
  for (const stop of stops) await unpack(stop);
  for (const frame of document.querySelectorAll("iframe")) frame.loading = "eager";
  unpackPlotly();
}

function show(stop) {
  for (const sheet of stop.covers ?? []) sheet.replaceSync("");
  stop.classList.remove("asked", "whole", "partly");
  stop.querySelector(".show")?.remove();
}

function answer(number, value, button) {
  const [stop, question] = [stops[number], questions[number]];
  const given = fold(value);
  if (!given) return;
  const place = [...stop.querySelectorAll(".choice")].indexOf(button);
  const isRight = question.kind === "number" ? isNear(question, given) : button ? place === question.right : given === question.right;
  keep(number, [value, place]);
  if (question.right !== "" && !tries.has(number)) tries.set(number, isRight);
  for (const each of stop.querySelectorAll(".choice")) each.setAttribute("aria-pressed", String(each === button));
  const share = question.shares[given];
  const chance = question.kind === "word" && !isRight && Object.keys(question.shares).length ?
    (share === undefined ? t("{who} gives “{word}” less than its likeliest words.", { who: question.who, word: value.trim() })
      : t("{who} gives “{word}” {share}.", { who: question.who, word: value.trim(), share: t("{number}%", { number: String(Number((100 * share).toPrecision(2))).replace(".", t(".")) }) })) : "";
  const verdict = question.right === "" ? t("There is no right answer.") : isRight ? t("Right.") : t("Not quite.");
  stop.querySelector(".judged").textContent = [verdict, question.reasons?.[place], chance, isRight && question.known ? "" : question.says].filter(Boolean).join(" ");
  show(stop);
  count();
}

// A number counts within a twentieth of the scale, a whole one of few within none.
function isNear({ right, low, high, whole }, given) {
  const [number, answer] = [Number(given.replace(/\s/g, "").replace(",", ".").replace(/%$/, "")), Number(right)];
  const scale = given.endsWith("%") ? 100 : 1;
  return Math.abs(number / scale - answer) <= (whole ? 0 : (high - low) / 20);
}

function count() {
  const asked = questions.map((question, number) => [question, number]).filter(([question]) => (question?.right ?? "") !== "");
  const right = [...tries.values()].filter(Boolean).length;
  where.dataset.count = tries.size ? ` · ${t("{right} of {count} right", { right, count: tries.size })}` : "";
  sheet.querySelector(".count").textContent = t("{right} of {count} right at the first try", { right, count: asked.length });
  sheet.querySelector("ul").replaceChildren(...asked.filter(([, number]) => !tries.get(number)).map(([, number]) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = `#stop-${number + 1}`;
    link.textContent = stops[number].querySelector("h2")?.textContent ?? "";
    item.append(tries.has(number) ? t("Look again:") : t("Not answered:"), " ", link);
    return item;
  }));
  tell();
}

const here = () => stops.findLastIndex((stop) => stop.getBoundingClientRect().top < innerHeight / 2);
function tell() {
  const at = Math.max(here(), 0);
  where.textContent = `${t("Stop {here} of {count}", { here: at + 1, count: stops.length })}${where.dataset.count ?? ""}`;
  bar.value = (at + 1) / stops.length;
}

function contents(open = list.hidden) {
  list.hidden = !open;
  element("#contents").setAttribute("aria-expanded", String(open));
  if (open) list.querySelector("a")?.focus();
}

stops.forEach((stop, number) => {
  cover(stop);
  stop.querySelector(".show")?.addEventListener("click", () => show(stop));
  for (const button of stop.querySelectorAll(".choice"))
    button.addEventListener("click", () => answer(number, button.textContent, button));
  const form = stop.querySelector("form");
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    answer(number, form.querySelector("input")?.value ?? "");
  });
  if (!stop.dataset.covers) stop.querySelector(".show")?.remove();
});
const near = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) draw(target);
}, { rootMargin: NEAR });
for (const stop of stops) near.observe(stop);

addEventListener("scroll", tell, { passive: true });
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || target !== document.body && target.closest("input, [id^=part-], iframe")) return;
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const at = here();
  if (by) (stops[at + by] ?? (by > 0 ? sheet : null))?.scrollIntoView();
  else if (event.key === "s" && at >= 0) show(stops[at]);
  else if (event.key === "c") contents();
  else if (event.key === "Escape") contents(false);
});
element("#contents").addEventListener("click", () => contents());
list.addEventListener("click", ({ target }) => target.closest("a") && contents(false));
element("#print").addEventListener("click", async () => {
  for (const stop of stops) await draw(stop);
  print();
});
addEventListener("beforeprint", () => stops.forEach((stop, number) => {
  show(stop);
  draw(stop);
  const { says, reasons, right } = questions[number] ?? {};
  if (says || reasons) stop.querySelector(".judged").textContent ||= says || reasons[right];
}));
for (const [number, [value, place]] of Object.entries(firsts))
  if (questions[number]) answer(Number(number), value, stops[number].querySelectorAll(".choice")[place]);
setTimeout(unpackAll, IDLE_MS);
count();
