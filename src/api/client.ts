/**
 * The only HTTP client. Sends one request and reports its outcome; retries belong to the engine.
 *
 *   no token? refresh as below, then
 *   send ──2xx──▶ done
 *     │──401/403──▶ refresh (one at a time, across tabs) ──ok──▶ send once more ──▶ its outcome
 *     │                │──refused with 401/403──▶ session ended (the queue is kept)
 *     │                └──no or another answer──▶ that failure; the session may still be valid
 *     └──anything else──▶ ApiFailure
 */
import ky from 'ky';
import type * as v from 'valibot';
import { appRefusals, isErrorCode } from '#contract/errors.ts';
import { headers } from '#contract/headers.ts';
import { contentDigest } from '#contract/proof.ts';
import { type AppRouteName, appRoutes, pathOf, type Route } from '#contract/routes.ts';
import { contractVersion } from '#contract/version.ts';
import { type Writer, writerText } from '#contract/writer.ts';
import { type Failure, isOutdated } from '#domain/outcome.ts';
import { readUserInfo } from '#domain/token.ts';
import { type Answer, answerOf, isDone, readAnswer, type SyncHeaders } from './answer.ts';
import { ApiFailure, isDenied, isUnauthorized, noAnswer } from './failure.ts';
import type { ApiOptions } from './ports.ts';
import { hearServerTime } from './server-time.ts';

export const requestTimeoutMs = 15_000;
export const refreshLockName = 'kaya-refresh';
/** For a whole picture at 3 kB a second, which is what EDGE leaves at the edge of a cell. */
export const pictureTimeoutMs = 90_000;
/** A frozen tab never releases the refresh lock; the server tolerates two concurrent refreshes. */
export const refreshWaitMs = 5_000;

type AnswerBody<N extends AppRouteName> = v.InferOutput<(typeof appRoutes)[N]['answer']>;

export interface CallOptions {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  /** Instead of a body: bytes, with their SHA-256 in base64. */
  picture?: { bytes: Blob; digest: string };
  /** Idempotency-Key of a mutation: the operation's id. */
  key?: string;
  writer?: Writer | undefined;
}

export interface ApiClient {
  /**
   * Sends with the bearer token; on 401 or 403 refreshes and retries once. Rejects with ApiFailure.
   * `unshown`: the result of a success of a plain server that does not show it.
   */
  call<N extends AppRouteName, T>(
    name: N,
    options: CallOptions,
    read: (body: AnswerBody<N>, sync: SyncHeaders) => T,
    unshown?: () => T | Promise<T>,
  ): Promise<T>;
  /** The same for `perform`, with this user's token. Rejects like `perform`. */
  authorized<T>(perform: (token: string) => Promise<T>): Promise<T>;
  /** Session endpoints (sign-up, login, logout): no token refresh. */
  callPlain<N extends AppRouteName, T>(
    name: N,
    options: CallOptions,
    read: (body: AnswerBody<N>, sync: SyncHeaders) => T,
    unshown?: () => T | Promise<T>,
  ): Promise<T>;
  /** Stores a fresh access token; concurrent calls share it. Rejects with the server's failure. */
  refresh(): Promise<string>;
}

const sessionExpired: Failure = {
  kind: 'http',
  status: appRefusals.session_expired.status,
  code: 'session_expired',
  message: appRefusals.session_expired.message,
};

/** The refresh cookie belongs to another user: of another tab, or planted. */
const sessionUnclear: Failure = {
  ...sessionExpired,
  code: 'session_unclear',
  message: appRefusals.session_unclear.message,
};

const keyHeaders = (key: string) => ({
  [headers.idempotencyKey]: key,
  [headers.sentAt]: new Date().toISOString(),
});

/** The token's user id; null without a readable token. */
function ownerOf(token: string | null): string | null {
  try {
    return readUserInfo(token).id || null;
  } catch {
    return null;
  }
}

const pictureHeaders = ({ bytes, digest }: NonNullable<CallOptions['picture']>) => ({
  'content-type': bytes.type,
  [headers.contentDigest]: contentDigest(digest),
});

export function createClient(options: ApiOptions): ApiClient {
  const { tokenStore, locks, baseUrl = '', timeoutMs = requestTimeoutMs } = options;
  const http = ky.create({
    credentials: 'include',
    retry: 0,
    throwHttpErrors: false,
    // ky's timeout ends at the headers; a stalled body would hold the sync lock for ever.
    timeout: false,
    cache: 'no-store',
    ...(options.fetch ? { fetch: options.fetch } : {}),
  });

  async function callPlain<N extends AppRouteName, T>(
    name: N,
    call: CallOptions,
    read: (body: AnswerBody<N>, sync: SyncHeaders) => T,
    unshown?: () => T | Promise<T>,
  ): Promise<T> {
    const route: Route = appRoutes[name];
    const token = tokenStore.get();
    const aborter = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => {
          reject(noAnswer('timeout', 'The server took too long.'));
          aborter.abort();
        },
        call.picture ? pictureTimeoutMs : timeoutMs,
      );
    });
    const askedAtMs = performance.now();
    let answer: Answer;
    try {
      const response = http(`${baseUrl}${pathOf(route.path, call.params)}`, {
        method: route.method,
        signal: aborter.signal,
        ...(call.query === undefined ? {} : { searchParams: call.query }),
        headers: {
          accept: 'application/json',
          [headers.contractVersion]: String(contractVersion),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(call.key === undefined ? {} : keyHeaders(call.key)),
          ...(call.writer ? { [headers.outbox]: writerText(call.writer) } : {}),
          ...(call.picture ? pictureHeaders(call.picture) : {}),
        },
        ...(call.picture ? { body: call.picture.bytes } : {}),
        ...(call.body === undefined ? {} : { json: call.body }),
      });
      answer = await Promise.race([response.then(answerOf), limit]);
    } catch (cause) {
      if (cause instanceof ApiFailure) throw cause;
      throw noAnswer('network', 'The server was not reached.', cause);
    } finally {
      clearTimeout(timer);
    }
    try {
      const found = readAnswer(answer, route, read as (body: unknown, sync: SyncHeaders) => T);
      // A captive portal's answer does not count.
      hearServerTime(answer.date, performance.now() - askedAtMs);
      return found;
    } catch (error) {
      if (error instanceof ApiFailure && isOutdated(error.failure)) options.onOutdated?.();
      if (unshown && isDone(answer) && (await options.isPlain?.())) return unshown();
      // A plain server has no other way to say that the session is over.
      const isBare = route.proof === 'cookie' && isUnauthorized(error);
      if (isBare && !isErrorCode(error.failure.code) && (await options.isPlain?.())) {
        throw new ApiFailure({ ...error.failure, code: sessionExpired.code });
      }
      throw error;
    }
  }

  let inFlight: Promise<string> | null = null;

  /** `stale`: the rejected token. Another refresh may have replaced it already. */
  async function refreshUnderLock(stale: string | null): Promise<string> {
    const present = tokenStore.get();
    if (present !== null && present !== stale) return present;
    try {
      const token = await callPlain('refresh', {}, (body) => body.accessToken);
      // The user signed in during the refresh: keep that token.
      const brought = tokenStore.get();
      if (brought !== null && brought !== stale) return brought;
      const expected = options.expectedUserId?.() ?? ownerOf(stale);
      if (expected !== null && ownerOf(token) !== expected) {
        throw new ApiFailure(sessionUnclear);
      }
      tokenStore.set(token);
      return token;
    } catch (error) {
      // Refused, but a newer token has arrived since.
      const arrived = tokenStore.get();
      if (isDenied(error) && arrived !== null && arrived !== stale) return arrived;
      // Not our server's answer, so it decides neither the session nor the operation.
      if (isUnauthorized(error) && !isErrorCode(error.failure.code)) {
        throw new ApiFailure({ ...error.failure, kind: 'malformed' }, undefined, { cause: error });
      }
      throw error;
    }
  }

  /** Serialized across tabs; takes the lock from a tab that holds it too long. */
  async function refreshInTurn(stale: string | null): Promise<string> {
    const own: { answer?: Promise<string> } = {};
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), options.refreshWaitMs ?? refreshWaitMs);
    const refresh = () => {
      clearTimeout(timer);
      own.answer = refreshUnderLock(stale);
      return own.answer;
    };
    const inTurn = locks.withLock(refreshLockName, refresh, { signal: waiting.signal });
    try {
      return await inTurn.catch((cause: unknown) => {
        if (own.answer || !waiting.signal.aborted) throw cause;
        return locks.withLock(refreshLockName, refresh, { isStolen: true });
      });
    } catch (cause) {
      if (!own.answer) throw cause;
      // Even if another tab has stolen the lock in the meantime.
      return await own.answer;
    } finally {
      clearTimeout(timer);
    }
  }

  function refreshFrom(stale: string | null): Promise<string> {
    inFlight ??= refreshInTurn(stale).finally(() => {
      inFlight = null;
    });
    return inFlight;
  }

  function hasOwnToken(): boolean {
    const token = tokenStore.get();
    const expected = options.expectedUserId?.() ?? null;
    return token !== null && (expected === null || ownerOf(token) === expected);
  }

  async function authorized<T>(perform: (token: string) => Promise<T>): Promise<T> {
    // After a reload there is no token, and a request without one would only fail. Another user's
    // token must not carry this user's work.
    if (!hasOwnToken()) await refreshOrEnd(tokenStore.get());
    const used = tokenStore.get();
    try {
      return await perform(used ?? '');
    } catch (error) {
      // A wrong password, typed again within a session, says nothing about the session.
      if (!isUnauthorized(error) || error.failure.code === 'wrong_password') throw error;
    }
    const owner = ownerOf(used) ?? options.expectedUserId?.() ?? null;
    if (tokenStore.get() === used) await refreshOrEnd(used);
    // Another user has signed in since: their token must not carry this user's request.
    const token = tokenStore.get();
    if (owner !== null && ownerOf(token) !== owner) throw new ApiFailure(sessionExpired);
    return perform(token ?? '');
  }

  function call<N extends AppRouteName, T>(
    name: N,
    callOptions: CallOptions,
    read: (body: AnswerBody<N>, sync: SyncHeaders) => T,
    unshown?: () => T | Promise<T>,
  ): Promise<T> {
    return authorized(() => callPlain(name, callOptions, read, unshown));
  }

  async function refreshOrEnd(used: string | null): Promise<void> {
    const isFirst = inFlight === null;
    try {
      await refreshFrom(used);
    } catch (error) {
      if (!isDenied(error)) throw error;
      // Concurrent callers share the refresh; report its failure once.
      const { code, message } = error.failure;
      // Deactivated users get the server's message: signing in again would not help.
      const said = code === 'account_inactive' && message ? message : sessionExpired.message;
      if (isFirst) options.onSessionEnded({ code, message: said });
      throw new ApiFailure(sessionExpired, undefined, { cause: error });
    }
  }

  return { call, authorized, callPlain, refresh: () => refreshFrom(tokenStore.get()) };
}
