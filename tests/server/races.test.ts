/** Concurrent calls on two servers with one database: claims are decided in the database. */
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { eq, notInArray, sql } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { type Database, selectScalar } from '#server/database/database.ts';
import { users } from '#server/database/schema.ts';
import { lockUser } from '#server/modules/users/repository.ts';
import { patchUser } from '#server/modules/users/service.ts';
import { testDatabase } from './databases.ts';
import { fileStage, goodPassword, type Person, packageBody, type Stage } from './stage.ts';

const stage = fileStage();
let servers: [Stage, Stage];

beforeAll(async () => {
  servers = [stage(), await stage().another()];
});

/** Alternates between the servers. */
const serverOf = (n: number): Stage => servers[n % 2 === 0 ? 0 : 1];

/** Starts `second` after `first` has done its work but has not committed; returns its outcome. */
async function whileHeld<T>(
  first: (tx: Database) => PromiseLike<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  let isOver = false;
  const begun = await stage().db.transaction(async (tx) => {
    await first(tx);
    const promise = second().finally(() => {
      isOver = true;
    });
    // Until it blocks on a lock of the first, or has passed it.
    const isWaiting = sql<boolean>`exists (select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock')`;
    while (!isOver && !(await selectScalar(stage().db, isWaiting))) await setImmediate();
    return { promise };
  });
  return begun.promise;
}

const accept = (courier: Person, pkg: { _id: string }, n: number) =>
  serverOf(n).accept(courier, pkg);

const alreadyAssigned = 'This package has already been assigned';

describe(`on ${testDatabase}`, () => {
  it('of six couriers accepting at once one wins and the rest are refused, fifty times', async () => {
    const sender = await stage().person('Customer');
    let couriers: Person[] = [];
    for (let round = 0; round < 50; round += 1) {
      // One courier may win them all, and carries twenty at most.
      if (round % 20 === 0) {
        couriers = [];
        for (let n = 0; n < 6; n += 1) couriers.push(await stage().person('Employee'));
      }
      const { _id } = await stage().created(sender);
      const answers = await Promise.all(couriers.map((courier, n) => accept(courier, { _id }, n)));
      const winners = answers.filter(({ status }) => status === 200);
      const losers = answers.filter(({ status }) => status === 409);
      expect([winners.length, losers.length]).toEqual([1, 5]);
      expect(new Set(losers.map(({ body }) => body.message))).toEqual(new Set([alreadyAssigned]));
      const { body } = await stage().send<WirePackage>(sender, 'GET', `/api/packages/${_id}`);
      const [courier, winner] = [body, winners[0]?.body].map((pkg) => pkg?.deliveryPersonId?._id);
      expect([courier, typeof courier]).toEqual([winner, 'string']);
    }
  }, 60_000);

  it('of forty packages one courier accepts at once they get twenty', async () => {
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const offers: WirePackage[] = [];
    for (let n = 0; n < 40; n += 1) offers.push(await stage().created(sender));
    const answers = await Promise.all(offers.map((pkg, n) => accept(courier, pkg, n)));
    const outcomes = answers.map(({ status, body: { code } }) => code ?? status).sort();
    expect(outcomes).toEqual([...Array(20).fill(200), ...Array(20).fill('too_many_carried')]);
    const all = await stage().send<WirePackage[]>(courier, 'GET', '/api/packages');
    const carried = all.body.filter((pkg) => pkg.deliveryPersonId?._id === courier.id);
    expect(carried).toHaveLength(20);
  });

  it('ten creates with one key make one package, on whichever server', async () => {
    for (let round = 0; round < 5; round += 1) {
      const sender = await stage().person('Customer');
      const key = randomUUID();
      const create = (n: number) =>
        serverOf(n).send<WirePackage & { code: string }>(sender, 'POST', '/api/packages', {
          body: packageBody(),
          headers: { 'idempotency-key': key },
        });
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => create(n)));
      const created = answers.filter(({ status }) => status === 201);
      const waiting = answers.filter(({ body }) => body.code === 'in_progress');
      expect(created.length + waiting.length).toBe(10);
      const fresh = created.filter(({ headers }) => headers['idempotency-replayed'] !== 'true');
      expect(fresh).toHaveLength(1);
      // Those asked to retry do so, also on the other server.
      for (const n of [0, 1]) {
        const again = await create(n);
        // Stored answers have no code.
        expect([again.status, again.body]).toEqual([
          201,
          { ...fresh[0]?.body, returnCode: null, trackingPath: null },
        ]);
        expect(again.headers['idempotency-replayed']).toBe('true');
      }
      const all = await stage().send<WirePackage[]>(sender, 'GET', '/api/packages');
      expect(all.body.map(({ _id }) => _id)).toEqual([fresh[0]?.body._id]);
    }
  });

  it('two simultaneous sign-ups with one e-mail make one account', async () => {
    const email = `${randomUUID()}@kaya.test`;
    const body = { email, password: goodPassword, role: 'Customer' };
    const answers = await Promise.all(
      [0, 1, 2, 3].map((n) => serverOf(n).send(null, 'POST', '/api/auth/signup', { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  it('two simultaneous edits of different fields both persist', async () => {
    const sender = await stage().person('Customer');
    for (let round = 0; round < 10; round += 1) {
      const { _id } = await stage().created(sender);
      const edits = [{ description: 'Salt' }, { notes: 'Ring twice' }];
      const answers = await Promise.all(
        edits.map((edit, n) => serverOf(n).patch(sender, _id, { ...edit, baseVersion: 1 })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      const { body } = await stage().send<WirePackage>(sender, 'GET', `/api/packages/${_id}`);
      expect(body).toMatchObject({ description: 'Salt', notes: 'Ring twice', version: 3 });
    }
  });

  it.runIf(testDatabase === 'postgres')(
    "of two admins who revoke each other's role, the second sees the first's change",
    async () => {
      const [first, second] = [await stage().admin(), await stage().person('Customer')];
      const { db } = stage().database;
      const others = notInArray(users.id, [first.id, second.id]);
      await db
        .update(users)
        .set({ roles: ['Admin'] })
        .where(eq(users.id, second.id));
      await db
        .update(users)
        .set({ roles: ['Customer'] })
        .where(others);
      const demote = (tx: Database, by: Person, whom: Person) =>
        patchUser(tx, {
          actor: { id: by.id, role: 'Admin', isProfileComplete: true },
          sessionId: randomUUID(),
          body: { id: whom.id, roles: ['Customer'] },
          passwordHash: undefined,
          now: stage().now(),
        });
      const outcome = await whileHeld(
        (tx) => demote(tx, first, second),
        () => db.transaction((tx) => demote(tx, second, first)).catch((error) => error),
      );
      expect(outcome).toMatchObject({ code: 'last_admin' });
    },
  );

  it.runIf(testDatabase === 'postgres')(
    'a user being edited can still be referenced: their packages proceed',
    async () => {
      const sender = await stage().person('Customer');
      const answer = await stage().db.transaction(async (tx) => {
        expect((await lockUser(tx, sender.id))?.id).toBe(sender.id);
        return stage().send(sender, 'POST', '/api/packages', { body: packageBody() });
      });
      expect(answer.status, answer.text).toBe(201);
    },
  );
});
