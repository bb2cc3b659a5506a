/** Top-ups and payment history, in naira. Never queued. */
import type {
  InitiatedPayment,
  InitiatePaymentBody,
  Payments,
  VerifiedPayment,
} from '#contract/payment.ts';
import type { ApiClient } from './client.ts';

export interface PaymentsApi {
  /** `key`: one per intent, so that a lost response does not start a second top-up. */
  initiatePayment(body: InitiatePaymentBody, key: string): Promise<InitiatedPayment['data']>;
  verifyPayment(reference: string): Promise<VerifiedPayment>;
  /** One page, newest first; `before` is the previous page's `next`. */
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
