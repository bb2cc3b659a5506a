/** Top-ups and payment history, in naira. Never queued. */
import type { InitiatePaymentBody } from '#contract/payment.ts';
import type { ApiClient } from './client.ts';

export type PaymentsApi = ReturnType<typeof createPaymentsApi>;

export const createPaymentsApi = (client: ApiClient) => ({
  /** `key`: one per intent, so that a lost answer does not begin a second top-up. */
  initiatePayment: (body: InitiatePaymentBody, key: string) =>
    client.call('initiatePayment', { body, key }, ({ data }) => data),
  /** Credits it, if that has not been done. */
  verifyPayment: (reference: string) =>
    // A plain server's response does not repeat the request's values.
    client.call('verifyPayment', { params: { reference } }, (body) => ({ ...body, reference })),
  /** A page of the history, newest first; `before` is the `next` of the page before it. */
  listPayments({ before, limit }: { before?: string; limit: number }) {
    const query = { limit: String(limit), ...(before === undefined ? {} : { before }) };
    return client.call('listPayments', { query }, (body) => body);
  },
});
