/**
 * A courier's round without a network: six packages, each ended in its own way, on a phone whose
 * clock is wrong and which ends the app twice. Back online, the server has each step once.
 */
import { createHash } from 'node:crypto';
import type { BrowserContext, Page } from '@playwright/test';
import type { EventType, WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { mostBytes } from '#features/delivery/shrink.ts';
import { readPicture } from '#server/modules/proofs/picture.ts';
import { type Account, admin, type Backstage } from '#tests/e2e/backstage.ts';
import { takePhoto } from '#tests/e2e/camera.mjs';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { rowsOf } from '#tests/e2e/outbox-stage.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { HandoverSheet } from '#tests/e2e/pages/handover-sheet.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { putClockFast } from '#tests/e2e/phone-clock.ts';
import type { Fault, FaultProxy, FaultRule } from '#tests/fakes/fault-proxy.ts';

test.use({ actionTimeout: 15_000 });

const clockFastMs = 47 * 60_000;

interface StopPlan {
  /** Naira. */
  made: { handover: 'code' | 'none'; paymentMethod: 'app' | 'cash'; priceOffer: number };
  /** In the end, on the server. */
  row: Partial<WirePackage>;
  events: EventType[];
}

const heldFirst: EventType[] = ['created', 'paid', 'accepted', 'picked_up'];

/** In the order of the round. Half of the price of a refused package goes to the courier. */
const round = {
  code: {
    made: { handover: 'code', paymentMethod: 'app', priceOffer: 1000 },
    row: { deliveryStatus: 'Delivered', verifiedBy: 'code', paidOut: 1000, releaseAt: null },
    events: [...heldFirst, 'arrived', 'delivered'],
  },
  cash: {
    made: { handover: 'code', paymentMethod: 'cash', priceOffer: 1100 },
    row: { deliveryStatus: 'Delivered', verifiedBy: 'code', paymentStatus: 'paid', paidOut: null },
    events: ['created', 'accepted', 'picked_up', 'delivered', 'paid'],
  },
  photo: {
    made: { handover: 'code', paymentMethod: 'app', priceOffer: 1200 },
    row: { deliveryStatus: 'Delivered', verifiedBy: 'photo', paidOut: null },
    events: [...heldFirst, 'delivered'],
  },
  signature: {
    made: { handover: 'none', paymentMethod: 'app', priceOffer: 1300 },
    row: { deliveryStatus: 'Delivered', verifiedBy: null, paidOut: null },
    events: [...heldFirst, 'delivered'],
  },
  attempt: {
    made: { handover: 'none', paymentMethod: 'app', priceOffer: 1400 },
    row: { deliveryStatus: 'In Transit', progress: 'attempted', attempts: 1, paidOut: null },
    events: [...heldFirst, 'arrived', 'attempt_failed'],
  },
  returned: {
    made: { handover: 'none', paymentMethod: 'app', priceOffer: 1600 },
    row: { deliveryStatus: 'Cancelled', outcome: 'returned', paidOut: 800, releaseAt: null },
    events: [...heldFirst, 'attempt_failed', 'return_started', 'returned'],
  },
} as const satisfies Record<string, StopPlan>;
type Stop = keyof typeof round;
const stops = Object.keys(round) as Stop[];
/** Exactly what the five packages paid in the app cost. */
const depositNaira = 6_500;

type Packages = Record<Stop, WirePackage>;

async function acceptAll(backstage: Backstage, sender: Account, courier: Account) {
  const deposit = { id: sender.id, amount: depositNaira, reason: 'Deposit' };
  await backstage.call(admin, 'PATCH', '/api/users/balance', deposit);
  const made: Partial<Packages> = {};
  for (const stop of stops) {
    const pkg = await backstage.package(sender, { ...round[stop].made, description: stop });
    await backstage.accept(courier, pkg);
    // With the codes: only the sender reads them.
    made[stop] = await backstage.call<WirePackage>(sender, 'GET', `/api/packages/${pkg._id}`);
  }
  return made as Packages;
}

const badNetwork: Fault[] = [
  { kind: 'dropped before' },
  { kind: 'dropped after' },
  { kind: 'truncated' },
  { kind: 'delayed', ms: 3_000 },
  { kind: 'duplicated' },
];

/** What changes a package meets each of these faults in turn, then passes once. */
function failing(faults: readonly Fault[]): FaultRule {
  const fates = [...faults, null];
  let count = 0;
  return (method, path) => {
    if (!path.startsWith('/api/packages/') || method === 'GET') return null;
    const fault = fates[count % fates.length] ?? null;
    count += 1;
    return fault;
  };
}

/** `digest`: of the picture without its metadata, as the server keeps it. */
type KeptPicture = Pick<ProofPicture, 'id' | 'packageId' | 'digest'>;

interface Tap {
  stop: Stop;
  type: EventType;
  fromMs: number;
  untilMs: number;
}

/** A closed sheet has left the history: leaving it would abort the next navigation. */
async function untilClosed(page: Page) {
  const overlays = () => page.evaluate(() => history.state?.overlays?.length ?? 0);
  await expect.poll(overlays).toBe(0);
}

/** The courier's phone without a network, on its way round. */
function createRound(context: BrowserContext, packages: Packages) {
  const taps: Tap[] = [];
  let page: Page | undefined;
  const opened = () => {
    if (!page) throw new Error('The app is closed.');
    return page;
  };

  /** Notes when it was done, by the real clock. */
  async function tap(stop: Stop, type: EventType, act: () => Promise<unknown>) {
    const fromMs = Date.now();
    await act();
    taps.push({ stop, type, fromMs, untilMs: Date.now() });
  }

  return {
    taps,
    /** Also after `kill`: a new page, from the service worker. */
    async open(stop: Stop) {
      if (page) await untilClosed(page);
      page ??= await context.newPage();
      const detail = await PackageDetailPage.open(page, packages[stop]._id);
      await expect(page.getByText(packages[stop].packageId).first()).toBeVisible();
      return { page, detail, sheet: new HandoverSheet(page) };
    },
    async kill() {
      await opened().close();
      page = undefined;
    },
    async pickUp(stop: Stop) {
      const { bar } = new PackageDetailPage(opened());
      await tap(stop, 'picked_up', async () => {
        await bar.getByRole('button', { name: 'Picked up' }).click();
        await expect(bar.getByRole('button', { name: 'I have arrived' })).toBeVisible();
      });
    },
    async arrive(stop: Stop) {
      const { bar } = new PackageDetailPage(opened());
      await tap(stop, 'arrived', async () => {
        await bar.getByRole('button', { name: /^(I have arrived|I’m here again)$/ }).click();
        await expect(bar.getByRole('button', { name: 'Package Delivered' })).toBeVisible();
      });
    },
    async failAttempt(stop: Stop, reason: string) {
      await opened().getByRole('button', { name: 'Could not deliver' }).click();
      const dialog = opened().getByRole('dialog', { name: 'Could not deliver' });
      await dialog.getByLabel(reason, { exact: true }).check();
      await tap(stop, 'attempt_failed', async () => {
        await dialog.getByRole('button', { name: 'Report not delivered' }).click();
        await expect(opened().getByText(`Not delivered: ${reason}`)).toBeVisible();
      });
    },
    async startReturn(stop: Stop) {
      await opened().getByRole('button', { name: 'Return to sender' }).click();
      const dialog = opened().getByRole('dialog', { name: 'Return to sender?' });
      await tap(stop, 'return_started', async () => {
        await dialog.getByRole('button', { name: 'Return to sender' }).click();
        await expect(opened().getByText('On its way back').first()).toBeVisible();
      });
    },
    deliver: (stop: Stop) => tap(stop, 'delivered', () => new HandoverSheet(opened()).finish()),
    giveBack: (stop: Stop) =>
      tap(stop, 'returned', () => new HandoverSheet(opened()).finish('Package returned')),
  };
}

type Round = ReturnType<typeof createRound>;

/** All six stops, offline. */
async function goRound(
  go: Round,
  packages: Packages,
  photo: Awaited<ReturnType<typeof takePhoto>>,
) {
  for (const stop of stops) {
    await go.open(stop);
    await go.pickUp(stop);
  }

  await test.step('two are delivered by the recipient’s code, one with its cash', async () => {
    const first = await go.open('code');
    await go.arrive('code');
    await first.detail.delivered.click();
    await first.sheet.code.fill(packages.code.dropoffCode ?? '');
    await go.deliver('code');

    const second = await go.open('cash');
    await second.detail.delivered.click();
    await second.sheet.code.fill(packages.cash.dropoffCode ?? '');
    await second.sheet.choose('Cash collected');
    // Ended with the sheet filled in and nothing saved yet.
    await go.kill();
    const again = await go.open('cash');
    await expect(again.sheet.code).toHaveValue(packages.cash.dropoffCode ?? '');
    await go.deliver('cash');
  });

  await test.step('one is delivered by photo, name and relation', async () => {
    const { detail, sheet } = await go.open('photo');
    await detail.delivered.click();
    await sheet.sheet.getByRole('button', { name: 'No code?' }).click();
    await sheet.camera.setInputFiles(photo);
    await expect(sheet.sheet.getByText('Photo saved on this device')).toBeVisible();
    await go.kill();
    const again = await go.open('photo');
    await expect(again.sheet.sheet.getByRole('img', { name: 'Photo 1' })).toBeVisible();
    await again.sheet.choose('Neighbour');
    await again.sheet.name.fill('Hauwa Sule');
    await go.deliver('photo');
  });

  await test.step('one is delivered by signature', async () => {
    const { page, sheet } = await go.open('signature');
    await page.getByRole('button', { name: 'Add proof' }).click();
    await sheet.sign();
    await go.deliver('signature');
  });

  await test.step('one attempt fails', async () => {
    await go.open('attempt');
    await go.arrive('attempt');
    await go.failAttempt('attempt', 'Recipient unavailable');
  });

  await test.step('one is refused and goes back to its sender', async () => {
    const { page, sheet } = await go.open('returned');
    await go.failAttempt('returned', 'Recipient refused it');
    await go.startReturn('returned');
    await page.getByRole('button', { name: 'Package returned' }).click();
    await expect(sheet.sheet.getByRole('link', { name: /^Call / })).toBeVisible();
    await sheet.code.fill(packages.returned.returnCode ?? '');
    await go.giveBack('returned');
  });
}

const eventsOf = ({ call }: Backstage, by: Account, { _id }: WirePackage) =>
  call<WireEvent[]>(by, 'GET', `/api/packages/${_id}/events`);

interface OnServer {
  backstage: Backstage;
  sender: Account;
  packages: Packages;
}

/** Each step of the round is one event, in the order and at the time it was done. */
async function expectEvents(
  { backstage, sender, packages }: OnServer,
  { taps, onlineMs }: { taps: readonly Tap[]; onlineMs: number },
) {
  for (const stop of stops) {
    const events = await eventsOf(backstage, sender, packages[stop]);
    expect(
      events.map(({ type }) => type),
      stop,
    ).toEqual(round[stop].events);
    for (const { type, fromMs, untilMs } of taps.filter((tap) => tap.stop === stop)) {
      const event = events.find((each) => each.type === type);
      if (!event) throw new Error(`${stop} has no ${type}.`);
      const about = `${stop}: ${type}`;
      // The phone's own time is kept as it was.
      const occurredMs = Date.parse(event.occurredAt);
      expect(occurredMs, about).toBeGreaterThanOrEqual(fromMs + clockFastMs);
      expect(occurredMs, about).toBeLessThanOrEqual(untilMs + clockFastMs);
      // Beside it what the server makes of it, which it calls uncertain.
      const effectiveMs = Date.parse(event.effectiveAt);
      const sendingMs = Date.parse(event.receivedAt) - onlineMs;
      expect(effectiveMs, about).toBeGreaterThanOrEqual(fromMs);
      expect(effectiveMs, about).toBeLessThanOrEqual(untilMs + sendingMs);
      expect(event.timeTrust, about).toBe('low');
    }
  }
}

const digestOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64');

/** Those that wait on the phone, with what is left of them without metadata. */
async function readPictures(page: Page): Promise<KeptPicture[]> {
  type Row = KeptPicture & { bytes: Uint8Array };
  const pictures = await rowsOf<Row>(page, 'proofs');
  return pictures.map(({ id, packageId, bytes, digest }) => {
    expect(bytes.length).toBeLessThanOrEqual(mostBytes);
    expect(digestOf(Buffer.from(bytes))).toBe(digest);
    const picture = readPicture(Buffer.from(bytes));
    if (!picture) throw new Error('Not a picture.');
    return { id, packageId, digest: digestOf(picture.bytes) };
  });
}

/** The server has the bytes that the phone kept, each picture with its own delivery. */
async function expectPictures(
  { backstage, sender, packages }: OnServer,
  kept: readonly KeptPicture[],
) {
  const found: KeptPicture[] = [];
  for (const stop of ['photo', 'signature'] as const) {
    const packageId = packages[stop]._id;
    const events = await eventsOf(backstage, sender, packages[stop]);
    const proof = events.find(({ type }) => type === 'delivered')?.proof;
    for (const id of [
      ...(proof?.photoIds ?? []),
      ...(proof?.signatureId ? [proof.signatureId] : []),
    ]) {
      const bytes = await backstage.picture(sender, packageId, id);
      found.push({ id, packageId, digest: digestOf(bytes) });
    }
  }
  const byId = (a: KeptPicture, b: KeptPicture) => a.id.localeCompare(b.id);
  expect(found.sort(byId)).toEqual(kept.toSorted(byId));
}

async function expectMoney({ call }: Backstage, sender: Account, courier: Account) {
  const moneyOf = async (who: Account) => {
    const { available, held, earned, onItsWay } = await call<Payments>(who, 'GET', '/api/payments');
    return { available, held, earned, onItsWay };
  };
  // Held: by photo, by signature, and what is still to be delivered. Back: half of the return.
  expect(await moneyOf(sender)).toEqual({ available: 800, held: 3900, earned: 0, onItsWay: 0 });
  // Earned: by code, and half of the return. On its way: by photo and by signature.
  expect(await moneyOf(courier)).toEqual({
    available: 1800,
    held: 0,
    earned: 1800,
    onItsWay: 2500,
  });
}

/** Whatever the network did, the server applied each step once. */
function expectOneEffectEach({ answers, forwarded }: FaultProxy, go: Round) {
  const applied = answers.filter(
    ({ method, path, status, isReplayed }) =>
      method === 'POST' && path.endsWith('/events') && status === 201 && !isReplayed,
  );
  expect(applied).toHaveLength(go.taps.length);
  expect(new Set(applied.map(({ key }) => key)).size).toBe(go.taps.length);
  const pictures = forwarded.filter((line) => line.startsWith('PUT '));
  expect(new Set(pictures).size).toBe(2);
}

test('six packages delivered in flight mode are sent over a bad network @long', async ({
  phone,
  network,
  backstage,
  sender,
  courier,
}) => {
  test.slow();
  const packages = await acceptAll(backstage, sender, courier);
  const { page, context } = await phone();
  const errors: string[] = [];
  context.on('weberror', (error) => errors.push(error.error().message));
  await putClockFast({ context, network }, clockFastMs);
  const shell = await enter(page, courier);
  await shell.untilInstalled();
  const photo = await takePhoto(page);
  await page.close();
  await context.setOffline(true);
  const before = network.received.length;

  const go = createRound(context, packages);
  await goRound(go, packages, photo);
  const { page: last } = await go.open('photo');
  const received = network.received.slice(before);
  expect(received.filter((line) => line.includes('/api/'))).toEqual([]);
  const kept = await readPictures(last);
  expect(kept).toHaveLength(2);

  network.setFaults(failing(badNetwork));
  const onlineMs = Date.now();
  await context.setOffline(false);
  const unsent = async () => {
    // Ends the wait after a failure.
    await comeBack(last);
    return [...(await rowsOf(last, 'outbox')), ...(await rowsOf(last, 'quarantine'))];
  };
  await expect.poll(unsent, { timeout: 120_000 }).toEqual([]);
  expect([...network.faults.keys()].sort()).toEqual(badNetwork.map(({ kind }) => kind).sort());
  expectOneEffectEach(network, go);
  for (const stop of stops) {
    const path = `/api/packages/${packages[stop]._id}`;
    const row = await backstage.call<WirePackage>(sender, 'GET', path);
    expect(row, stop).toMatchObject(round[stop].row);
  }
  const onServer = { backstage, sender, packages };
  await expectEvents(onServer, { taps: go.taps, onlineMs });
  await expectPictures(onServer, kept);
  await expectMoney(backstage, sender, courier);
  expect(await rowsOf(last, 'proofs')).toEqual([]);
  await expect((await ChangesPage.open(last)).empty).toBeVisible();
  expect(errors).toEqual([]);
});
