/**
 * The bridge to the service worker. An update is taken by consent only: nothing reloads under
 * somebody who is typing, or in the middle of sending (FIELD.md, 29).
 *
 *   a new worker waits ──asked──▶ yes ──nothing is being sent──▶ it takes over ──▶ reload
 *                         └──▶ later: asked again by the next page
 *   a new worker took over by another tab's consent ──asked──▶ yes ──▶ reload
 */
import { askInToast, dismissToast, showInfo } from '#ui/toast.tsx';
import { words } from './words.ts';

/** A send that takes longer than this is repeated after the reload, under its own key. */
export const restLimitMs = 5_000;

export interface UpdateNeeds {
  /** Resolves once nothing is on its way to the server. */
  untilAtRest(): Promise<void>;
}

/** Never longer than `restLimitMs`. */
async function atRest({ untilAtRest }: UpdateNeeds): Promise<void> {
  const limit = new Promise<void>((resolve) => setTimeout(resolve, restLimitMs));
  await Promise.race([untilAtRest(), limit]);
}

function ask(title: string, confirmLabel: string, onConfirm: () => void) {
  const question = {
    ...{ title, confirmLabel, cancelLabel: words.update.later },
    ...{ durationMs: Number.POSITIVE_INFINITY, takesFocus: false },
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

/** Registers /sw.js in a production build; offers each update once per page. */
export async function registerServiceWorker(needs: UpdateNeeds): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const takeOver = followTakeOver(needs);
  const { Workbox } = await import('workbox-window');
  const workbox = new Workbox('/sw.js');
  workbox.addEventListener('waiting', () => {
    ask(words.update.title, words.update.confirm, () => {
      takeOver.agree();
      showInfo(words.update.underWay, { durationMs: Number.POSITIVE_INFINITY });
      void atRest(needs).then(() => workbox.messageSkipWaiting());
    });
  });
  await workbox.register();
}
