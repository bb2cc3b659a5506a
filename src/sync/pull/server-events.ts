/**
 * Hearing of changes immediately instead of at the next poll:
 * one stream per user over all tabs, for as long as somebody can see one of them. What it hears is
 * pulled into the database that the tabs share, so the others need no stream of their own; over
 * HTTP/1.1 a browser has six connections for all of them.
 *
 *   seen ─▶ waiting ──lock──▶ listening ──ended or broken──▶ back-off ──▶ listening …
 *    │ ▲        └───────────────┴──────── unseen: lock given back ────────┘
 *    └─┘                                  a visible tab that waited has it next
 */
import type { EventsApi } from '#api/events.ts';
import { isDenied } from '#api/failure.ts';
import type { Locks } from '#api/ports.ts';
import type { Clock } from '#db/clock.ts';
import { backOffMs } from '#sync/retry/back-off.ts';

/** A stream that lived this long was a good one: its end is no failure. */
const goodStreamMs = 30_000;

export interface ServerEventsNeeds {
  api: EventsApi;
  locks: Locks;
  clock: Clock;
  random(): number;
  userId: string;
  /** Something changed, or may have while no tab listened. */
  onChange(): void;
}

export interface ServerEvents {
  /** Somebody sees this tab, or does so no longer. */
  setSeen(isSeen: boolean): void;
  /** The network may be back: the wait before the next try ends now. */
  wake(): void;
  stop(): void;
}

export function createServerEvents(needs: ServerEventsNeeds): ServerEvents {
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
      // Given up while waiting, or no lock to be had: the polls remain.
      .catch(() => undefined);
  }

  function stop() {
    listening?.abort();
    listening = null;
  }

  return {
    setSeen(isSeen) {
      if (isSeen && !listening) start();
      if (!isSeen) stop();
    },
    wake: () => endWait(),
    stop,
  };
}
