/** /api/push: which of a user's phones get which notifications. */
import { routes } from '#contract/routes.ts';
import { canBeToldOf, pushKindsOf } from '#domain/push.ts';
import { addMutation, addQuery, type RouteKit } from '#server/http/contract-routes.ts';
import { insist, invalidField } from '#server/http/refusal.ts';
import { isAllowedEndpoint } from './endpoint.ts';
import { deleteSubscription, putSubscription } from './repository.ts';

interface Needs {
  kit: RouteKit;
  publicKey: string;
  isLocalAllowed: boolean;
  now: () => Date;
}

const onlyInTheTransaction = { hasEffects: false };

export function addPushRoutes({ kit, publicKey, isLocalAllowed, now }: Needs): void {
  addQuery(kit, routes.pushOffer, async ({ actor }) => ({
    publicKey,
    kinds: [...pushKindsOf(actor.role)],
  }));

  addMutation(
    kit,
    routes.putPush,
    async ({ actor, sessionId, body }) => {
      insist(canBeToldOf(actor, body.kinds));
      if (!isAllowedEndpoint(body.endpoint, isLocalAllowed)) {
        throw invalidField('endpoint', 'Must be the https address of a public push service.');
      }
      const { endpoint, keys, kinds, area } = body;
      return async (tx) => {
        await putSubscription(tx, {
          endpoint,
          userId: actor.id,
          sessionId,
          ...keys,
          kinds,
          createdAt: now(),
          vapidKey: publicKey,
          areaLat: area?.lat ?? null,
          areaLng: area?.lng ?? null,
          areaKm: area?.km ?? null,
        });
        return {};
      };
    },
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.deletePush,
    async ({ actor, body }) =>
      async (tx) => {
        await deleteSubscription(tx, { endpoint: body.endpoint, userId: actor.id });
        return {};
      },
    onlyInTheTransaction,
  );
}
