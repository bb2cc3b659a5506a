/**
 * Receives change events between polls: one stream per user across all visible tabs, which share
 * the database. Over HTTP/1.1 a browser has only six connections per host.
 *
 *   visible ─▶ waiting ──lock──▶ listening ──ended or broken──▶ back-off ──▶ listening …
 *    │ ▲          └───────────────┴──────── hidden: lock released ────────┘
 *    └─┘                                    the next visible tab gets it
 */
import type { EventsApi } from '#api/events.ts';
import { isDenied } from '#api/failure.ts';
import type { Locks } from '#api/ports.ts';
import type { Clock } from '#db/clock.ts';
import { backOffMs } from '#sync/retry/back-off.ts';

/** A stream that lasted this long does not count as a failure. */
const goodStreamMs = 30_000;

export interface ServerEventsNeeds {
  api: EventsApi;
  locks: Locks;
  clock: Clock;
  random(): number;
  userId: string;
  /** Something changed, or may have while not listening. */
  onChange(): void;
}

export function createServerEvents(needs: ServerEventsNeeds) {
  const { api, locks, clock, random, userId, onChange } = needs;
  let listening: AbortController | null = null;
  let endWait = () => {};

  function wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const cancel = clock.after(delayMs, resolve);
      endWait = () => {
        cancel();
        resolve();
      };
      signal.addEventListener('abort', endWait, { once: true });
    });
  }

  async function listen(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const fromMs = clock.now();
      try {
        await api.listenForChanges({ signal, onOpen: onChange, onChange });
      } catch (error) {
        // The session is over; its own handler has been called.
        if (isDenied(error)) return;
      }
      if (signal.aborted) return;
      failures = clock.now() - fromMs >= goodStreamMs ? 1 : failures + 1;
      await wait(backOffMs(failures, random), signal);
    }
  }

  function start() {
    const controller = new AbortController();
    const { signal } = controller;
    listening = controller;
    locks
      .withLock(`kaya-events-${userId}`, () => listen(signal), { signal })
      // Aborted while waiting, or no lock available: polling remains.
      .catch(() => undefined);
  }

  function stop() {
    listening?.abort();
    listening = null;
  }

  return {
    /** Whether this tab is visible. */
    setSeen(isSeen: boolean) {
      if (isSeen && !listening) start();
      if (!isSeen) stop();
    },
    /** The network may be back: ends the back-off. */
    wake: () => endWait(),
    stop,
  };
}
