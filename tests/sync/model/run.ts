/**
 * One run of the model: the steps, then recovery, then the oracle. In recovery every fault is
 * healed, the clock advances, and each user signs in once more on each phone; by then every intent
 * must be applied or shown to its user, and their view must equal the server's.
 */
import { createHash } from 'node:crypto';
import type { UserDatabase } from '#db/user-database.ts';
import { readWorkingArea } from '#db/working-area.ts';
import type { Operation } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import { turns } from './chance.ts';
import { people, phoneUsers } from './people.ts';
import type { Phone } from './phone.ts';
import { type Plan, take } from './plan.ts';
import { World } from './world.ts';

export interface Outcome {
  violations: string[];
  /** Operations that users enqueued. */
  operations: number;
  /** The names of those that the server applied. */
  applied: OperationName[];
  lines: string[];
  /** Digest of the event log: equal for equal plans. */
  digest: string;
}

/** No engine of this user runs on this phone; false: it never comes to rest. */
async function isAtRest(phone: Phone, userId: string): Promise<boolean> {
  for (let round = 0; round < 4; round += 1) {
    await turns(2);
    let isFree = false;
    void phone.locks.withLock(`kaya-sync-${userId}`, async () => {
      isFree = true;
    });
    for (let turn = 0; !isFree; turn += 1) {
      if (turn > 20_000) return false;
      await turns(1);
    }
  }
  return true;
}

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);

/** Rows in comparable form, independent of key order. */
function comparable(rows: readonly { id: string }[]): string[] {
  return [...rows].sort(byId).map((row) => {
    const entries = Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1));
    return JSON.stringify(entries);
  });
}

function compare(world: World, place: string, seen: readonly { id: string }[], truth: typeof seen) {
  const [has, wants] = [new Set(comparable(seen)), new Set(comparable(truth))];
  for (const row of wants) if (!has.has(row)) world.accounts.violate(`${place}: misses ${row}`);
  for (const row of has) if (!wants.has(row)) world.accounts.violate(`${place}: still has ${row}`);
}

/** Drains this phone's outbox for its current user and pulls others' changes. */
async function drain(world: World, phone: Phone, db: UserDatabase): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    for (const tab of phone.awake()) tab.engine.request('start');
    if (!(await isAtRest(phone, db.userId))) {
      world.accounts.violate(`${phone.place(db.userId)}: never comes to rest`);
      return;
    }
    const waiting = await db.outbox.filter(({ state }) => state === 'waiting').count();
    if (waiting === 0 && round > 1) return;
    phone.clock.advance(200_000);
  }
}

/** Checks this user's view against the server. Returns the contents of their outbox. */
async function look(world: World, phone: Phone, userId: string): Promise<Operation[]> {
  const place = phone.place(userId);
  const db = phone.database(userId);
  try {
    await drain(world, phone, db);
    const truth = world.truthFor(userId, await readWorkingArea(db));
    compare(world, `${place} packages`, await db.packages.toArray(), truth.packages);
    compare(world, `${place} users`, await db.users.toArray(), truth.users);
    const aside = await db.quarantine.toArray();
    return [...(await db.outbox.toArray()), ...aside.map(({ row }) => row as Operation)];
  } finally {
    db.close();
  }
}

/** Heals faults, wakes all tabs, delivers all requests. */
async function heal(world: World): Promise<void> {
  world.log('# peace');
  world.sky = 'clear';
  for (const phone of world.phones) {
    phone.isReachable = true;
    for (const tab of phone.present()) if (tab.state === 'frozen') phone.thaw(tab);
    if (phone.userId !== null && phone.awake().length === 0) phone.openTab();
    for (const tab of phone.awake()) phone.setSeen(tab, true);
    await phone.closed();
  }
  await turns(50);
  await world.landed();
}

/** What was sent has arrived and been applied. */
async function streamed(world: World): Promise<void> {
  for (let turn = 0; world.underWay > 0 && turn < 20_000; turn += 1) await turns(1);
  for (const phone of world.phones) if (phone.userId) await isAtRest(phone, phone.userId);
}

/** At rest, the stream alone keeps the mirrors as the server is, without a request for a list. */
async function checkStream(world: World): Promise<void> {
  if (world.hubs.length === 0) return;
  const present = world.phones.filter(({ userId }) => userId !== null);
  // Connected again, pulled, and perhaps connected once more after a full list.
  for (let round = 0; round < 4; round += 1) {
    for (const phone of present) phone.clock.advance(100_000);
    await turns(150);
    await streamed(world);
  }
  world.isStreaming = false;
  // Shows the gaps of batches that were lost before.
  for (const hub of world.hubs) hub.flush({ isOfRowsOnly: true, isToAll: true });
  await streamed(world);
  const pulls = world.pulls;
  for (const act of ['create', 'edit', 'delete', 'create', 'edit', 'edit', 'delete'] as const) {
    world.admin(act);
    for (const hub of world.hubs) hub.flush({ isOfRowsOnly: true });
    await streamed(world);
  }
  if (world.pulls > pulls) world.accounts.violate('a change of a package caused a pull');
  for (const phone of present) {
    const db = phone.database(phone.userId ?? '');
    const truth = world.truthFor(db.userId, await readWorkingArea(db));
    const place = `${phone.place(db.userId)} by stream`;
    compare(world, place, await db.packages.toArray(), truth.packages);
    db.close();
  }
  world.isStreaming = true;
}

async function peace(world: World): Promise<void> {
  await heal(world);
  const held: Operation[] = [];
  const present = world.phones.flatMap((phone) =>
    phone.userId === null ? [] : { phone, userId: phone.userId },
  );
  // Once to send what is left, once more to show the results.
  for (const { phone, userId } of present) {
    const db = phone.database(userId);
    await drain(world, phone, db);
    db.close();
  }
  await checkStream(world);
  for (const { phone, userId } of present) held.push(...(await look(world, phone, userId)));
  for (const phone of world.phones) {
    const others = phoneUsers.filter((userId) => userId !== phone.userId);
    for (const userId of others) {
      phone.signOut();
      await phone.closed();
      phone.signIn(userId);
      held.push(...(await look(world, phone, userId)));
    }
    phone.signOut();
    await phone.closed();
    if (phone.locks.held().length > 0) world.accounts.violate('a lock is held by nobody');
    if (phone.clock.pending().length > 0) world.accounts.violate('a timer is left');
  }
  await world.landed();
  world.accounts.settle(new Map(held.map((row) => [row.id, row])));
}

export async function runPlan({ seed, hasStream, steps }: Plan): Promise<Outcome> {
  const world = new World(seed, hasStream);
  for (const step of steps) await take(world, step);
  await peace(world);
  for (const { id, applied, refusals } of world.accounts.all) {
    world.log(`${id.slice(-4)} ${applied} ${refusals.join(' ')}`);
  }
  world.log(JSON.stringify(world.truthFor(people.admin)));
  const { lines, meant: operations, accounts } = world;
  const digest = createHash('sha256').update(lines.join('\n')).digest('hex');
  const applied = accounts.all.flatMap((each) => (each.applied ? [each.operation.name] : []));
  return { violations: accounts.violations, operations, applied, lines, digest };
}
