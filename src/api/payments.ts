/** Top-ups and the history of one's money, in naira. None is queued. */
import type {
  InitiatedPayment,
  InitiatePaymentBody,
  Payments,
  VerifiedPayment,
} from '#contract/payment.ts';
import type { ApiClient } from './client.ts';

export interface PaymentsApi {
  /** `key`: one per intent, so that a lost answer does not begin a second top-up. */
  initiatePayment(body: InitiatePaymentBody, key: string): Promise<InitiatedPayment['data']>;
  /** Credits it, if that has not been done. */
  verifyPayment(reference: string): Promise<VerifiedPayment>;
  /** A page of the history, newest first; `before` is the `next` of the page before it. */
  listPayments(page: { before?: string; limit: number }): Promise<Payments>;
}

export function createPaymentsApi(client: ApiClient): PaymentsApi {
  return {
    initiatePayment: (body, key) =>
      client.call('initiatePayment', { body, key }, ({ data }) => data),
    verifyPayment: (reference) =>
      client.call('verifyPayment', { params: { reference } }, (body) => body),
    listPayments: ({ before, limit }) => {
      const query = { limit: String(limit), ...(before === undefined ? {} : { before }) };
      return client.call('listPayments', { query }, (body) => body);
    },
  };
}
