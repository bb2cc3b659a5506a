/**
 * Client of Paystack's protocol. A response outside its schema counts as no answer. Integer kobo.
 */
import { setTimeout as wait } from 'node:timers/promises';
import * as v from 'valibot';
import { line } from '#contract/fields.ts';
import { referenceSchema } from '#contract/payment.ts';
import { withDeadline } from '#server/config/timeouts.ts';
import { isUnreached } from '#server/http/unreached.ts';

const kobo = v.pipe(v.number(), v.safeInteger(), v.minValue(1));

/** A charge, as in a response to `verify` and in a webhook. */
export const chargeSchema = v.pipe(
  v.object({
    status: v.pipe(v.string(), v.nonEmpty(), v.maxLength(40)),
    reference: referenceSchema,
    amount: kobo,
    currency: line(10),
  }),
  v.transform(({ amount, ...rest }) => ({ ...rest, amountKobo: amount })),
);
export type Charge = v.InferOutput<typeof chargeSchema>;

const jsonSchema = v.fallback(v.pipe(v.string(), v.parseJson()), undefined);
const verifiedSchema = v.object({ status: v.literal(true), data: chargeSchema });
const initializedSchema = v.object({
  status: v.literal(true),
  data: v.object({
    authorization_url: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
    reference: v.string(),
  }),
});

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

export interface TopUpRequest {
  email: string;
  amountKobo: number;
  reference: string;
  callbackUrl: string;
}

export interface PaymentProvider {
  /** Resolves with the URL of the payment page. Throws ProviderError. */
  initialize(request: TopUpRequest): Promise<{ authorizationUrl: string }>;
  /** Null: unknown reference. Throws ProviderError, immediately on `stop`. */
  verify(reference: string, stop?: AbortSignal): Promise<Charge | null>;
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
interface Heard {
  status: number;
  json: unknown;
}

/** A timed-out request may have arrived: verifying again is safe, initializing again is not. */
const isSafeToBegin = ({ fault, status }: ProviderError) =>
  fault === 'unreachable' || (fault === 'broken' && status !== undefined && status >= 500);
const isSafeToAsk = ({ fault }: ProviderError) => fault !== 'refused';

export function createPaystack(needs: PaystackNeeds): PaymentProvider {
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

  async function call<T>(
    path: string,
    isSafe: (error: ProviderError) => boolean,
    read: (answer: Heard) => T,
    extras: Extras,
  ): Promise<T> {
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
  }

  return {
    initialize: async ({ email, amountKobo, reference, callbackUrl }) => {
      const body = { email, amount: amountKobo, reference, currency: 'NGN' };
      const read = ({ status, json }: Heard) => {
        if (status >= 400) throw new ProviderError('refused', status);
        const parsed = v.safeParse(initializedSchema, json);
        if (!parsed.success || parsed.output.data.reference !== reference) {
          throw new ProviderError('broken');
        }
        return parsed.output.data.authorization_url;
      };
      const authorizationUrl = await call('/transaction/initialize', isSafeToBegin, read, {
        body: { ...body, callback_url: callbackUrl },
      });
      return { authorizationUrl };
    },

    verify: async (reference, stop) => {
      const read = ({ status, json }: Heard): Charge | null => {
        if (isUnknownReference(status, json)) return null;
        if (status >= 400) throw new ProviderError('refused', status);
        const parsed = v.safeParse(verifiedSchema, json);
        if (!parsed.success) throw new ProviderError('broken');
        if (parsed.output.data.reference !== reference) throw new ProviderError('broken');
        return parsed.output.data;
      };
      const path = `/transaction/verify/${encodeURIComponent(reference)}`;
      return call(path, isSafeToAsk, read, stop ? { stop } : {});
    },
  };
}

/** Only in the protocol's own shape: a gateway returns 404 for anything. */
const unknownSchema = v.object({ status: v.literal(false), message: v.string() });

function isUnknownReference(status: number, json: unknown): boolean {
  return (status === 404 || status === 400) && v.is(unknownSchema, json);
}
