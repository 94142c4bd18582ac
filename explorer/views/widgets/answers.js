import { isLeft } from "./leaving.js";

const SLOW_MS = 1500; // an answer that has not come by then is no longer waited for

/**
 * Sends values while a hand moves, as fast as the page answers: while an answer is awaited, a new value replaces
 * the one that waits.
 * @param {(value: any) => void} send
 */
export function oneAtATime(send) {
  let sentAt = -SLOW_MS;
  /** @type {{ value: any } | null} */
  let waiting = null;
  const ask = (value) => {
    if (performance.now() - sentAt < SLOW_MS) return void (waiting = { value });
    [sentAt, waiting] = [performance.now(), null];
    send(value);
  };
  return {
    ask,
    get waits() {
      return waiting !== null;
    },
    /** The page has answered. */
    answered() {
      sentAt = -SLOW_MS;
      if (waiting) ask(waiting.value);
    },
  };
}

/**
 * Asks for more, and again until an answer comes; it stops once the visitor has left the page.
 * @param {HTMLElement} root
 */
export function asker(root) {
  let [place, timer] = ["", 0];
  const page = location.pathname;
  return {
    /**
     * @param {string} key what is requested: the same is not requested twice
     * @param {() => void} send
     * @param {{ after?: number, again: number, wait?: () => number }} times ms; `wait` is how long to wait first
     */
    ask(key, send, { after = 0, again, wait = () => 0 }) {
      if (place === key) return;
      place = key;
      const go = () => {
        if (place !== key || !root.isConnected) return;
        const ms = isLeft(page) ? again : wait();
        if (ms <= 0) send();
        timer = setTimeout(go, ms > 0 ? ms : again);
        if (ms <= 0) again *= 2; // each request begins the page anew, which may take longer than that
      };
      clearTimeout(timer);
      timer = setTimeout(go, after);
    },
    stop() {
      place = "";
      clearTimeout(timer);
    },
  };
}

/**
 * A choice that is shown at once, and kept until the page has answered.
 * @param {(value: any) => void} send
 * @param {number} [rest] ms that the hand rests before a choice is sent
 */
export function choice(send, rest = 0) {
  let timer = 0;
  /** @type {string | undefined} */
  let awaited;
  const choice = {
    /** @type {any} */
    value: undefined,
    send,
    rest,
    /** @param {any} value @param {boolean} fresh whether the data are others than before */
    answer(value, fresh = false) {
      if (!fresh && awaited !== undefined && awaited !== JSON.stringify(value)) return;
      if (fresh) clearTimeout(timer);
      [choice.value, awaited] = [value, undefined];
    },
    /** @param {any} value */
    choose(value) {
      [choice.value, awaited] = [value, JSON.stringify(value)];
      clearTimeout(timer);
      if (choice.rest) timer = setTimeout(() => choice.send(value), choice.rest);
      else choice.send(value);
    },
  };
  return choice;
}
