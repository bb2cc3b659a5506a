/**
 * No transaction is open while the provider is called: the row is written first, so that a crash in
 * between leaves something to reconcile.
 */
import { randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { InitiatedPayment, VerifiedPayment } from '#contract/payment.ts';
import { koboToNaira, nairaToKobo } from '#domain/money.ts';
import type { Database } from '#server/database/database.ts';
import { invalidField, Refusal } from '#server/http/refusal.ts';
import { readUtf8 } from '#server/http/utf8.ts';
import { isSignatureOf } from '#server/http/webhook.ts';
import {
  type Charge,
  chargeSchema,
  type PaymentProvider,
} from '#server/modules/payments/providers/paystack.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import { findUser } from '#server/modules/users/repository.ts';
import { findTopUp, insertTopUp, type TopUpRow, updateTopUp } from './repository.ts';
import { isSettled, settle } from './settle.ts';

export interface PaymentLog {
  error(details: object, message: string): void;
  warn(details: object, message: string): void;
}

export interface PaymentNeeds {
  db: Database;
  provider: PaymentProvider;
  providerName: TopUpRow['provider'];
  secretKey: string;
  now: () => Date;
  log: PaymentLog;
  /** Gets every signed event too. */
  alsoHear?: (event: unknown) => Promise<void>;
}

interface Initiation {
  userId: string;
  email: string;
  amountNaira: number;
  callbackUrl: string;
}

export interface PaymentService {
  /** Refuses with `invalid_fields` (not the user's own e-mail) or `provider_unavailable`. */
  initiate(initiation: Initiation): Promise<(tx: Database) => Promise<InitiatedPayment>>;
  /** Refuses with `not_found` for other users' top-ups. */
  verify(userId: string, reference: string): Promise<VerifiedPayment>;
  /** Refuses with `signature_invalid`, or `malformed` for a signed body that is not JSON. */
  hear(rawBody: Buffer, signature: string): Promise<void>;
  /** Asks the provider about a top-up and settles the result. Throws ProviderError. */
  check(row: TopUpRow, stop?: AbortSignal): Promise<TopUpRow>;
}

const jsonSchema = v.pipe(v.string(), v.parseJson());
const webhookSchema = v.object({
  event: v.literal('charge.success'),
  data: v.pipe(
    chargeSchema,
    v.check(({ status }) => status === 'success'),
  ),
});

const retryAfterSeconds = 5;

function verifiedOf({ status, reference, creditedKobo }: TopUpRow): VerifiedPayment {
  return { depositedAmount: koboToNaira(creditedKobo ?? 0), status, reference };
}

export function createPaymentService(needs: PaymentNeeds): PaymentService {
  const { db, provider, providerName, secretKey, now, log, alsoHear } = needs;

  const settled = (charge: Charge) =>
    settle(db, charge, now(), ({ reference, problem }) =>
      log.error({ reference, problem }, 'a top-up needs a dispatcher'),
    );

  const check: PaymentService['check'] = async (row, stop) => {
    const charge = await provider.verify(row.reference, stop);
    return (charge && (await settled(charge))) ?? row;
  };

  return {
    check,

    initiate: async ({ userId, email, amountNaira, callbackUrl }) => {
      const user = await findUser(db, userId);
      if (user?.email !== email) throw invalidField('email', 'Must be your own e-mail address.');
      const reference = `kaya_${randomBytes(16).toString('hex')}`;
      const requestedKobo = nairaToKobo(amountNaira);
      const createdAt = now();
      await insertTopUp(db, {
        reference,
        userId,
        provider: providerName,
        requestedKobo,
        createdAt,
      });
      try {
        const request = { email, amountKobo: requestedKobo, reference, callbackUrl };
        const { authorizationUrl } = await provider.initialize(request);
        return async (tx) => {
          await updateTopUp(tx, reference, { authorizationUrl });
          return { data: { authorization_url: authorizationUrl, reference } };
        };
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.error(
          { reference, fault: error.fault, status: error.status },
          'the provider did not initialize a top-up',
        );
        throw new Refusal('provider_unavailable', { retryAfterSeconds });
      }
    },

    verify: async (userId, reference) => {
      const row = await findTopUp(db, reference);
      if (row?.userId !== userId) throw new Refusal('not_found');
      if (isSettled(row)) return verifiedOf(row);
      try {
        return verifiedOf(await check(row));
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error;
        log.warn(
          { reference, fault: error.fault, status: error.status },
          'the outcome of a top-up is unknown',
        );
        // An unknown outcome is pending, whatever is stored.
        return { depositedAmount: 0, status: 'pending', reference };
      }
    },

    hear: async (rawBody, signature) => {
      if (!isSignatureOf(rawBody, secretKey, signature)) throw new Refusal('signature_invalid');
      const body = v.safeParse(jsonSchema, readUtf8(rawBody));
      if (!body.success) throw new Refusal('malformed');
      const parsed = v.safeParse(webhookSchema, body.output);
      if (parsed.success) await settled(parsed.output.data);
      await alsoHear?.(body.output);
    },
  };
}
