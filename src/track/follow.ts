/**
 * Keeps the recipient's page true: by the server's event stream, and by asking for the page while the
 * stream is cut or blocked.
 *
 *   ┌──────── bytes ─────────┐
 *   ▼                        │
 *  live ──end, silence──▶ asking        hidden: neither   visible, online: the stream first
 */

/** The server's stream sends something at least this often (server/config/timeouts.ts). */
const heartbeatMs = 25_000;
/** Two heartbeats, and the delay of a slow network. */
export const silenceMs = 2 * heartbeatMs + 5_000;
/** Some networks hold back all of a stream: there the first byte never comes. */
export const firstByteMs = 15_000;
/** A stream begins with how things are, so the page is asked for only where none comes in time. */
export const firstAskMs = 5_000;

const leastPauseMs = 15_000;
const mostPauseMs = 30_000;
/** Readers whose server restarts do not all ask in the same moment. */
const mostFirstPauseMs = 3_000;
const longestStreamPauseMs = 4 * 60_000;

export type Contact =
  | { kind: 'live' }
  /** `at`: when the server last said how things are, in ms since the epoch. */
  | { kind: 'asked'; at: number }
  | { kind: 'cut'; at: number | null };

export interface Ports {
  /** Reads the stream until it ends or fails; `onState`: it said how things are. */
  stream(signal: AbortSignal, on: { bytes(): void; state(): void }): Promise<void>;
  /** Asks for the page and shows it. Rejects if there is no answer. */
  ask(signal: AbortSignal): Promise<void>;
  tell(contact: Contact): void;
  /** Between 0 and 1. */
  random?(): number;
}

export interface Follower {
  /** The stream brings changes in order; a response may be older. */
  isLive(): boolean;
  /** The page is seen again, or there is a network again. */
  wake(): void;
  /** Nothing is asked or heard in the background. */
  rest(): void;
}

/** Starts at rest. `saidAt`: when the page came from the server, in ms since the epoch. */
export function follow(ports: Ports, saidAt: number): Follower {
  const { random = Math.random } = ports;
  let lastSaidAt: number | null = saidAt;
  let isLive = false;
  let current: AbortController | null = null;
  let asking: AbortController | null = null;
  let askTimer: ReturnType<typeof setTimeout> | undefined;
  let streamFailures = 0;
  let streamDueAt = 0;

  const planAsk = (ms: number) => {
    clearTimeout(askTimer);
    askTimer = setTimeout(() => void ask(), ms);
  };

  const said = () => {
    lastSaidAt = Date.now();
    ports.tell(isLive ? { kind: 'live' } : { kind: 'asked', at: lastSaidAt });
  };

  /** Goes on until there is a stream again. */
  async function ask(): Promise<void> {
    if (isLive || asking) return;
    if (Date.now() >= streamDueAt) open();
    const own = new AbortController();
    asking = own;
    const limit = setTimeout(() => own.abort(), mostPauseMs);
    try {
      await ports.ask(own.signal);
      if (asking === own) said();
    } catch {
      if (asking === own && !isLive) ports.tell({ kind: 'cut', at: lastSaidAt });
    } finally {
      clearTimeout(limit);
    }
    if (asking !== own) return;
    asking = null;
    if (!isLive) planAsk(leastPauseMs + random() * (mostPauseMs - leastPauseMs));
  }

  function open(): void {
    if (current) return;
    const own = new AbortController();
    current = own;
    let silence = setTimeout(() => own.abort(), firstByteMs);
    const bytes = () => {
      if (current !== own) return;
      clearTimeout(silence);
      silence = setTimeout(() => own.abort(), silenceMs);
      isLive = true;
      streamFailures = 0;
    };
    const state = () => {
      if (current !== own) return;
      // The answer under way may be older than this event.
      asking?.abort();
      asking = null;
      said();
    };
    const end = () => {
      clearTimeout(silence);
      if (current !== own) return;
      current = null;
      isLive = false;
      streamDueAt = Date.now() + Math.min(leastPauseMs * 2 ** streamFailures, longestStreamPauseMs);
      streamFailures += 1;
      planAsk(random() * mostFirstPauseMs);
    };
    // An abort ends it even where the reading itself hangs.
    const aborted = new Promise<void>((resolve) =>
      own.signal.addEventListener('abort', () => resolve(), { once: true }),
    );
    Promise.race([ports.stream(own.signal, { bytes, state }), aborted]).then(end, end);
  }

  return {
    isLive: () => isLive,
    wake() {
      streamFailures = 0;
      streamDueAt = 0;
      // A request sent without a network may hang.
      asking?.abort();
      asking = null;
      if (isLive) return;
      open();
      planAsk(firstAskMs);
    },
    rest() {
      isLive = false;
      clearTimeout(askTimer);
      asking?.abort();
      asking = null;
      current?.abort();
      current = null;
    },
  };
}
