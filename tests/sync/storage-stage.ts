/** A phone with failing storage, and the clean-up of its tests. */
import { afterEach } from 'vitest';
import { UserDatabase } from '#db/user-database.ts';
import { createSyncEngine } from '#sync/engine.ts';
import { failStorage } from '#tests/fakes/failing-storage.ts';
import { createFakeChannels } from '#tests/fakes/fake-channel.ts';
import { createFakeClock } from '#tests/fakes/fake-clock.ts';
import { createFakeLocks } from '#tests/fakes/fake-locks.ts';
import { aServer, me } from './device.ts';

export const closing: (() => Promise<void> | void)[] = [];

/** Closes after each test what a file opened in it. */
export function closeAfterEach(): void {
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
}

let names = 0;
export const newName = () => {
  names += 1;
  return `storage-${names}`;
};

/** `makeRoom`: frees what the phone can do without when it is full. */
export function aPhone(name = newName(), makeRoom?: () => Promise<boolean>) {
  const server = aServer(3);
  const clock = createFakeClock();
  const db = new UserDatabase(name, { clock });
  const storage = failStorage(db);
  const faults: unknown[] = [];
  const engine = createSyncEngine({
    db,
    ports: {
      ...{ api: server.api(), clock, random: () => 1, newId: () => crypto.randomUUID() },
      ...{ locks: createFakeLocks().openTab(), channel: createFakeChannels()() },
      ...(makeRoom && { makeRoom }),
    },
    userId: me.id,
    onFault: (cause) => faults.push(cause),
  });
  closing.push(
    () => db.close(),
    () => engine.stop(),
  );
  return { name, server, clock, db, storage, engine, faults };
}
