import { routes } from '#contract/routes.ts';
import { addMutation, addQuery, type RouteKit } from '#server/http/contract-routes.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import type { PayoutService } from './service.ts';

interface Needs {
  payouts: PayoutService;
  limits: Pick<RateLimits, 'resolveBank' | 'changePassword'>;
}

/** /api/payouts and below. */
export function addPayoutRoutes(kit: RouteKit, { payouts, limits }: Needs): void {
  addQuery(kit, routes.listPayouts, ({ actor }) => payouts.list(actor));
  addQuery(kit, routes.listBanks, ({ actor }) => payouts.listBanks(actor));
  addQuery(kit, routes.resolveBank, ({ actor, query }) =>
    payouts.resolve(actor, query, () => limits.resolveBank(actor.id)),
  );

  addMutation(
    kit,
    routes.putBankAccount,
    ({ actor, body }) => payouts.putAccount(actor, body),
    // Counted with changes of the password: each call is a guess at it.
    {
      hasEffects: true,
      admitPassword: ({ actor }) => limits.changePassword(actor.id).then(() => true),
    },
  );

  addMutation(
    kit,
    routes.createPayout,
    async ({ actor, body }) => payouts.create(actor, body.amount),
    { hasEffects: false },
  );
}
