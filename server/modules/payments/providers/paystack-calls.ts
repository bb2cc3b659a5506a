/**
 * Calls of Paystack's protocol: deadline, attempts, and what counts as no answer. A response outside its
 * schema counts as none.
 */
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { withDeadline } from '#server/config/timeouts.ts';
import { isUnreached } from '#server/http/unreached.ts';

const jsonSchema = v.fallback(v.pipe(v.string(), v.parseJson()), undefined);

/**
 * silent: no answer in time. broken: a 5xx, or not the protocol. refused: our request was rejected.
 */
type Fault = 'unreachable' | 'silent' | 'broken' | 'refused';

export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly fault: Fault;
  readonly status: number | undefined;

  constructor(fault: Fault, status?: number) {
    super(`the payment provider: ${fault}${status === undefined ? '' : ` (${status})`}`);
    this.fault = fault;
    this.status = status;
  }
}

export interface PaystackNeeds {
  /** Called each time: the sandbox's address is known only once it listens. */
  baseUrl: () => string;
  secretKey: string;
  /** Per attempt. */
  timeoutMs?: number;
  /** Before the second attempt; the third waits twice as long. */
  backOffMs?: number;
}

const tries = 3;

interface Extras {
  body?: object;
  stop?: AbortSignal;
}

/** `json` is undefined if the body is not JSON. */
export interface Heard {
  status: number;
  json: unknown;
}

/** A timed-out request may have arrived: verifying again is safe, initializing again is not. */
export const isSafeToBegin = ({ fault, status }: ProviderError) =>
  fault === 'unreachable' || (fault === 'broken' && status !== undefined && status >= 500);
export const isSafeToAsk = ({ fault }: ProviderError) => fault !== 'refused';

export type PaystackCall = <T>(
  path: string,
  isSafe: (error: ProviderError) => boolean,
  read: (answer: Heard) => T,
  extras?: Extras,
) => Promise<T>;

/** `isSafe`: may the call be repeated after this error? `read` turns a response into its result. */
export function createPaystackCall(needs: PaystackNeeds): PaystackCall {
  const { baseUrl, secretKey, timeoutMs = 8000, backOffMs = 300 } = needs;

  async function callOnce(path: string, { body, stop }: Extras): Promise<Heard> {
    const url = `${baseUrl()}${path}`;
    const hear = async (signal: AbortSignal): Promise<Heard> => {
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${secretKey}`,
          accept: 'application/json',
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
        redirect: 'error',
        signal,
      });
      // Within the timeout too: a body may trickle.
      return { status: response.status, json: v.parse(jsonSchema, await response.text()) };
    };
    try {
      return await withDeadline(timeoutMs, stop, hear);
    } catch (error) {
      throw new ProviderError(isUnreached(error) ? 'unreachable' : 'silent');
    }
  }

  return async (path, isSafe, read, extras = {}) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const answer = await callOnce(path, extras);
        if (answer.status >= 500 || answer.status === 429) {
          throw new ProviderError('broken', answer.status);
        }
        return read(answer);
      } catch (error) {
        const mayTryAgain = attempt < tries && !extras.stop?.aborted;
        if (!(error instanceof ProviderError && isSafe(error) && mayTryAgain)) throw error;
        await wait(backOffMs * attempt * (0.5 + Math.random()));
      }
    }
  };
}

/** Only in the protocol's own shape: a gateway returns 404 for anything. */
const unknownSchema = v.object({ status: v.literal(false), message: v.string() });

export function isUnknownReference(status: number, json: unknown): boolean {
  return (status === 404 || status === 400) && v.is(unknownSchema, json);
}
