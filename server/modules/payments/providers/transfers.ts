/** Banks, recipients and transfers in Paystack's protocol. Integer kobo. */
import * as v from 'valibot';
import { type Bank, bankCodeSchema } from '#contract/payout.ts';
import {
  createPaystackCall,
  type Heard,
  isSafeToAsk,
  isUnknownReference,
  type PaystackNeeds,
  ProviderError,
} from './paystack-calls.ts';

/** A transfer to a bank. `status` in Paystack's words: success, pending, otp, failed, reversed, … */
export const transferSchema = v.pipe(
  v.object({
    status: v.pipe(v.string(), v.nonEmpty(), v.maxLength(40)),
    reference: v.string(),
    amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
    currency: v.pipe(v.string(), v.maxLength(10)),
  }),
  v.transform(({ amount, ...rest }) => ({ ...rest, amountKobo: amount })),
);
export type Transfer = v.InferOutput<typeof transferSchema>;

const okOf = <S extends v.GenericSchema>(data: S) => v.object({ status: v.literal(true), data });

const transferredSchema = okOf(transferSchema);
const accountSchema = okOf(v.object({ account_name: v.pipe(v.string(), v.nonEmpty()) }));
const recipientSchema = okOf(v.object({ recipient_code: v.pipe(v.string(), v.nonEmpty()) }));
const bankListSchema = okOf(
  v.array(v.object({ code: v.string(), name: v.string(), active: v.optional(v.boolean(), true) })),
);

export interface Account {
  bankCode: string;
  accountNumber: string;
}

export interface TransferRequest {
  /** The provider carries out one transfer for it, however often it is sent. */
  reference: string;
  recipientCode: string;
  amountKobo: number;
  /** The bank shows it beside the amount. */
  reason: string;
}

/** All throw ProviderError. */
export interface TransferProvider {
  banks(): Promise<Bank[]>;
  /** The name of who has the account. Null: the bank does not know it. */
  resolve(account: Account): Promise<string | null>;
  /** Resolves with the recipient's code. */
  addRecipient(account: Account & { name: string }): Promise<string>;
  /**
   * Null: a transfer of this reference exists, to be asked about. Throws `refused` if none was made,
   * any other fault if there may be one.
   */
  transfer(request: TransferRequest): Promise<Transfer | null>;
  /** Null: unknown reference. Rejects immediately on `stop`. */
  verifyTransfer(reference: string, stop?: AbortSignal): Promise<Transfer | null>;
}

/** A repeated transfer is safe by its reference, but its refusal would say nothing of the first. */
const isSafeToSend = ({ fault }: ProviderError) => fault === 'unreachable';

/** In the protocol's own shape. Codes are newer than messages, and not on every answer. */
const refusalSchema = v.object({
  status: v.literal(false),
  message: v.string(),
  code: v.optional(v.string()),
});

function isDuplicate(json: unknown): boolean {
  const parsed = v.safeParse(refusalSchema, json);
  if (!parsed.success) return false;
  const { code = '', message } = parsed.output;
  return code === 'duplicate_reference' || /reference/i.test(message);
}

function readAs<S extends v.GenericSchema>(schema: S, { status, json }: Heard): v.InferOutput<S> {
  if (status >= 400) throw new ProviderError('refused', status);
  const parsed = v.safeParse(schema, json);
  if (!parsed.success) throw new ProviderError('broken');
  return parsed.output;
}

/** No word of the protocol, a wrong key or a wrong address: nothing about this request. */
const isOfNone = ({ status, json }: Heard) =>
  !v.is(refusalSchema, json) || status === 401 || status === 403 || status === 404;

function readTransfer(reference: string, heard: Heard): Transfer {
  const { data } = readAs(transferredSchema, heard);
  if (data.reference !== reference) throw new ProviderError('broken');
  return data;
}

export function createTransfers(needs: PaystackNeeds): TransferProvider {
  const call = createPaystackCall(needs);
  return {
    banks: () =>
      call('/bank?country=nigeria', isSafeToAsk, (heard) => {
        const byCode = new Map<string, Bank>();
        for (const { code, name, active } of readAs(bankListSchema, heard).data) {
          if (active && v.is(bankCodeSchema, code)) byCode.set(code, { code, name });
        }
        return [...byCode.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
      }),

    resolve: ({ bankCode, accountNumber }) => {
      const query = new URLSearchParams({ account_number: accountNumber, bank_code: bankCode });
      return call(`/bank/resolve?${query}`, isSafeToAsk, (heard) => {
        const isNone = heard.status === 422 || isUnknownReference(heard.status, heard.json);
        return isNone ? null : readAs(accountSchema, heard).data.account_name;
      });
    },

    // The provider gives the first recipient of an account again, so it may be asked twice.
    addRecipient: ({ bankCode, accountNumber, name }) => {
      const body = { type: 'nuban', name, account_number: accountNumber, bank_code: bankCode };
      return call(
        '/transferrecipient',
        isSafeToAsk,
        (heard) => readAs(recipientSchema, heard).data.recipient_code,
        { body: { ...body, currency: 'NGN' } },
      );
    },

    transfer: ({ reference, recipientCode, amountKobo, reason }) => {
      const read = (heard: Heard) => {
        if (heard.status >= 400 && isDuplicate(heard.json)) return null;
        if (heard.status >= 400 && isOfNone(heard)) throw new ProviderError('broken', heard.status);
        return readTransfer(reference, heard);
      };
      const body = { source: 'balance', recipient: recipientCode, amount: amountKobo, reference };
      return call('/transfer', isSafeToSend, read, { body: { ...body, currency: 'NGN', reason } });
    },

    verifyTransfer: (reference, stop) => {
      const read = (heard: Heard) =>
        isUnknownReference(heard.status, heard.json) ? null : readTransfer(reference, heard);
      const path = `/transfer/verify/${encodeURIComponent(reference)}`;
      return call(path, isSafeToAsk, read, stop ? { stop } : {});
    },
  };
}
