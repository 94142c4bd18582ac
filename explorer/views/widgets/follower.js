import { asker } from "./answers.js";

const HELD_MS = 6_000; // without a sign: something between holds the answer back
const SILENT_MS = 40_000; // the server says every 15 s that it is there
const AGAIN_MS = 1_000;
const ASK_AGAIN_MS = 1_500;

/**
 * A text as the page and the stream send it, with what else they say.
 * @typedef {object} Text
 * @property {number} run
 * @property {number} count
 * @property {boolean} going whether more is to come
 * @property {any[]} chips its parts
 */

/**
 * Draws a text that grows past the page, of which `root.data` is what the page sent and `root.live` what has come. Once
 * it has stopped the page is asked for the rest, and for more where no stream arrives; asking again does no harm.
 * @param {any} root `press` and `tell` are given to it: what a button does, and what the page is told
 * @param {Text & { address: string, secret: string, answers: number, button?: string, locked?: number }} data
 * @param {import("./connect.js").Send} send
 * @param {() => void} paint
 */
export function followText(root, data, send, paint) {
  root.asker ??= asker(root);
  root.follower ??= follower(
    (text) => {
      if (!isAsNew(text, root.live)) return;
      root.live = text;
      root.draw();
    },
    (press) => {
      root.streams = false; // until the page has another secret
      if (press) root.tell("turn", press);
      goOn(root);
    },
  );
  if (root.data?.secret !== data.secret) {
    root.follower.end();
    root.streams = Boolean(data.secret);
    root.live = data;
  }
  if (isAsNew(data, root.live ?? data)) root.live = data;
  root.data = data;
  root.send = send;
  // Of two messages that wait at the server the newer one counts: so nothing is asked for until a click has been
  // answered, or has had its time.
  const state = JSON.stringify([data.run, data.button, data.locked]);
  if (state !== root.state) root.held = 0;
  root.state = state;
  root.tell = (name, value) => {
    root.held = performance.now() + ASK_AGAIN_MS;
    root.send(name, value);
  };
  root.press = (name) => {
    if (root.streams) root.follower.begin(root.data, root.live.run, name);
    else root.tell("turn", name);
  };
  root.draw = () => {
    paint();
    goOn(root);
  };
  root.draw();
  return () => root.follower.end();
}

/** Whether a text is not older than another: runs are numbered in their order. @param {Text} text @param {Text} other */
function isAsNew(text, other) {
  return text.run > other.run || (text.run === other.run && text.count >= other.count);
}

/** Whether the page has yet to draw what has come. */
export function isBehind({ data, live }) {
  return ["run", "count", "going", "message"].some((name) => live[name] !== data[name]);
}

function goOn(root) {
  const { data, live } = root;
  if (live.going && root.streams) {
    if (!root.follower.follows) root.follower.begin(data, live.run);
    root.asker.stop();
  } else if (live.going || isBehind(root)) {
    const place = `${live.run}:${live.count}:${data.answers}`;
    const more = () => root.send("more", { run: live.run, count: live.count, answers: data.answers });
    root.asker.ask(place, more, { again: ASK_AGAIN_MS, wait: () => root.held - performance.now() });
  } else root.asker.stop();
}

/**
 * One request for a press and for what follows it (explorer/server/stream.py).
 * @param {(text: any) => void} hear the whole text, each time it has changed
 * @param {(press: string) => void} lose nothing arrives; with the press that may not have arrived either
 */
function follower(hear, lose) {
  /** @type {AbortController | null} */
  let request = null;
  let timer = 0;
  const end = () => {
    request?.abort();
    request = null;
    clearTimeout(timer);
  };
  /**
   * @param {{ address: string, secret: string }} stream
   * @param {number} run
   * @param {string} press the button's label, or nothing
   * @param {number} tries that have failed in a row
   */
  async function begin(stream, run, press = "", tries = 0) {
    end();
    const mine = (request = new AbortController());
    const silentFor = (ms) => {
      clearTimeout(timer);
      timer = setTimeout(() => mine.abort(), ms);
    };
    /** @type {any} */
    let text = null;
    let [rest, page] = ["", false];
    try {
      silentFor(HELD_MS);
      const body = JSON.stringify({ secret: stream.secret, run, press });
      const answer = await fetch(stream.address, { method: "POST", body, signal: mine.signal, cache: "no-store" });
      page = !answer.ok;
      const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
      while (reader && !page) {
        const { value, done } = await reader.read();
        if (done) break;
        silentFor(SILENT_MS);
        const events = (rest + value).split("\n\n");
        rest = events.pop() ?? "";
        for (const event of events) {
          page ||= event.startsWith("event: page");
          if (!event.startsWith("data: ")) continue;
          text = grown(text, JSON.parse(event.slice(6)));
          if (request === mine) hear(text);
        }
      }
    } catch {
      // cut, or silent
    }
    if (request !== mine) return; // another one has begun, or nobody listens
    end();
    if (text && !text.going) return;
    const pending = text ? "" : press;
    const failures = text ? 1 : tries + 1;
    if (page || failures > 1) lose(pending);
    else {
      request = mine; // it is between two tries
      timer = setTimeout(() => begin(stream, text?.run ?? run, pending, failures), AGAIN_MS);
    }
  }
  return {
    begin,
    end,
    get follows() {
      return request !== null;
    },
  };
}

/** A text with its news: chips are said from the first that is another. */
function grown(text, news) {
  const { at, ...now } = { ...text, ...news };
  return news.chips ? { ...now, chips: [...(text?.chips ?? []).slice(0, at), ...news.chips] } : now;
}
