/**
 * Top-ups in Paystack's protocol. Integer kobo.
 */
import * as v from 'valibot';
import { line } from '#contract/fields.ts';
import { referenceSchema } from '#contract/payment.ts';
import {
  createPaystackCall,
  type Heard,
  isSafeToAsk,
  isSafeToBegin,
  isUnknownReference,
  type PaystackNeeds,
  ProviderError,
} from './paystack-calls.ts';

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

const verifiedSchema = v.object({ status: v.literal(true), data: chargeSchema });
const initializedSchema = v.object({
  status: v.literal(true),
  data: v.object({
    authorization_url: v.pipe(v.string(), v.url(), v.regex(/^https?:/)),
    reference: v.string(),
  }),
});

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

export function createPaystack(needs: PaystackNeeds): PaymentProvider {
  const call = createPaystackCall(needs);
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
