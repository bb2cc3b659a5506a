import type { FastifyRequest } from 'fastify';
import { routes } from '#contract/routes.ts';
import { addMutation, addQuery, type RouteKit } from '#server/http/contract-routes.ts';
import { Refusal } from '#server/http/refusal.ts';
import { addWebhook, signatureHeaders } from '#server/http/webhook.ts';
import { paymentsOf } from '#server/modules/ledger/history.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import type { PaymentService } from './service.ts';

export interface PaymentRoutesNeeds {
  kit: RouteKit;
  payments: PaymentService;
  limits: Pick<RateLimits, 'initiatePayment' | 'verifyPayment'>;
  /** The app's public origin; undefined: the request's host. */
  publicUrl: string | undefined;
}

/** The request's origin. Refuses with `malformed`, since the header may be anything. */
function originOf({ protocol, host }: FastifyRequest): string {
  const url = `${protocol}://${host}`;
  if (!URL.canParse(url)) throw new Refusal('malformed');
  return new URL(url).origin;
}

/** /api/payments and below. */
export function addPaymentRoutes(needs: PaymentRoutesNeeds): void {
  const { kit, payments, limits, publicUrl } = needs;

  addQuery(kit, routes.listPayments, ({ actor, query }) => paymentsOf(kit.db, actor.id, query));

  addQuery(kit, routes.verifyPayment, async ({ actor, params }) => {
    await limits.verifyPayment(actor.id);
    return payments.verify(actor.id, params.reference);
  });

  addMutation(kit, routes.initiatePayment, async ({ actor, body, request }) => {
    await limits.initiatePayment(actor.id);
    return payments.initiate({
      userId: actor.id,
      email: body.email,
      amountNaira: body.amount,
      callbackUrl: `${publicUrl ?? originOf(request)}/deposit`,
    });
  });

  addWebhook(kit.app, routes.paymentWebhook, signatureHeaders.payments, payments.hear);
}
