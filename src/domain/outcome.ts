/**
 * What an answer means for the operation that was sent.
 * Decided from the kind of failure and the status, never from the text of an error.
 */

/** What the transport found, as plain data. `network`, `timeout`: no answer. `malformed`: an answer
 * that is not ours (HTML, truncated JSON, another shape). */
export interface Failure {
  kind: 'network' | 'timeout' | 'malformed' | 'http';
  /** 0 where no answer came. */
  status: number;
  /** Of our error body; '' where there was none. */
  code: string;
  message: string;
  fields?: Record<string, string>;
  /** Naira; what the balance lacks, with `insufficient_funds`. */
  missingNaira?: number;
  /** From Retry-After. */
  retryAfterMs?: number;
}

/** Why a session does not go on: the code of the refusal, and the sentence for its person. */
export type Verdict = Pick<Failure, 'code' | 'message'>;

/** The cookie may be another person's. Nothing has ended, and signing in clears it up. */
export const isUnclear = ({ code }: Verdict): boolean => code === 'session_unclear';

/** The mirror stays on a trusted device, for the next sign-in, unless the account is closed. */
export const endsMirror = ({ code }: Verdict, isTrusted: boolean): boolean =>
  !isTrusted || code === 'account_inactive';

/** No answer came at all: the network, not the server, is what was met. */
export function isUnanswered(failure: Pick<Failure, 'kind'> | null): boolean {
  return failure?.kind === 'network' || failure?.kind === 'timeout';
}

/**
 * The sentence for a call that is never queued and did not go through. Without an answer of ours it is
 * the network that is missing, also behind the page of a Wi-Fi; a gateway's 500 is the server's fault.
 */
export function sentenceOfFailure(
  failure: Failure | null,
  said: { needsNetwork: string; otherwise: string },
): string {
  if (failure === null) return said.otherwise;
  if (failure.kind === 'http') return failure.message || said.otherwise;
  return failure.status < 500 ? said.needsNetwork : said.otherwise;
}

export type OutcomeKind = 'rejected' | 'retry' | 'signedOut';

const retriedStatuses: ReadonlySet<number> = new Set([408, 425, 429]);
/**
 * No refusals: the first try of the same key is still being worked on (409), or this page has to be
 * updated before the server understands it (410).
 */
const retriedCodes: ReadonlySet<string> = new Set(['in_progress', 'app_outdated']);

/** The server speaks no contract as old as this page's: what waits goes out after the update. */
export function isOutdated(failure: Pick<Failure, 'code'> | null): boolean {
  return failure?.code === 'app_outdated';
}

/** A 401 here is one that stood after the refresh: the session is over, the operation is not. */
export function outcomeOf(failure: Failure): OutcomeKind {
  if (failure.kind !== 'http') return 'retry';
  if (failure.status === 401) return 'signedOut';
  if (retriedCodes.has(failure.code) || retriedStatuses.has(failure.status)) return 'retry';
  return failure.status >= 400 && failure.status < 500 ? 'rejected' : 'retry';
}
