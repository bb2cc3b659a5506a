/** Packages and their events for a reader: never more than the policy allows. */
import type { Area } from '#contract/area.ts';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Actor } from '#domain/policy.ts';
import { areaFor } from '#domain/within-area.ts';
import type { Database } from '#server/database/database.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readEvents } from './package-events.ts';
import { packageFor } from './package-view.ts';
import { findPackage, listPackagesFor } from './repository.ts';

/** All that `actor` may see, newest first; for couriers limited to `area`. */
export async function listVisiblePackages(
  db: Database,
  actor: Actor,
  area: Area | undefined,
): Promise<WirePackage[]> {
  const found = await listPackagesFor(db, actor);
  const limit = areaFor(actor, area);
  return found.flatMap((one) => packageFor(actor, one, limit) ?? []);
}

/** Refuses with `not_found` what `actor` may not see. */
export async function getPackage(db: Database, actor: Actor, id: string): Promise<WirePackage> {
  const found = await findPackage(db, id);
  const seen = found && packageFor(actor, found);
  if (!seen) throw new Refusal('not_found');
  return seen;
}

/** A page, oldest first. Refuses with `not_found`; an offer's are for its sender and admins. */
export async function listEvents(
  db: Database,
  { actor, id, before }: { actor: Actor; id: string; before: number | undefined },
): Promise<WireEvent[]> {
  const found = await findPackage(db, id);
  if (!found || !packageFor(actor, found)) throw new Refusal('not_found');
  const isOwn = actor.role === 'Admin' || found.pkg.sender.id === actor.id;
  return readEvents(db, { actor, packageId: id, isOwn, before });
}
