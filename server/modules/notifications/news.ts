/** What a change of a package tells: written beside it, for the dispatcher to send once committed. */
import type { PackageFacts } from '#domain/policy.ts';
import { newsOf } from '#domain/push.ts';
import type { Database } from '#server/database/database.ts';
import { insertNews } from './repository.ts';

type Moment = Pick<PackageFacts, 'status' | 'courierId'>;

interface Change {
  id: string;
  /** Null: it was made. */
  before: Moment | null;
  after: Moment;
  actorId: string;
  now: Date;
}

/** In the caller's transaction, after the package's row was written. */
export async function tellNews(
  tx: Database,
  { id, before, after, actorId, now }: Change,
): Promise<void> {
  const formerCourierId = before?.courierId ?? null;
  for (const kind of newsOf(before, after)) {
    await insertNews(tx, { packageId: id, kind, actorId, formerCourierId, now });
  }
}
