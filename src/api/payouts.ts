/** A courier's bank account and payouts, in naira. Never queued. */
import type { CreatePayoutBody, PutBankAccountBody } from '#contract/payout.ts';
import type { ApiClient } from './client.ts';

export type PayoutsApi = ReturnType<typeof createPayoutsApi>;

export const createPayoutsApi = (client: ApiClient) => ({
  listPayouts: () => client.call('listPayouts', {}, (body) => body),
  listBanks: () => client.call('listBanks', {}, (body) => body),
  /** Whose account it is, by the bank. */
  resolveBank: (query: { bankCode: string; accountNumber: string }) =>
    client.call('resolveBank', { query }, (body) => body),
  /** Rejects with `wrong_password` or `account_unknown`. */
  putBankAccount: (body: PutBankAccountBody, key: string) =>
    client.call('putBankAccount', { body, key }, (answer) => answer),
  /** `key`: one per intent, so that a lost answer does not begin a second payout. */
  createPayout: (body: CreatePayoutBody, key: string) =>
    client.call('createPayout', { body, key }, (answer) => answer),
});
