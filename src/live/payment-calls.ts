/** The calls about money that screens make; `app` hands them down from the room of the calls. */
import type {
  InitiatedPayment,
  InitiatePaymentBody,
  Payments,
  VerifiedPayment,
} from '#contract/payment.ts';

/** Each rejects with ApiFailure (api/failure.ts), never otherwise. None is queued. Naira. */
export interface PaymentCalls {
  /** `key`: one per intent, so that a lost answer does not begin a second top-up. */
  initiatePayment(body: InitiatePaymentBody, key: string): Promise<InitiatedPayment['data']>;
  /** Credits it, if that has not been done. */
  verifyPayment(reference: string): Promise<VerifiedPayment>;
  /** A page of the history, newest first; `before` is the `next` of the page before it. */
  listPayments(page: { before?: string; limit: number }): Promise<Payments>;
}
