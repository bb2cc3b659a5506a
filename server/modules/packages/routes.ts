import { routes } from '#contract/routes.ts';
import { addMutation, addQuery, type RouteKit } from '#server/plugins/contract-routes.ts';
import { pullPackages } from './package-delta.ts';
import {
  createPackage,
  deletePackage,
  getPackage,
  listVisiblePackages,
  patchPackage,
} from './service.ts';

/** Nothing here does anything before its transaction. */
const onlyInTheTransaction = { hasEffects: false };

/** /api/packages and /api/packages/{id}. */
export function addPackageRoutes(kit: RouteKit, now: () => Date): void {
  addQuery(kit, routes.listPackages, ({ actor, query: { since } }, setHeader) =>
    since === undefined
      ? listVisiblePackages(kit.db, actor)
      : pullPackages({ db: kit.db, actor, since, now: now(), setHeader }),
  );

  addQuery(kit, routes.getPackage, ({ actor, params }) => getPackage(kit.db, actor, params.id));

  addMutation(
    kit,
    routes.createPackage,
    async ({ actor, body }) =>
      (tx) =>
        createPackage(tx, { actor, body, now: now() }),
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.patchPackage,
    async ({ actor, params, body }) =>
      (tx) =>
        patchPackage(tx, { actor, id: params.id, body, now: now() }),
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.deletePackage,
    async ({ actor, params }) =>
      (tx) =>
        deletePackage(tx, { actor, id: params.id, now: now() }),
    onlyInTheTransaction,
  );
}
