/** The product's engine and client against its server, with faults in between. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { readLastPulledAt } from '#db/queries.ts';
import { UserDatabase } from '#db/user-database.ts';
import type { OperationArgs } from '#domain/operation.ts';
import { readUserInfo } from '#domain/token.ts';
import { createSyncEngine, type SyncEngine } from '#sync/engine.ts';
import { createFakeChannels, createFakeClock } from '#tests/fakes/browser.ts';
import { fileStage, type Person } from '#tests/server/stage.ts';
import { realClient } from './real-client.ts';

const stage = fileStage();

/** A phone of `person`: the product's client and engine. */
function phoneOf(person: Person) {
  const { api, locks, network, cuts } = realClient(stage, person);
  const clock = createFakeClock();
  const db = new UserDatabase(person.id);
  const channel = createFakeChannels()();
  const ports = { api, locks, channel, clock, random: () => 1, newId: () => randomUUID() };
  const engine = createSyncEngine({ db, ports, userId: person.id });
  const info = readUserInfo(person.token);
  const courier: OperationArgs<'acceptPackage'>['courier'] = {
    _id: person.id,
    firstName: info.firstName,
    lastName: info.lastName,
    email: person.email,
    phoneNumber: null,
  };
  return { api, db, engine, clock, network, cuts, courier };
}

function newPackage(id: string): OperationArgs<'createPackage'> {
  return {
    _id: id,
    pickupAddress: '12 Kofar Mata Road, Kano',
    deliveryAddress: '4 Zoo Road, Kano',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '+2348057654321',
    recipientEmail: null,
    description: 'Two bolts of indigo cloth',
    notes: null,
    pickupDate: '2026-11-22T08:00:00.000Z',
    deliveryDate: null,
    priceOffer: 1500,
    paymentMethod: 'cash',
  };
}

/** Requests a sync, and resolves once nothing waits and a pull followed; fires due timers. */
async function drained({
  engine,
  db,
  clock,
}: {
  engine: SyncEngine;
  db: UserDatabase;
  clock: ReturnType<typeof createFakeClock>;
}) {
  const before = await readLastPulledAt(db);
  clock.advance(1_000);
  engine.request('online');
  await vi.waitFor(
    async () => {
      const waiting = await db.outbox.filter((row) => row.state === 'waiting').count();
      const { phase, lastFailure } = engine.status();
      if (phase === 'idle' && waiting > 0) clock.advance(60_000);
      expect({ phase, waiting, lastFailure }).toEqual({
        phase: 'idle',
        waiting: 0,
        lastFailure: null,
      });
      expect(await readLastPulledAt(db)).not.toBe(before);
    },
    { timeout: 10_000, interval: 10 },
  );
}

describe('two users on a bad network', () => {
  it('a package created, edited twice, accepted and delivered offline has each effect once', async () => {
    const sender = phoneOf(await stage().person('Customer', 'Amina'));
    const courierPerson = await stage().person('Employee', 'Sani');
    const courier = phoneOf(courierPerson);
    const id = randomUUID();

    sender.network.isUp = false;
    await sender.engine.enqueue({ name: 'createPackage', targetId: id, args: newPackage(id) });
    for (const description of ['Three bolts', 'Four bolts']) {
      const args = { changes: { description }, baseVersion: 0 };
      await sender.engine.enqueue({ name: 'editPackage', targetId: id, args });
    }
    sender.network.isUp = true;
    sender.cuts.push({ method: 'POST', when: 'after' }, { method: 'PATCH', when: 'after' });
    await drained(sender);
    expect(await sender.db.outbox.count()).toBe(0);
    expect(await sender.db.packages.get(id)).toMatchObject({
      description: 'Four bolts',
      version: 3,
      status: 'pending',
    });
    // Three operations, two of them sent twice because their replies were cut.
    expect(sender.network.mutations).toBe(5);

    await drained(courier);
    expect(await courier.db.packages.get(id)).toMatchObject({ recipientPhone: null });
    courier.network.isUp = false;
    const target = { targetId: id };
    await courier.engine.enqueue({
      name: 'acceptPackage',
      ...target,
      args: { courier: courier.courier },
    });
    await courier.engine.enqueue({ name: 'deliverPackage', ...target, args: {} });
    courier.network.isUp = true;
    courier.cuts.push({ method: 'PATCH', when: 'after' }, { method: 'PATCH', when: 'before' });
    await drained(courier);
    expect(await courier.db.outbox.count()).toBe(0);

    await drained(sender);
    expect(await sender.db.packages.get(id)).toMatchObject({
      status: 'delivered',
      courier: { id: courierPerson.id },
      version: 5,
    });
    await sender.engine.stop();
    await courier.engine.stop();
  });

  it('a token that expires in the queue is refreshed once, and the queue continues', async () => {
    const sender = phoneOf(await stage().person('Customer', 'Amina'));
    stage().pass(20 * 60_000);
    const packageIds = Array.from({ length: 5 }, () => randomUUID());
    for (const id of packageIds) {
      await sender.engine.enqueue({ name: 'createPackage', targetId: id, args: newPackage(id) });
    }
    await drained(sender);
    expect(sender.engine.status().isPaused).toBe(false);
    const rows = await sender.db.packages.bulkGet(packageIds);
    expect(rows.map((row) => row?.version)).toEqual([1, 1, 1, 1, 1]);
    await sender.engine.stop();
  });
});
