/** Where couriers are who share it: who sees it, how exactly, and when it is forgotten. */
import { eq } from 'drizzle-orm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { type CourierPosition, positionLifetimeMs } from '#contract/position.ts';
import { routes } from '#contract/routes.ts';
import type { Tracking } from '#contract/tracking.ts';
import { backupTables } from '#server/commands/backup/tables.ts';
import { positions } from '#server/database/recipient-schema.ts';
import { forgetOld } from '#server/modules/positions/repository.ts';
import { packageCalls } from './package-calls.ts';
import { type AnyBody, codeOf, fileStage, type Person } from './stage.ts';

const stage = fileStage();
const place = { lat: 12.002246, lng: 8.591939, accuracy: 18.5 };
let sender: Person;
let admin: Person;
let courier: Person;
let pkg: WirePackage;

beforeAll(async () => {
  sender = await stage().person('Customer');
  admin = await stage().admin();
});

beforeEach(async () => {
  courier = await stage().person('Employee');
  pkg = await stage().created(sender);
});

const accept = (who = courier) => stage().accept(who, pkg);
const share = (who: Person, body: object = place) =>
  stage().send(who, 'PUT', routes.putPosition.path, { body });
const list = (who: Person) =>
  stage().send<CourierPosition[] & AnyBody>(who, 'GET', routes.listPositions.path);

async function listed(): Promise<CourierPosition | undefined> {
  return (await list(admin)).body.find(({ courierId }) => courierId === courier.id);
}

const { steps } = packageCalls(stage);

async function kept() {
  const isTheirs = eq(positions.courierId, courier.id);
  return stage().db.select().from(positions).where(isTheirs);
}

/** What the recipient of `pkg` sees. */
async function seen() {
  const path = `/api${pkg.trackingPath?.replace('/t/', '/track/')}`;
  return (await stage().send<Tracking>(null, 'GET', path)).body.position;
}

describe('a position', () => {
  it('is kept only as the last one, by the time of the server', async () => {
    await accept();
    expect((await share(courier)).status).toBe(200);
    stage().pass(20_000);
    expect((await share(courier, { ...place, lat: 12.01 })).status).toBe(200);
    const row = { ...place, lat: 12.01, courierId: courier.id };
    expect(await kept()).toEqual([{ ...row, at: stage().now() }]);
    expect(await listed()).toEqual({ ...row, at: stage().now().toISOString() });
  });

  it('is taken only from couriers, and only while they carry something', async () => {
    expect(await codeOf(share(courier))).toBe('invalid_state');
    await accept();
    expect(await codeOf(share(sender))).toBe('forbidden');
    expect(await codeOf(share(admin))).toBe('forbidden');
    expect((await share(courier)).status).toBe(200);
    await stage().deliver(courier, pkg);
    expect(await codeOf(share(courier))).toBe('invalid_state');
  });

  it('is listed for dispatchers only', async () => {
    await accept();
    await share(courier);
    expect(await codeOf(list(sender))).toBe('forbidden');
    expect(await codeOf(list(courier))).toBe('forbidden');
    expect(await listed()).toMatchObject(place);
  });

  it('is written to no log and no backup', async () => {
    await accept();
    await share(courier);
    const tables = backupTables().map(({ name }) => name);
    expect(tables).toContain('packages');
    expect(tables).not.toContain('positions');
    expect(stage().logs.filter((line) => /12\.0022|8\.5919/.test(line))).toEqual([]);
  });
});

/** While it comes to them, to 100 m: tests/unit/position.test.ts and tracking.test.ts. */
it('the recipient sees it only of the courier who has it now', async () => {
  await accept();
  await steps(pkg._id, [courier, 'picked_up']);
  await share(courier);
  expect(await seen()).toMatchObject({ lat: 12.002, lng: 8.592 });
  const next = await stage().person('Employee');
  await steps(pkg._id, [admin, 'handover', { courierId: next.id }]);
  expect(await seen()).toBeNull();
});

describe('a position is forgotten', () => {
  beforeEach(async () => {
    await accept();
    await steps(pkg._id, [courier, 'picked_up']);
    await share(courier);
    expect(await seen()).not.toBeNull();
  });

  async function expectForgotten() {
    expect([await listed(), await seen()]).toEqual([undefined, null]);
    await forgetOld(stage().db, stage().now());
    expect(await kept()).toEqual([]);
  }

  it('when it is switched off', async () => {
    const answer = await stage().send(courier, 'DELETE', routes.deletePosition.path);
    expect(answer.status).toBe(200);
    expect(await kept()).toEqual([]);
    await expectForgotten();
  });

  it('ten minutes after it came, not before', async () => {
    stage().pass(positionLifetimeMs - 1);
    await forgetOld(stage().db, stage().now());
    expect(await listed()).toMatchObject(place);
    expect(await seen()).not.toBeNull();
    stage().pass(1);
    await expectForgotten();
  });

  it('when nothing is carried any more, and not while something is', async () => {
    const other = await stage().created(sender);
    await stage().accept(courier, other);
    await stage().deliver(courier, pkg);
    await forgetOld(stage().db, stage().now());
    expect(await listed()).toMatchObject(place);
    await stage().reject(courier, other);
    await expectForgotten();
  });

  it('with the account, and with the role', async () => {
    const body = { id: courier.id, roles: ['Customer'] };
    await stage().edit(admin, body);
    expect(await kept()).toEqual([]);
    await stage().edit(admin, { ...body, roles: ['Employee'] });
    await share(courier);
    expect(await kept()).toHaveLength(1);
    await stage().send(admin, 'DELETE', '/api/users', { body: { id: courier.id } });
    expect(await kept()).toEqual([]);
  });

  it('by the server itself while it listens', async () => {
    stage().pass(positionLifetimeMs);
    const again = await stage().another();
    await again.app.listen({ port: 0, host: '127.0.0.1' });
    await expect.poll(kept).toEqual([]);
  });
});
