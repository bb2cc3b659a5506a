/** Waits between attempts (full jitter, unlimited attempts), and the overrides. */
import type { OutboxRow } from '#db/user-database.ts';
import type { Failure } from '#domain/outcome.ts';

const baseMs = 1_000;
const capMs = 60_000;
/** Full jitter may draw almost 0, which would busy-loop. */
const floorMs = 100;
/** Longer Retry-After values are cut to an hour. */
const retryAfterCapMs = 3_600_000;

const firstPauseMs = 60_000;
const lastPauseMs = 900_000;

/**
 * Milliseconds until a rejected session is retried after `denials` in a row, between 0.5 and 15
 * minutes. It is usually over, but a gateway error or a key rotation must not end a working day.
 */
export function pauseMs(denials: number, random: () => number): number {
  const mostMs = Math.min(lastPauseMs, firstPauseMs * 2 ** Math.max(0, denials - 1));
  return Math.round(((1 + random()) * mostMs) / 2);
}

/** Milliseconds: random up to 1 s, 2 s, 4 s … 60 s after 1, 2, 3 … failed tries, at least 0.1 s. */
export function backOffMs(tries: number, random: () => number): number {
  const mostMs = Math.min(capMs, baseMs * 2 ** Math.max(0, tries - 1));
  return Math.max(floorMs, Math.round(random() * mostMs));
}

/** Milliseconds to wait after `failure` number `tries`; at least Retry-After, with jitter. */
export function waitAfter(failure: Failure, tries: number, random: () => number): number {
  if (failure.retryAfterMs === undefined) return backOffMs(tries, random);
  return Math.min(failure.retryAfterMs, retryAfterCapMs) + Math.round(random() * baseMs);
}

/**
 * Selects backed-off operations to retry. `due`: those whose wait is over; `network`: also those
 * that only lacked a network; `all`: all but those under Retry-After; `forced`: all (user request).
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
