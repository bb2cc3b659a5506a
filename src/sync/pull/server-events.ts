/**
 * Receives events between polls: one stream per user across all visible tabs, which share the
 * database. Over HTTP/1.1 a browser has only six connections per host.
 *
 *   visible ─▶ waiting ──lock──▶ listening ──ended or broken──▶ back-off ──▶ listening …
 *    │ ▲          └───────────────┴──────── hidden: lock released ────────┘
 *    └─┘                                    the next visible tab gets it
 */
import type { EventsApi } from '#api/events.ts';
import { isDenied } from '#api/failure.ts';
import type { Locks } from '#api/ports.ts';
import type { Clock } from '#db/clock.ts';
import type { SyncEngine } from '#sync/engine.ts';
import { backOffMs } from '#sync/retry/back-off.ts';

/** A stream that lasted this long does not count as a failure. */
const goodStreamMs = 30_000;

/** A server that sends rows says so first; after this long, one that sends none is assumed. */
const helloWaitMs = 2_000;

export interface ServerEventsNeeds {
  api: EventsApi;
  locks: Locks;
  clock: Clock;
  random(): number;
  userId: string;
  engine: Pick<SyncEngine, 'request' | 'openStream'>;
}

export function createServerEvents(needs: ServerEventsNeeds) {
  const { api, locks, clock, random, userId, engine } = needs;
  let listening: AbortController | null = null;
  let endWait = () => {};

  function wait(delayMs: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        cancel();
        signal.removeEventListener('abort', end);
        resolve();
      };
      const cancel = clock.after(delayMs, end);
      signal.addEventListener('abort', end);
      endWait = end;
    });
  }

  const onChange = () => engine.request('event');

  /** Until the stream ends, breaks or is no longer of use. */
  async function listenOnce(signal: AbortSignal): Promise<void> {
    const ending = new AbortController();
    const end = () => ending.abort();
    let stopWaiting = () => {};
    const stream = await engine.openStream(end);
    signal.addEventListener('abort', end);
    try {
      if (signal.aborted) return;
      await api.listenForChanges({
        signal: ending.signal,
        area: stream.area,
        onOpen: () => {
          stopWaiting = clock.after(helloWaitMs, onChange);
        },
        onHello: (at) => {
          stopWaiting();
          stream.hello(at);
        },
        onRows: stream.rows,
        onUnreadable: stream.unreadable,
        onChange,
      });
    } finally {
      stopWaiting();
      signal.removeEventListener('abort', end);
      stream.close();
    }
  }

  async function listen(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      const fromMs = clock.now();
      try {
        await listenOnce(signal);
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
