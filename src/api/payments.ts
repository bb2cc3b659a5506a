/** Top-ups and the history of one's money: SPEC.md section 7. What each does: live/payment-calls.ts. */
import type { InitiatePaymentBody } from '#contract/payment.ts';
import type { ApiClient } from './client.ts';

export function createPaymentsApi(client: ApiClient) {
  return {
    initiatePayment: (body: InitiatePaymentBody, key: string) =>
      client.call('initiatePayment', { body, key }, ({ data }) => data),
    verifyPayment: (reference: string) =>
      client.call('verifyPayment', { params: { reference } }, (body) => body),
    listPayments: ({ before, limit }: { before?: string; limit: number }) => {
      const query = { limit: String(limit), ...(before === undefined ? {} : { before }) };
      return client.call('listPayments', { query }, (body) => body);
    },
  };
}

export type PaymentsApi = ReturnType<typeof createPaymentsApi>;
