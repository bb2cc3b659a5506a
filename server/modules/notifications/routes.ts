/** /api/push: which of a user's phones get which notifications. */
import { routes } from '#contract/routes.ts';
import { canBeToldOf, pushKindsOf } from '#domain/push.ts';
import type { Config } from '#server/config/config.ts';
import { addMutation, addQuery, type RouteKit } from '#server/http/contract-routes.ts';
import { insist, invalidField } from '#server/http/refusal.ts';
import {
  createDispatcher,
  type Dispatcher,
  dispatchWhileServing,
  pace as usualPace,
} from './dispatcher.ts';
import { isAllowedEndpoint } from './endpoint.ts';
import { createSendPush } from './push-service.ts';
import { deleteSubscription, putSubscription } from './repository.ts';
import { ensureVapidKeys } from './vapid.ts';

interface Routes {
  kit: RouteKit;
  publicKey: string;
  isLocalAllowed: boolean;
  now: () => Date;
}

const onlyInTheTransaction = { hasEffects: false };

function addPushRoutes({ kit, publicKey, isLocalAllowed, now }: Routes): void {
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

const answerMs = 10_000;

interface Needs {
  kit: RouteKit;
  config: Config;
  now: () => Date;
  push?: typeof usualPace;
}

/** /api/push, and the dispatcher that sends while the server listens. */
export async function addNotifications(needs: Needs): Promise<Dispatcher> {
  const { kit, config, now, push: pace = usualPace } = needs;
  const { app, db } = kit;
  const keys = await ensureVapidKeys(db, config.vapid.keys);
  const isLocalAllowed = config.isTest;
  addPushRoutes({ kit, publicKey: keys.publicKey, isLocalAllowed, now });
  const vapid = { ...keys, subject: config.vapid.subject };
  const send = createSendPush({ vapid, isLocalAllowed, timeoutMs: answerMs });
  const dispatcher = createDispatcher({ db, now, send, log: app.log, pace });
  dispatchWhileServing(app, dispatcher);
  return dispatcher;
}
