/**
 * The bridge to the service worker. An update is looked for when somebody comes back to the page and
 * every hour, and taken by consent only: nothing reloads under somebody who is typing, or in the
 * middle of sending.
 *
 *   a new worker waits ──asked──▶ yes ──nothing is being sent──▶ it takes over ──▶ reload
 *                         └──▶ later: asked again by the next page
 *   a new worker took over by another tab's consent ──asked──▶ yes ──▶ reload
 *   the server does not understand this page any more ──looked for at once──▶ asked, also once more
 */
// This one file: the package's entry brings its class of 2 kB along.
import { messageSW } from 'workbox-window/messageSW.js';
import { app as words } from '#messages/en/app.ts';
import { askInToast, dismissToast, showInfo } from '#ui/toast.tsx';
import { createPolicy } from '#ui/trusted-types.ts';

/** A send that takes longer than this is repeated after the reload, under its own key. */
export const restLimitMs = 5_000;

/** Whoever comes and goes need not ask each time. */
export const checkPauseMs = 5 * 60_000;
/** For a page that stays in front of somebody all day. */
export const checkEveryMs = 60 * 60_000;

export interface UpdateNeeds {
  /** Resolves once nothing is on its way to the server. */
  untilAtRest(): Promise<void>;
}

/** What sw/sw.ts listens to. */
function tell(worker: ServiceWorker, type: 'SKIP_WAITING' | 'KEEP_PARTS'): void {
  void messageSW(worker, { type });
}

/** Never longer than `restLimitMs`. */
async function atRest({ untilAtRest }: UpdateNeeds): Promise<void> {
  const limit = new Promise<void>((resolve) => setTimeout(resolve, restLimitMs));
  await Promise.race([untilAtRest(), limit]);
}

function ask(title: string, confirmLabel: string, onConfirm: () => void, text = '') {
  const question = {
    title,
    text,
    confirmLabel,
    cancelLabel: words.update.later,
    durationMs: Number.POSITIVE_INFINITY,
    takesFocus: false,
  };
  askInToast(question, onConfirm);
}

/**
 * A page that a new worker takes over goes on with the old version's files, of which that worker
 * keeps none: it has to be loaded anew, at once where this page has agreed to it.
 */
function followTakeOver(needs: UpdateNeeds): { agree(): void } {
  let hasAgreed = false;
  // The very first worker brings no new version.
  let isTaken = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hasAgreed) return window.location.reload();
    if (isTaken) {
      // Its update has been taken already, by another tab: there is one thing left to agree to.
      dismissToast(words.update.title);
      ask(words.update.elsewhere, words.update.reload, () => {
        void atRest(needs).then(() => window.location.reload());
      });
    }
    isTaken = true;
  });
  return {
    agree() {
      hasAgreed = true;
    },
  };
}

/** Looks for a new version whenever it may be worth it. Without a network nothing is found, and no harm done. */
function checkNowAndThen(check: () => void): void {
  // The page that registers the worker has looked by that.
  let checkedAtMs = Date.now();
  const checkAfter = (pauseMs: number) => {
    const nowMs = Date.now();
    // A clock that was put back must not hold it up.
    if (nowMs >= checkedAtMs && nowMs - checkedAtMs < pauseMs) return;
    checkedAtMs = nowMs;
    check();
  };
  window.addEventListener('focus', () => checkAfter(checkPauseMs));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkAfter(checkPauseMs);
  });
  // A page that nobody has looked at for an hour, or that was looked at all the time.
  setInterval(() => checkAfter(checkPauseMs), checkEveryMs);
}

/** Calls back whenever a version waits to take over: one that a page before had put off, too. */
function onWaiting(registration: ServiceWorkerRegistration, callBack: () => void): void {
  const follow = (worker: ServiceWorker | null) => {
    worker?.addEventListener('statechange', () => {
      // The very first one has nobody to wait for.
      if (worker.state === 'installed' && registration.active) callBack();
    });
  };
  // Firefox (153) lets a page meet the very first one in that state too.
  if (registration.waiting && registration.active) callBack();
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
}

/** Where no worker keeps this page, the server's newest comes with every load. */
let offerUpdate = () => {
  ask(words.update.title, words.update.reload, () => window.location.reload(), words.update.tooOld);
};

let offeredAtMs = Number.NEGATIVE_INFINITY;

/** The server says that this page is too old: it is offered what there is, also to who said 'Later'. */
export function lookForUpdate(): void {
  // It says so of every call, and 'Later' is an answer for a while.
  if (Math.abs(Date.now() - offeredAtMs) < checkPauseMs) return;
  offeredAtMs = Date.now();
  offerUpdate();
}

const workerAddress = '/sw.js';
/** The one worker that this page registers. */
const workerPolicy = createPolicy('worker', {
  createScriptURL: (url) => (url === workerAddress ? url : null),
});

/** After the page's own files: the worker fetches all of them. */
async function untilLoaded(): Promise<void> {
  if (document.readyState === 'complete') return;
  await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/** Registers /sw.js in a production build; offers each update once per page. */
export async function registerServiceWorker(needs: UpdateNeeds): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const takeOver = followTakeOver(needs);
  await untilLoaded();
  const registration = await navigator.serviceWorker
    .register(workerPolicy?.createScriptURL(workerAddress) ?? workerAddress)
    .catch(() => null);
  // The network or the server failed, or the browser refuses; the next load tries again.
  if (!registration) return;
  const offer = (text = '') => {
    const take = () => {
      takeOver.agree();
      showInfo(words.update.underWay, { durationMs: Number.POSITIVE_INFINITY });
      void atRest(needs).then(() => {
        const { waiting } = registration;
        if (waiting) tell(waiting, 'SKIP_WAITING');
        // It has taken over meanwhile: of a page that no worker keeps there is nobody to ask.
        else window.location.reload();
      });
    };
    ask(words.update.title, words.update.confirm, take, text);
  };
  onWaiting(registration, () => offer());
  const check = () => void registration.update().catch(() => undefined);
  checkNowAndThen(check);
  offerUpdate = () => {
    if (registration.waiting) return offer(words.update.tooOld);
    // What is found is offered by `onWaiting`, once it is here as a whole.
    check();
  };
}

/** Has the worker keep what only a dispatcher needs (sw/parts.ts). */
export async function keepDispatcherParts(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  if (active) tell(active, 'KEEP_PARTS');
}
