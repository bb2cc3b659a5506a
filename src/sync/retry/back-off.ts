/** How long to wait before the next try (full jitter, no cap on tries), and what shortens the wait. */
import type { OutboxRow } from '#db/user-database.ts';
import type { Failure } from '#domain/outcome.ts';

const baseMs = 1_000;
const capMs = 60_000;
/** Full jitter may draw next to nothing; a phone must not turn that into a busy loop. */
const floorMs = 100;
/** A server that asks for more than this is asked again anyway: an hour is a shift's worth of trust. */
const retryAfterCapMs = 3_600_000;

const firstPauseMs = 60_000;
const lastPauseMs = 900_000;

/**
 * Milliseconds until a session that the server does not accept is tried once more, after `denials`
 * in a row: half a minute at least, a quarter of an hour at most. Mostly it is really over; but a
 * gateway's hiccup or a key that is being changed must not end somebody's working day.
 */
export function pauseMs(denials: number, random: () => number): number {
  const mostMs = Math.min(lastPauseMs, firstPauseMs * 2 ** Math.max(0, denials - 1));
  return Math.round(((1 + random()) * mostMs) / 2);
}

/** Milliseconds: anything from 0.1 s to 1 s, 2 s, 4 s … 60 s after 1, 2, 3 … failed tries. */
export function backOffMs(tries: number, random: () => number): number {
  const mostMs = Math.min(capMs, baseMs * 2 ** Math.max(0, tries - 1));
  return Math.max(floorMs, Math.round(random() * mostMs));
}

/**
 * Milliseconds to leave an operation or a pull alone after `failure`, its `tries`th. Retry-After is
 * a least time; the jitter on top keeps a thousand phones from coming back in the same instant.
 */
export function waitAfter(failure: Failure, tries: number, random: () => number): number {
  if (failure.retryAfterMs === undefined) return backOffMs(tries, random);
  return Math.min(failure.retryAfterMs, retryAfterCapMs) + Math.round(random() * baseMs);
}

/**
 * Which backed-off operations are tried: `due` those whose time has come; `network` also those that
 * only found no network; `all` all but those whose time the server itself named; `forced` all: a
 * person has pressed for it.
 */
export type RetryScope = 'due' | 'network' | 'all' | 'forced';

const scopes: readonly RetryScope[] = ['due', 'network', 'all', 'forced'];

export function widerScope(one: RetryScope, other: RetryScope): RetryScope {
  return scopes.indexOf(one) > scopes.indexOf(other) ? one : other;
}

export function isBackedOff(row: OutboxRow, nowMs: number, scope: RetryScope): boolean {
  const { backoff } = row;
  if (backoff === null || scope === 'forced' || nowMs >= backoff.untilMs || nowMs < backoff.fromMs)
    return false;
  if (backoff.isServerRequested || scope === 'due') return true;
  return scope === 'network' && row.lastError?.code !== 'network';
}
