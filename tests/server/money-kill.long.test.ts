/**
 * Kills the server between any two database steps of each operation that moves money, most often
 * right before and right after the commit. Acknowledged operations are kept, others are complete or
 * absent, and a retry under the same key has one effect. KILL_SEED=… draws another run.
 */
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { audit } from '#server/modules/ledger/audit.ts';
import { fakeSecretKey } from '#tests/fakes/fake-provider.ts';
import { type ServerProcess, startServer } from '#tests/fakes/server-process.ts';
import { diskSteps, type Place, type Steps, statementSteps } from '#tests/fakes/steps.ts';
import { fixedSeed } from '#tests/fixed-seed.ts';
import { testDatabase } from './databases.ts';
import { type Intent, type Operation, operations } from './money-operations.ts';
import { adminAccount, deposit, Stand } from './money-stand.ts';
import { answerOf, call, type Storage, storages } from './process-stage.ts';

/** By parity, so that each operation dies before its commit on one database, after it on the other. */
const seed = Number(process.env.KILL_SEED ?? fixedSeed + (testDatabase === 'pglite' ? 0 : 1));
/** The embedded database starts more slowly: there the second round is short. */
const kills = operations.length + (testDatabase === 'pglite' ? 7 : operations.length);

// The first start creates the embedded database, slow on a busy machine.
vi.setConfig({ hookTimeout: 180_000 });

const freshStorage = storages();
const stand = new Stand();
let storage: Storage;
let steps: Steps;
let server: ServerProcess;

async function start(): Promise<void> {
  const { env, ...launch } = steps.launch;
  const paystack = { PAYSTACK_SECRET_KEY: fakeSecretKey, PAYSTACK_URL: stand.paystack.url };
  server = await startServer({ ...launch, env: { ...env, ...adminAccount, ...paystack } });
  stand.url = server.url;
}

beforeAll(async () => {
  storage = await freshStorage();
  const { DATABASE_URL } = storage.env;
  steps = DATABASE_URL ? await statementSteps(DATABASE_URL) : diskSteps(storage.env);
  await stand.open();
  await start();
  await stand.invite();
});
afterAll(async () => {
  await server.stop();
  await steps.close();
  await stand.paystack.close();
});

const send = ({ method, at, how }: Intent) =>
  call<Record<string, unknown>>(stand.url, method, at, how);

async function sendWell(intent: Intent) {
  const answer = await send(intent);
  expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status);
  return answer.body;
}

/** The steps of an undisturbed, successful operation. */
async function stepsOf(operation: Operation): Promise<string[]> {
  const intent = await operation.prepare(stand);
  const before = await stand.look(intent);
  await steps.begin(server, null);
  await sendWell(intent);
  const taken = await steps.end(server);
  expect(await stand.look(intent), operation.name).toEqual(intent.after(before));
  return taken;
}

async function auditStorage(): Promise<string[]> {
  const database = await storage.open();
  try {
    return await audit(database.db);
  } finally {
    await database.close();
  }
}

/** A reference is credited once, however often it is begun and verified. */
async function payTwice(body: Record<string, unknown>): Promise<void> {
  const { reference } = body.data as { reference: string };
  stand.pay(reference);
  const before = await stand.look({});
  const { token } = stand.sender;
  for (const _ of ['once', 'twice']) {
    const at = `/api/payments/verify/${reference}`;
    await stand.get('GET', at, { token });
    expect((await stand.look({})).sender.available).toBe(before.sender.available + deposit);
  }
}

/** True if the server died before it answered. */
async function killAt(operation: Operation, killed: Place, place: string): Promise<boolean> {
  const intent = await operation.prepare(stand);
  const before = await stand.look(intent);
  const done = intent.after(before);
  await steps.begin(server, killed);
  const answer = await answerOf(send(intent));
  if (answer) expect([200, 201], place).toContain(answer.status);
  expect((await server.kill()).signal).toBe('SIGKILL');
  expect(await auditStorage(), place).toEqual([]);
  await start();

  const found = await stand.look(intent);
  const isCommitted = answer !== null || killed.label === 'after commit';
  if (isCommitted) expect(found, `lost, ${place}`).toEqual(done);
  else expect([before, done], `by halves, ${place}`).toContainEqual(found);
  const again = await sendWell(intent);
  expect(await stand.look(intent), `done again, ${place}`).toEqual(done);
  // A replay has no codes and no link.
  const secrets = { dropoffCode: null, dropoffToken: null, returnCode: null, trackingPath: null };
  if (answer) expect({ ...again, ...secrets }, place).toEqual({ ...answer.body, ...secrets });
  expect({ ...(await sendWell(intent)), ...secrets }, place).toEqual({ ...again, ...secrets });
  expect(await stand.look(intent), `done a third time, ${place}`).toEqual(done);
  if (operation.name === 'initiate') await payTwice(again);
  return !answer;
}

const isCommit = (label: string) => /^(before|after) commit$/.test(label);

const commitsOf = (labels: readonly string[]) => labels.filter(isCommit).length;

/** The site of the step with this index. */
function placeOf(labels: readonly string[], index: number): Place {
  const label = labels[index] ?? '';
  return { label, nth: labels.slice(0, index + 1).filter((one) => one === label).length };
}

/** Before or after an operation's last commit. */
function aroundCommit(operation: Operation, labels: readonly string[], side: string): Place {
  const last = labels.findLastIndex((label) => isCommit(label) && label.startsWith(side));
  expect(last, `${operation.name} commits nothing: ${labels.join(', ')}`).toBeGreaterThan(-1);
  return placeOf(labels, last);
}

/** Each on one side of its last commit, chosen by the seed, then anywhere while time remains. */
function plan(taken: ReadonlyMap<Operation, string[]>): [Operation, Place][] {
  const random = fc.sample(fc.nat(), { seed, numRuns: kills });
  return random.map((number, index): [Operation, Place] => {
    const nth = (index + seed) % operations.length;
    const operation = operations[nth] as Operation;
    const labels = taken.get(operation) ?? [];
    const isAnywhere = index >= operations.length;
    if (isAnywhere) return [operation, placeOf(labels, number % labels.length)];
    const side = (nth + seed) % 2 === 0 ? 'after' : 'before';
    return [operation, aroundCommit(operation, labels, side)];
  });
}

it('a server killed while it moves money keeps every naira accounted for and each effect single', async () => {
  const taken = new Map<Operation, string[]>();
  for (const operation of operations) {
    // The first run allocates files, and what the server does by the minute may commit within any.
    let labels = await stepsOf(operation);
    for (let before = -1; before !== commitsOf(labels); ) {
      before = commitsOf(labels);
      labels = await stepsOf(operation);
    }
    taken.set(operation, labels);
  }
  const inTheMiddle = new Set<Operation>();
  for (const [operation, killed] of plan(taken)) {
    const place = `${operation.name} at '${killed.label}' ${killed.nth}, KILL_SEED=${seed}`;
    if (await killAt(operation, killed, place)) inTheMiddle.add(operation);
  }
  const spared = operations.filter((operation) => !inTheMiddle.has(operation));
  expect(spared, `always answered before it died, KILL_SEED=${seed}`).toEqual([]);
}, 900_000);
