/**
 * The package store always equals a read from scratch, whatever the engine writes and however it
 * interleaves with the store's own reads.
 */
import fc from 'fast-check';
import { afterEach, describe, it } from 'vitest';
import { type UserDatabase, wipeMirror } from '#db/user-database.ts';
import {
  acknowledge,
  addOperation,
  backOffOperation,
  discardOperation,
  refuseOperation,
  retryOperation,
} from '#sync/outbox/outbox.ts';
import { putRows } from '#sync/pull/mirror.ts';
import { aUser } from '#tests/builders/package.ts';
import { accept, create, deliver, edit, editProfile, me, packageId, remove } from './device.ts';
import { closeAll, error, fence, insistOnTruth, numbered, opened, rowsTo } from './store-stage.ts';
import { readOperations } from './views.ts';

afterEach(closeAll);

/** One action of the engine or the user; each is one transaction of the product. */
type Step = { name: string; number: number; times: number };

const stepNames = [
  ...['accept', 'edit', 'deliver', 'remove', 'create', 'profile', 'acknowledge', 'gone', 'backoff'],
  ...['refuse', 'retry', 'discard', 'pull', 'bigPull', 'removed', 'self', 'wipe'],
];
const anyStep: fc.Arbitrary<Step> = fc.record({
  name: fc.constantFrom(...stepNames),
  number: fc.integer({ min: 1, max: 4 }),
  times: fc.integer({ min: 1, max: 3 }),
});

let ids = 0;
async function take(db: UserDatabase, { name, number, times }: Step, version: number) {
  const intents = {
    accept,
    deliver,
    remove,
    create,
    edit: (n: number) => edit({ notes: `${version}` }, { number: n }),
  };
  const stamp = { id: `operation-${ids++}`, nowMs: Date.parse('2026-11-21T10:00:00.000Z') };
  if (name in intents) {
    return addOperation(db, intents[name as keyof typeof intents](number), stamp);
  }
  if (name === 'profile') return addOperation(db, editProfile({ firstName: `${version}` }), stamp);
  const operations = await readOperations(db);
  const waiting = operations.find(({ state }) => state === 'waiting');
  const refused = operations.find(({ state }) => state === 'attention');
  const row = numbered(number, { version, notes: `Pulled ${version}` });
  switch (name) {
    case 'acknowledge':
      if (!waiting || waiting.name === 'editProfile') return;
      return acknowledge({ db, fence }, waiting, {
        kind: 'row',
        row: numbered(1, { id: waiting.targetId, version, notes: `Done ${version}` }),
      });
    case 'gone':
      if (!waiting) return;
      return acknowledge({ db, fence }, waiting, { kind: 'packageGone', id: waiting.targetId });
    case 'backoff':
      if (!waiting) return;
      return backOffOperation({ db, fence }, waiting, error, {
        fromMs: 0,
        untilMs: 1,
        isServerRequested: false,
      });
    case 'refuse':
      if (!waiting) return;
      return void (await refuseOperation({ db, fence }, waiting, error, row));
    case 'retry':
      return refused && retryOperation(db, refused.id, () => `operation-${ids++}`);
    case 'discard':
      return refused && discardOperation(db, refused.id);
    case 'pull':
      return void (await putRows(db.packages, [row]));
    case 'bigPull': {
      const many = rowsTo(60 * times).map((one) => ({ ...one, version }));
      return void (await putRows(db.packages, many));
    }
    case 'removed':
      return db.packages.bulkDelete([packageId(number)]);
    case 'self':
      return void (await db.users.put(aUser(me, { firstName: `Self ${version}`, version })));
    case 'wipe':
      await wipeMirror(db);
      // The next holder of the lease.
      await db.lease.put({ key: 'lease', fence, beat: 0 });
      return;
    default:
      throw new Error(`What is ${name}?`);
  }
}

describe('the store of packages', () => {
  it('equals a read from scratch after any writes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(anyStep, { minLength: 1, maxLength: 3 }), { maxLength: 8 }),
        fc.boolean(),
        async (rounds, isFirstAwaited) => {
          const { db, store } = await opened(rowsTo(3));
          if (isFirstAwaited) await store.settled();
          let version = 1;
          for (const steps of rounds) {
            // Those of one round arrive while the store reads the previous one's.
            for (const step of steps) await take(db, step, ++version);
            if (isFirstAwaited) await insistOnTruth(db, store);
          }
          await insistOnTruth(db, store);
          closeAll();
        },
      ),
      { numRuns: 40 },
    );
  });
});
