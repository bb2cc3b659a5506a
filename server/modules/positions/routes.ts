/** /api/position: where couriers are who share it. Never queued: an old place helps no one. */
import { routes } from '#contract/routes.ts';
import { canSeePositions, canSharePosition } from '#domain/user-policy.ts';
import { addMutation, addQuery, type RouteKit } from '#server/http/contract-routes.ts';
import { insist, Refusal } from '#server/http/refusal.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { countCarried } from '#server/modules/packages/repository.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { deletePosition, forgetOld, listPositions, putPosition } from './repository.ts';

const onlyInTheTransaction = { hasEffects: false };
const forgetEveryMs = 60_000;

export function addPositions(kit: RouteKit, now: () => Date): void {
  const { app, db } = kit;

  addMutation(
    kit,
    routes.putPosition,
    async ({ actor, body }) => {
      insist(canSharePosition(actor));
      return async (tx) => {
        if ((await countCarried(tx, actor.id)) === 0) throw new Refusal('invalid_state');
        await putPosition(tx, { ...body, courierId: actor.id, at: now() });
        return {};
      };
    },
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.deletePosition,
    async ({ actor }) =>
      async (tx) => {
        await deletePosition(tx, actor.id);
        return {};
      },
    onlyInTheTransaction,
  );

  addQuery(kit, routes.listPositions, async ({ actor }) => {
    insist(canSeePositions(actor));
    return listPositions(db, now());
  });

  whileListening(
    app,
    forgetEveryMs,
    () => forgetOld(db, now()),
    (error) => app.log.error({ err: errorForLog(error) }, 'forgetting old positions failed'),
  );
}
