import { isLeft } from "./leaving.js";

const SLOW_MS = 1500; // an answer that has not come by then is no longer waited for

/**
 * Sends what a hand does while it moves, as fast as the page answers: what comes while an answer is awaited
 * replaces what came before it.
 * @param {(value: any) => void} send
 */
export function oneAtATime(send) {
  let asked = -SLOW_MS;
  /** @type {{ value: any } | null} */
  let waiting = null;
  const ask = (value) => {
    if (performance.now() - asked < SLOW_MS) return void (waiting = { value });
    [asked, waiting] = [performance.now(), null];
    send(value);
  };
  return {
    ask,
    get waits() {
      return waiting !== null;
    },
    /** An answer has come. */
    answered() {
      asked = -SLOW_MS;
      if (waiting) ask(waiting.value);
    },
  };
}

/**
 * Asks for more, and again as long as nothing came; nothing is asked for somebody who has gone, or goes.
 * @param {HTMLElement} root
 */
export function asker(root) {
  let [place, timer] = ["", 0];
  const page = location.pathname;
  return {
    /**
     * @param {string} wanted what is asked for: the same is not asked for twice
     * @param {() => void} send
     * @param {{ after?: number, again: number, held?: () => number }} times ms; `held` says how long not to ask yet
     */
    ask(wanted, send, { after = 0, again, held = () => 0 }) {
      if (place === wanted) return;
      place = wanted;
      const go = () => {
        if (place !== wanted || !root.isConnected) return;
        const wait = isLeft(page) ? again : held();
        if (wait <= 0) send();
        timer = setTimeout(go, wait > 0 ? wait : again);
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
 * A choice that is made here counts at once, and until the page has answered it.
 * @param {(value: any) => void} send
 * @param {number} [rest] ms: the page hears of a choice once the hand rests for so long
 */
export function choice(send, rest = 0) {
  let timer = 0;
  /** @type {string | undefined} */
  let awaited;
  const made = {
    /** @type {any} */
    value: undefined,
    send,
    rest,
    /** @param {any} value @param {boolean} fresh whether it belongs to other data than before */
    answer(value, fresh = false) {
      if (!fresh && awaited !== undefined && awaited !== JSON.stringify(value)) return;
      if (fresh) clearTimeout(timer);
      [made.value, awaited] = [value, undefined];
    },
    /** @param {any} value */
    choose(value) {
      [made.value, awaited] = [value, JSON.stringify(value)];
      clearTimeout(timer);
      if (made.rest) timer = setTimeout(() => made.send(value), made.rest);
      else made.send(value);
    },
  };
  return made;
}
