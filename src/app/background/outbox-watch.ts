/**
 * Watches what waits in the outbox, whichever tab put it there: the number on the app's icon, the
 * service worker's turn and this tab's own. Warns where it is lost instead of sent: cleared by the
 * browser, or closed with a page that stores nothing.
 */
import { liveQuery } from 'dexie';
import type { SignedIn } from '#data/services.ts';
import { confirmationWaitMs } from '#data/submit-intent.ts';
import { countPending } from '#db/queries.ts';
import { app as words } from '#messages/en/app.ts';
import { outboxSyncTag, showAppBadge } from '#sync/outbox/background.ts';
import { showError } from '#ui/toast.tsx';

/** What is lost is said for longer than what failed. */
const lostMs = 10_000;

/** Background Sync, which TypeScript does not know and only Chromium has. */
interface SyncRegistration {
  sync?: { register(tag: string): Promise<void> };
}

/** Has the service worker send what waits, though every tab may be gone by then. */
async function askWorker(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (registration as SyncRegistration | undefined)?.sync?.register(outboxSyncTag);
  } catch {
    // The person has forbidden it, or the browser never allows it: the tabs remain.
  }
}

/** Returns what stops it. */
export function watchOutbox({
  db,
  packages,
  engine,
}: Pick<SignedIn, 'db' | 'packages' | 'engine'>) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let waiting = '';
  let timer: ReturnType<typeof setTimeout> | undefined;

  function isLate() {
    void askWorker();
    // The tab that put it there may be gone: from now on this one has it in mind too.
    engine.request('enqueue');
  }

  const counting = liveQuery(() => countPending(db)).subscribe({
    next: showAppBadge,
    // A database that fails is said where it matters; the number stays what it was.
    error: () => undefined,
  });

  function check() {
    const operations = packages.state().operations;
    if (!operations) return;
    const ids = operations.filter(({ state }) => state === 'waiting').map(({ id }) => id);
    const now = ids.join();
    if (now === waiting) return;
    waiting = now;
    clearTimeout(timer);
    if (waiting !== '') timer = setTimeout(isLate, confirmationWaitMs);
  }

  // Made anew while this page has it open: the browser has thrown away what it held.
  const sayLost = () => {
    const count = packages.state().operations?.length ?? 0;
    if (count > 0) showError(words.storage.wiped(count), { durationMs: lostMs });
  };
  db.on('populate', sayLost);
  window.addEventListener(
    'beforeunload',
    (event) => {
      if (db.storage.fault() === 'none' && waiting !== '') event.preventDefault();
    },
    { signal },
  );
  const unsubscribe = packages.subscribe(check);
  document.addEventListener(
    'visibilitychange',
    () => {
      if (document.visibilityState === 'hidden' && waiting !== '') void askWorker();
    },
    { signal },
  );
  check();
  return () => {
    stopping.abort();
    db.on.populate.unsubscribe(sayLost);
    counting.unsubscribe();
    unsubscribe();
    clearTimeout(timer);
    showAppBadge(0);
  };
}
