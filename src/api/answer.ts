/**
 * Reads a response: the contract's shape or a typed failure. A captive portal answers 200 with HTML
 * and a cut connection truncates JSON; both are neither success nor refusal, whatever the status.
 */
import * as v from 'valibot';
import { errorBodySchema } from '#contract/error-body.ts';
import { headers } from '#contract/headers.ts';
import { readBody } from '#contract/plain.ts';
import type { Route } from '#contract/routes.ts';
import type { Failure } from '#domain/outcome.ts';
import { packageFromWire } from '#domain/package.ts';
import { userFromWire } from '#domain/user.ts';
import { ApiFailure } from './failure.ts';

export interface Answer {
  status: number;
  /** Lower case, without parameters; '' if absent. */
  mediaType: string;
  retryAfter: string | null;
  /** The Date header; '' if absent. */
  date: string;
  sync: SyncHeaders;
  text: string;
}

export interface SyncHeaders {
  cursor: string | null;
  hasMore: boolean;
  isReset: boolean;
  /** The original response to this Idempotency-Key; its row may have changed since. */
  isReplayed: boolean;
}

/** Reads the whole body. Rejects if the connection breaks. */
export async function answerOf(response: Response): Promise<Answer> {
  const contentType = response.headers.get('content-type') ?? '';
  return {
    status: response.status,
    mediaType: (contentType.split(';')[0] ?? '').trim().toLowerCase(),
    retryAfter: response.headers.get(headers.retryAfter),
    date: response.headers.get('date') ?? '',
    sync: {
      cursor: response.headers.get(headers.syncCursor),
      hasMore: response.headers.get(headers.syncMore) === 'true',
      isReset: response.headers.get(headers.syncReset) === 'true',
      isReplayed: response.headers.get(headers.idempotencyReplayed) === 'true',
    },
    text: await response.text(),
  };
}

/**
 * Retry-After (seconds or HTTP date) → milliseconds from `nowMs`, the server's Date if present
 * because a phone's clock may be wrong. Undefined if absent.
 */
export function retryAfterMs(value: string | null, nowMs: number): number | undefined {
  if (value === null || value.trim() === '') return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Number(value) * 1000;
  const atMs = Date.parse(value);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function failureOf(
  answer: Answer,
  part: Pick<Failure, 'kind' | 'code' | 'message'> & {
    fields?: Record<string, string> | undefined;
    missingNaira?: number | undefined;
  },
): Failure {
  const { fields, missingNaira, ...rest } = part;
  const sentMs = Date.parse(answer.date);
  const nowMs = Number.isNaN(sentMs) ? Date.now() : sentMs;
  // Only our server's Retry-After counts; captive portals send it for everything.
  const isOurs = part.kind === 'http' && part.code !== '';
  const waitMs = isOurs ? retryAfterMs(answer.retryAfter, nowMs) : undefined;
  return {
    ...rest,
    status: answer.status,
    ...(fields === undefined ? {} : { fields }),
    ...(missingNaira === undefined ? {} : { missingNaira }),
    ...(waitMs === undefined ? {} : { retryAfterMs: waitMs }),
  };
}

function malformed(answer: Answer, cause?: unknown): ApiFailure {
  const message = 'The answer did not come from the server of this app.';
  return new ApiFailure(failureOf(answer, { kind: 'malformed', code: '', message }), undefined, {
    cause,
  });
}

/** Without a code: the `message` of a body in JSON, or plain text; '' if neither. */
function wordsOf({ mediaType, text }: Answer): string {
  const body = parseJson(text);
  if (typeof body === 'object' && body !== null && 'message' in body) {
    return typeof body.message === 'string' ? body.message.trim() : '';
  }
  const words = text.trim();
  return mediaType === 'text/plain' && !words.startsWith('<') ? words : '';
}

/** A success without a row, unless the body is a page made by something else, such as a portal. */
export function isDone({ status, mediaType, text }: Answer): boolean {
  const isSaid = text.trim() === '' || mediaType === 'text/plain' || parseJson(text) !== undefined;
  return status >= 200 && status < 300 && isSaid && !text.trim().startsWith('<');
}

/** The failure in a 4xx or 5xx: our error body, plain text as its message, or neither. */
function refusal(answer: Answer): ApiFailure {
  const body = v.safeParse(errorBodySchema, parseJson(answer.text));
  if (body.success) {
    const { code, message, fields, current, missing: missingNaira } = body.output;
    const failure = failureOf(answer, { kind: 'http', code, message, fields, missingNaira });
    if (current === undefined || answer.sync.isReplayed) return new ApiFailure(failure);
    const row = 'packageId' in current ? packageFromWire(current) : userFromWire(current);
    return new ApiFailure(failure, row);
  }
  const message = wordsOf(answer);
  if (message === '') return malformed(answer);
  return new ApiFailure(failureOf(answer, { kind: 'http', code: '', message }));
}

/** The failure in a response that should have been a stream. */
export function readRefusal(answer: Answer): ApiFailure {
  return answer.status >= 400 ? refusal(answer) : malformed(answer);
}

/**
 * Validates the body and converts it with `read`; throws ApiFailure otherwise. A GET needs the
 * route's exact status: a 206 is only a part.
 */
export function readAnswer<T>(
  answer: Answer,
  route: Pick<Route, 'method' | 'status' | 'answer'>,
  read: (body: unknown, sync: SyncHeaders) => T,
): T {
  const { status } = answer;
  if (status >= 400) throw refusal(answer);
  const isSuccess =
    route.method === 'GET' ? status === route.status : status >= 200 && status < 300;
  if (!isSuccess) throw malformed(answer);
  const body = readBody(route.answer, parseJson(answer.text));
  if (!body.success) throw malformed(answer, body.issues);
  try {
    return read(body.output, answer.sync);
  } catch (cause) {
    throw malformed(answer, cause);
  }
}
