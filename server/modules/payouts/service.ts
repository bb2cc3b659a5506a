/**
 * A courier's bank account and payouts. A payout and its money are written in one transaction; only
 * ./sending tells the provider, after that.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import {
  type Bank,
  type BankAccount,
  minimumPayoutNaira,
  type Payout,
  type Payouts,
  type PutBankAccountBody,
  type ResolvedBank,
} from '#contract/payout.ts';
import { koboToNaira, nairaToKobo } from '#domain/money.ts';
import { expectedArrival, payoutFee, payoutTariff, tariffToWire } from '#domain/payout.ts';
import type { Actor } from '#domain/policy.ts';
import { canBePaidOut } from '#domain/user-policy.ts';
import type { Database } from '#server/database/database.ts';
import { insist, invalidField, Refusal } from '#server/http/refusal.ts';
import { isPassword } from '#server/modules/auth/passwords.ts';
import { walletOf } from '#server/modules/ledger/repository.ts';
import { payOut } from '#server/modules/ledger/service.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import type { Account, TransferProvider } from '#server/modules/payments/providers/transfers.ts';
import { findUser } from '#server/modules/users/repository.ts';
import { accountChanged, tellCourier } from './notices.ts';
import * as repository from './repository.ts';

export interface PayoutNeeds {
  db: Database;
  transfers: TransferProvider;
  providerName: repository.PayoutRow['provider'];
  now: () => Date;
  /** Before the first payout to a new account. */
  waitMs: number;
  log: {
    error(details: object, message: string): void;
    warn(details: object, message: string): void;
  };
}

const newest = 50;
const banksLifeMs = 24 * 60 * 60_000;
const retryAfterSeconds = 5;

const endOf = (accountNumber: string) => accountNumber.slice(-4);

function bankAccountOf(row: repository.BankAccountRow): BankAccount {
  const { bankCode, bankName, accountName, accountNumber, usableFrom } = row;
  const accountNumberEnd = endOf(accountNumber);
  return {
    bankCode,
    bankName,
    accountName,
    accountNumberEnd,
    usableFrom: usableFrom.toISOString(),
  };
}

function payoutOf(row: repository.PayoutRow): Payout {
  const { id, amountKobo, feeKobo, status, bankName, accountName, accountNumberEnd } = row;
  return {
    _id: id,
    amount: koboToNaira(amountKobo),
    fee: koboToNaira(feeKobo),
    status,
    bankName,
    accountName,
    accountNumberEnd,
    createdAt: row.createdAt.toISOString(),
    expectedBy: status === 'pending' ? expectedArrival(row.createdAt).toISOString() : null,
    endedAt: row.endedAt?.toISOString() ?? null,
    reason: row.reason,
  };
}

export type PayoutService = ReturnType<typeof createPayoutService>;

/** Every call refuses with `forbidden` for those who are no couriers. */
export function createPayoutService(needs: PayoutNeeds) {
  const { db, transfers, providerName, now, waitMs, log } = needs;
  let known: { banks: Bank[]; at: number } | undefined;

  /** Refuses with `provider_unavailable` where the provider gives no answer. */
  async function ask<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      const { fault, status } = error;
      log.error({ what, fault, status }, 'the provider did not answer about a bank account');
      throw new Refusal('provider_unavailable', { retryAfterSeconds });
    }
  }

  /** A list of yesterday is better than none. */
  async function banks(): Promise<Bank[]> {
    const at = now().getTime();
    if (known && at - known.at < banksLifeMs) return known.banks;
    try {
      known = { banks: await ask('banks', transfers.banks), at };
    } catch (error) {
      if (!known) throw error;
    }
    return known.banks;
  }

  /** Refuses with `invalid_fields` (no such bank) or `account_unknown`. */
  async function lookUp(account: Account): Promise<{ bankName: string; accountName: string }> {
    const bank = (await banks()).find(({ code }) => code === account.bankCode);
    if (!bank) throw invalidField('bankCode', 'Must be the code of a bank of the list.');
    const accountName = await ask('resolve', () => transfers.resolve(account));
    if (accountName === null) throw new Refusal('account_unknown');
    return { bankName: bank.name, accountName };
  }

  async function requirePassword(userId: string, password: string): Promise<void> {
    const user = await findUser(db, userId);
    if (!user || !(await isPassword(user.passwordHash, password))) {
      throw new Refusal('wrong_password');
    }
  }

  return {
    listBanks: async (actor: Actor): Promise<Bank[]> => {
      insist(canBePaidOut(actor));
      return banks();
    },

    /** `admit`: counts the question. */
    resolve: async (
      actor: Actor,
      account: Account,
      admit: () => Promise<void>,
    ): Promise<ResolvedBank> => {
      insist(canBePaidOut(actor));
      await admit();
      const { accountName } = await lookUp(account);
      return { accountName };
    },

    /**
     * Replaces the bank account. The same account again does not wait again. Refuses with
     * `wrong_password`, and as `resolve`.
     */
    putAccount: async (actor: Actor, { password, ...account }: PutBankAccountBody) => {
      insist(canBePaidOut(actor));
      await requirePassword(actor.id, password);
      const names = await lookUp(account);
      const recipientCode = await ask('recipient', () =>
        transfers.addRecipient({ ...account, name: names.accountName }),
      );
      return async (tx: Database): Promise<BankAccount> => {
        const [savedAt, userId] = [now(), actor.id];
        const before = await repository.lockBankAccount(tx, userId);
        const isSame =
          before?.bankCode === account.bankCode && before.accountNumber === account.accountNumber;
        const usableFrom = isSame ? before.usableFrom : new Date(savedAt.getTime() + waitMs);
        const row = { userId, ...account, ...names, recipientCode, usableFrom, savedAt };
        await repository.saveBankAccount(tx, row);
        if (!isSame) {
          const notice = accountChanged(names.bankName, endOf(account.accountNumber));
          await tellCourier(tx, { userId, now: savedAt, notice });
        }
        return bankAccountOf(row);
      };
    },

    /** Refuses with `no_bank_account`, `account_waiting` or `insufficient_funds`. */
    create: (actor: Actor, amountNaira: number) => {
      insist(canBePaidOut(actor));
      return async (tx: Database): Promise<Payout> => {
        const [createdAt, userId] = [now(), actor.id];
        const account = await repository.findBankAccount(tx, userId);
        if (!account) throw new Refusal('no_bank_account');
        if (account.usableFrom > createdAt) throw new Refusal('account_waiting');
        const amountKobo = nairaToKobo(amountNaira);
        const feeKobo = payoutFee(amountKobo);
        const row = await repository.insertPayout(tx, {
          id: randomUUID(),
          userId,
          reference: `kaya_out_${randomBytes(16).toString('hex')}`,
          provider: providerName,
          amountKobo,
          feeKobo,
          bankName: account.bankName,
          accountName: account.accountName,
          accountNumberEnd: endOf(account.accountNumber),
          recipientCode: account.recipientCode,
          createdAt,
        });
        const whole = { payoutId: row.id, userId, amountKobo: amountKobo + feeKobo };
        await payOut(tx, { ...whole, now: createdAt });
        return payoutOf(row);
      };
    },

    list: async (actor: Actor): Promise<Payouts> => {
      insist(canBePaidOut(actor));
      const account = await repository.findBankAccount(db, actor.id);
      const { availableKobo } = await walletOf(db, actor.id);
      const rows = await repository.newestPayouts(db, actor.id, newest);
      return {
        account: account && bankAccountOf(account),
        available: koboToNaira(availableKobo),
        minimum: minimumPayoutNaira,
        waitHours: waitMs / 3_600_000,
        fees: tariffToWire(payoutTariff),
        payouts: rows.map(payoutOf),
      };
    },
  };
}
