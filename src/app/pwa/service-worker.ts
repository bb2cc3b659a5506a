/**
 * Registers the service worker and offers its updates. It checks when the user returns to the page
 * and every hour, and reloads only with consent and when no send is in flight.
 *
 *   new worker waiting ──prompt──▶ accepted ──sends settled──▶ it takes over ──▶ reload
 *                         └──▶ later: the next page prompts again
 *   another tab accepted: new worker in control ──prompt──▶ accepted ──▶ reload
 *   server rejects this page as too old ──checks now──▶ prompt, also after 'Later'
 */
// Imported by file: the package's entry adds its 2 kB class.
import { messageSW } from 'workbox-window/messageSW.js';
import { app as words } from '#messages/en/app.ts';
import { askInToast, dismissToast, showInfo } from '#ui/toast.tsx';
import { workerUrl } from '#ui/trusted-types.ts';

/** A longer send is cut off by the reload and retried with its idempotency key. */
export const restLimitMs = 5_000;

/** Limits the checks of a user who switches back and forth. */
export const checkPauseMs = 5 * 60_000;
export const checkEveryMs = 60 * 60_000;

export interface UpdateNeeds {
  /** Resolves once no request is in flight. */
  untilAtRest(): Promise<void>;
}

/** Chunks that only some devices need; `parts` of sw/parts.ts. */
type Part = 'dispatcher-parts' | 'courier-parts' | 'desk' | 'qr-reader';

function send(worker: ServiceWorker, type: 'SKIP_WAITING' | 'KEEP_PARTS', part?: Part): void {
  void messageSW(worker, { type, part });
}

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

/** A new worker has none of the old version's files, so a page it takes over must reload. */
function followTakeOver(needs: UpdateNeeds): { agree(): void } {
  let hasAgreed = false;
  // The first worker ever installed is not an update.
  let hasController = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (hasAgreed) return window.location.reload();
    if (hasController) {
      // Another tab accepted the update: only the reload is left to accept.
      dismissToast(words.update.title);
      ask(words.update.elsewhere, words.update.reload, () => {
        void atRest(needs).then(() => window.location.reload());
      });
    }
    hasController = true;
  });
  return {
    agree() {
      hasAgreed = true;
    },
  };
}

/** Checks for a new version. Harmless offline. */
function scheduleChecks(check: () => void): void {
  // Registering the worker was the first check.
  let checkedAtMs = Date.now();
  const checkAfter = (pauseMs: number) => {
    const nowMs = Date.now();
    // A clock that was set back must not block the check.
    if (nowMs >= checkedAtMs && nowMs - checkedAtMs < pauseMs) return;
    checkedAtMs = nowMs;
    check();
  };
  window.addEventListener('focus', () => checkAfter(checkPauseMs));
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') checkAfter(checkPauseMs);
  });
  // Covers a page that stays hidden, or visible, for an hour.
  setInterval(() => checkAfter(checkPauseMs), checkEveryMs);
}

/** Calls back whenever a version waits to take over, including one postponed in an earlier page. */
function onWaiting(registration: ServiceWorkerRegistration, callBack: () => void): void {
  const follow = (worker: ServiceWorker | null) => {
    worker?.addEventListener('statechange', () => {
      // The first worker ever installed does not wait.
      if (worker.state === 'installed' && registration.active) callBack();
    });
  };
  // Firefox 153 can report the first worker as waiting, too.
  if (registration.waiting && registration.active) callBack();
  follow(registration.installing);
  registration.addEventListener('updatefound', () => follow(registration.installing));
}

/** Without a worker in control, every reload gets the server's latest version. */
let offerUpdate = () => {
  ask(words.update.title, words.update.reload, () => window.location.reload(), words.update.tooOld);
};

let offeredAtMs = Number.NEGATIVE_INFINITY;

/** The server reports this page as too old: offers the update, even after 'Later'. */
export function lookForUpdate(): void {
  // The server reports it on every call; 'Later' silences it for a while.
  if (Math.abs(Date.now() - offeredAtMs) < checkPauseMs) return;
  offeredAtMs = Date.now();
  offerUpdate();
}

const workerAddress = workerUrl('/sw.js');

/** The worker fetches all files: the page's own come first. */
async function untilLoaded(): Promise<void> {
  if (document.readyState === 'complete') return;
  await new Promise((resolve) => window.addEventListener('load', resolve, { once: true }));
}

/** Registers /sw.js in a production build; offers each update once per page. */
export async function registerServiceWorker(needs: UpdateNeeds): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const takeOver = followTakeOver(needs);
  await untilLoaded();
  const registration = await navigator.serviceWorker.register(workerAddress).catch(() => null);
  // The network or the server failed, or the browser refuses; the next load tries again.
  if (!registration) return;
  const offer = (text = '') => {
    const take = () => {
      takeOver.agree();
      showInfo(words.update.underWay, { durationMs: Number.POSITIVE_INFINITY });
      void atRest(needs).then(() => {
        const { waiting } = registration;
        if (waiting) send(waiting, 'SKIP_WAITING');
        // It took over already, and a page without a controller gets no `controllerchange`.
        else window.location.reload();
      });
    };
    ask(words.update.title, words.update.confirm, take, text);
  };
  onWaiting(registration, () => offer());
  const check = () => void registration.update().catch(() => undefined);
  scheduleChecks(check);
  offerUpdate = () => {
    if (registration.waiting) return offer(words.update.tooOld);
    // `onWaiting` offers the new version once it is fully installed.
    check();
  };
}

export async function keepPart(part: Part): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const { active } = await navigator.serviceWorker.ready;
  if (active) send(active, 'KEEP_PARTS', part);
}
