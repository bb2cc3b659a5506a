/**
 * Watches the outbox of all tabs: icon badge, background sync, this tab's engine. Warns when the
 * browser evicts unsent changes, or when closing a page without storage would lose them.
 */
import { liveQuery } from 'dexie';
import type { SignedIn } from '#data/services.ts';
import { confirmationWaitMs } from '#data/submit-intent.ts';
import { countPending } from '#db/queries.ts';
import { device as words } from '#messages/en/device.ts';
import { outboxSyncTag, showAppBadge } from '#sync/outbox/background.ts';
import { showError } from '#ui/toast.tsx';

/** Data loss is shown longer than a failure. */
const lostToastMs = 10_000;

/** Background Sync: Chromium only, missing from TypeScript's DOM types. */
interface SyncRegistration {
  sync?: { register(tag: string): Promise<void> };
}

/** Requests a background sync, which sends the outbox even after all tabs close. */
async function requestBackgroundSync(): Promise<void> {
  try {
    const registration = await navigator.serviceWorker?.getRegistration();
    await (registration as SyncRegistration | undefined)?.sync?.register(outboxSyncTag);
  } catch {
    // Denied by the user or unsupported: the tabs send.
  }
}

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
    void requestBackgroundSync();
    // The tab that queued it may be closed: this one sends it, too.
    engine.request('enqueue');
  }

  const counting = liveQuery(() => countPending(db)).subscribe({
    next: showAppBadge,
    // Database failures are reported elsewhere; the badge keeps its number.
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

  // The database was recreated while open: the browser evicted its contents.
  const warnLost = () => {
    const count = packages.state().operations?.length ?? 0;
    if (count > 0) showError(words.storage.wiped(count), { durationMs: lostToastMs });
  };
  db.on('populate', warnLost);
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
      if (document.visibilityState === 'hidden' && waiting !== '') void requestBackgroundSync();
    },
    { signal },
  );
  check();
  return () => {
    stopping.abort();
    db.on.populate.unsubscribe(warnLost);
    counting.unsubscribe();
    unsubscribe();
    clearTimeout(timer);
    showAppBadge(0);
  };
}
