import type { Handover } from '#contract/package.ts';
import { routes } from '#contract/routes.ts';
import {
  addMutation,
  addQuery,
  type RouteKit,
  readSentAt,
  readWriter,
} from '#server/http/contract-routes.ts';
import type { TextTerms } from '#server/modules/texts/bounds.ts';
import type { RateLimits } from '#server/plugins/rate-limits.ts';
import { openDispute, resolveDispute } from './disputes.ts';
import { pullPackages } from './package-delta.ts';
import type { MoneyTerms } from './package-money.ts';
import { createPackage, deletePackage, patchPackage, recordEvent } from './service.ts';
import { getPackage, listEvents, listVisiblePackages } from './visible-packages.ts';

const onlyInTheTransaction = { hasEffects: false };

interface Needs {
  limits: RateLimits;
  maxCarried: number;
  terms: MoneyTerms;
  /** The default for a package whose sender chose none. */
  handover: Handover;
  /** Null: recipients are sent no text messages. */
  texting: TextTerms | null;
  now: () => Date;
}

/** /api/packages and /api/packages/{id}. */
export function addPackageRoutes(
  kit: RouteKit,
  { limits, maxCarried, handover, terms, texting, now }: Needs,
): void {
  addQuery(kit, routes.listPackages, ({ actor, query: { since, ...how } }, setHeader) =>
    since === undefined
      ? listVisiblePackages(kit.db, actor, how.area)
      : pullPackages({ db: kit.db, actor, since, ...how, now: now(), setHeader }),
  );

  addQuery(kit, routes.getPackage, ({ actor, params }) => getPackage(kit.db, actor, params.id));

  addMutation(
    kit,
    routes.createPackage,
    async ({ actor, body }) =>
      async (tx) => {
        const created = await createPackage(tx, { actor, body, now: now(), handover });
        await limits.createPackage(tx, actor.id);
        return created;
      },
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.patchPackage,
    async ({ actor, params, body, request }) => {
      const writer = readWriter(request, actor);
      return (tx) =>
        patchPackage(tx, {
          actor,
          id: params.id,
          body,
          writer,
          now: now(),
          limits,
          maxCarried,
          terms,
        });
    },
    onlyInTheTransaction,
  );

  addQuery(kit, routes.listEvents, ({ actor, params, query: { before } }) =>
    listEvents(kit.db, {
      actor,
      id: params.id,
      before: before === undefined ? before : Number(before),
    }),
  );

  addMutation(
    kit,
    routes.recordEvent,
    async ({ actor, params, body, request }) => {
      const sentAt = readSentAt(request);
      return (tx) =>
        recordEvent(tx, { actor, id: params.id, body, sentAt, now: now(), terms, texting });
    },
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.openDispute,
    async ({ actor, params, body }) =>
      (tx) =>
        openDispute(tx, { actor, id: params.id, body, now: now() }),
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.resolveDispute,
    async ({ actor, params, body }) =>
      (tx) =>
        resolveDispute(tx, { actor, ...params, body, now: now(), terms }),
    onlyInTheTransaction,
  );

  addMutation(
    kit,
    routes.deletePackage,
    async ({ actor, params }) =>
      (tx) =>
        deletePackage(tx, { actor, id: params.id, now: now(), terms }),
    onlyInTheTransaction,
  );
}
