/** Maps a response to its operation's outcome, by failure kind and status, never by text. */

/**
 * The transport's failure. `network`, `timeout`: no response. `malformed`: not a response of ours
 * (HTML, truncated JSON, another shape).
 */
export interface Failure {
  kind: 'network' | 'timeout' | 'malformed' | 'http';
  /** 0 without a response. */
  status: number;
  /** From our error body; '' without one. */
  code: string;
  message: string;
  fields?: Record<string, string>;
  /** Naira missing from the balance, with `insufficient_funds`. */
  missingNaira?: number;
  retryAfterMs?: number;
}

/** Why a session ended: the code of the refusal and its message. */
export type Verdict = Pick<Failure, 'code' | 'message'>;

/** The cookie may belong to another user. No session has ended; signing in resolves it. */
export const isUnclear = ({ code }: Verdict): boolean => code === 'session_unclear';

/** The wipe at the end of a session; never the outbox. `all`: drafts and their pictures, too. */
export type Wipe = 'nothing' | 'mirror' | 'all';

/** A trusted device keeps the mirror for the next sign-in, unless the account is deactivated. */
export function wipeAfter({ code }: Verdict, isTrusted: boolean): Wipe {
  if (!isTrusted) return 'all';
  return code === 'account_inactive' ? 'mirror' : 'nothing';
}

/** No response at all: the network failed, not the server. */
export function isUnanswered(failure: Pick<Failure, 'kind'> | null): boolean {
  return failure?.kind === 'network' || failure?.kind === 'timeout';
}

/**
 * Without a response of ours the network is to blame, even behind a captive portal's page; a
 * gateway's 500 is the server's fault.
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
/** Not refusals: the first attempt is still in progress (409); update the page first (410). */
const retriedCodes: ReadonlySet<string> = new Set(['in_progress', 'app_outdated']);

/** The server no longer supports this page's contract: queued work is sent after the update. */
export function isOutdated(failure: Pick<Failure, 'code'> | null): boolean {
  return failure?.code === 'app_outdated';
}

/** A 401 here remains after a refresh: the session is over, the operation is not. */
export function outcomeOf(failure: Failure): OutcomeKind {
  if (failure.kind !== 'http') return 'retry';
  if (failure.status === 401) return 'signedOut';
  if (retriedCodes.has(failure.code) || retriedStatuses.has(failure.status)) return 'retry';
  return failure.status >= 400 && failure.status < 500 ? 'rejected' : 'retry';
}
