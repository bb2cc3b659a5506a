/** A phone without room for anything: the browser itself refuses each write (tests/sync/full-phone). */
import type { Page } from '@playwright/test';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { ProofPicture } from '#domain/proof-picture.ts';
import { readPicture } from '#server/modules/proofs/picture.ts';
import { png } from '#tests/builders/pictures.ts';
import {
  type Account,
  type Backstage,
  type PackageOnServer,
  unique,
} from '#tests/e2e/backstage.ts';
import { takePhoto } from '#tests/e2e/camera.mjs';
import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';
import {
  acceptEach,
  limitStorage,
  pressLogOut,
  rowsOf,
  untilSent,
  usersInMirror,
} from '#tests/e2e/outbox-stage.ts';
import { ChangesPage } from '#tests/e2e/pages/changes-page.ts';
import { HandoverSheet } from '#tests/e2e/pages/handover-sheet.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

const notSaved = 'Not saved: your phone is out of storage. Free up some space, then try again.';
const outOfStorage =
  'Your phone is out of storage. Free up some space and Kaya continues automatically.';

type Photo = Awaited<ReturnType<typeof takePhoto>>;

const dot: Photo = { name: 'dot.png', mimeType: 'image/png', buffer: png };

/** From the pick-up to the hand-over, with all the proof there is. */
async function deliver(page: Page, { _id }: PackageOnServer, photo: Photo) {
  const { bar } = await PackageDetailPage.open(page, _id);
  await bar.getByRole('button', { name: 'Picked up' }).click();
  await page.getByRole('button', { name: 'Add proof' }).click();
  const door = new HandoverSheet(page);
  await door.camera.setInputFiles(photo);
  await expect(door.sheet.getByText('Photo saved on this device')).toBeVisible();
  await door.choose('Cash collected');
  await door.name.fill('Hauwa Sule');
  await door.sign();
  await door.finish();
}

/** On the server: each step once, and each picture, readable. */
async function expectDelivered(
  { call, picture }: Backstage,
  sender: Account,
  { _id }: PackageOnServer,
) {
  const path = `/api/packages/${_id}`;
  expect(await call<WirePackage>(sender, 'GET', path)).toMatchObject({
    deliveryStatus: 'Delivered',
    paymentStatus: 'paid',
  });
  const events = await call<WireEvent[]>(sender, 'GET', `${path}/events`);
  const types = events.map(({ type }) => type);
  expect(types).toEqual(['created', 'accepted', 'picked_up', 'delivered', 'paid']);
  const proof = events.find(({ type }) => type === 'delivered')?.proof;
  expect(proof).toMatchObject({ recipientName: 'Hauwa Sule' });
  const pictures = [...(proof?.photoIds ?? []), proof?.signatureId ?? ''];
  expect(pictures).toHaveLength(2);
  for (const id of pictures) expect(readPicture(await picture(sender, _id, id))).toBeTruthy();
}

for (const count of [1, 6]) {
  const title = `work of the day is sent from a full phone, with photos and signatures: packages: ${count}`;
  test(title, longUnless(count === 1), async ({ phone, origin, backstage }) => {
    test.slow(count === 6);
    const { sender, courier, packages } = await backstage.offers(count as number);
    const [taken] = await backstage.packages(sender, [{ description: unique('Taken') }]);
    if (!taken) throw new Error('One was asked for.');
    const { page, context } = await phone();
    const storage = await limitStorage(context, page, origin);
    const shell = await enter(page, courier, '/delivery/pending');
    await shell.untilInstalled();
    const photo = count === 1 ? dot : await takePhoto(page);

    await context.setOffline(true);
    // As the list has them: further down, a row is drawn only once one scrolls.
    await acceptEach(page, [taken, ...packages.toReversed()]);
    for (const pkg of packages) await deliver(page, pkg, photo);
    expect(await rowsOf<ProofPicture>(page, 'proofs')).toHaveLength(2 * count);
    await backstage.accept(await backstage.courier('Bala'), taken);

    await storage.fill();
    // Starting the app needs no room either.
    const changes = await ChangesPage.open(page);
    await expect(page.getByRole('heading', { name: 'Send picture' }).first()).toBeVisible();
    await context.setOffline(false);
    await comeBack(page);
    // What the server refused waits until there is room to say so.
    await expect
      .poll(async () => (await rowsOf(page, 'outbox')).length, { timeout: 30_000 })
      .toBe(1);
    for (const pkg of packages) await expectDelivered(backstage, sender, pkg);
    expect(await rowsOf(page, 'proofs')).toEqual([]);
    await expect(changes.card('Accept delivery')).toContainText(outOfStorage);
    await storage.expectFull();

    await storage.empty();
    await comeBack(page);
    await expect(changes.card('Accept delivery')).toContainText('Needs attention');
    await changes.discard(changes.card('Accept delivery'));
    await expect(page.getByText(outOfStorage)).toHaveCount(0);
  });
}

test('25: on a full phone nothing is kept by half: a step, a photo, a list, a log-out @long', async ({
  phone,
  origin,
  backstage,
}) => {
  const { sender, courier, packages } = await backstage.offers(2);
  const [carried, offered] = packages;
  await backstage.accept(courier, carried);
  await backstage.record(courier, carried, { type: 'picked_up' });
  const { page, context } = await phone();
  const storage = await limitStorage(context, page, origin);
  const shell = await enter(page, courier, '/delivery/pending');
  await shell.untilInstalled();
  const list = new PackageListPage(page);
  await expect(list.card(offered.description)).toBeVisible();
  await storage.fill();

  await test.step('a step', async () => {
    await list.pressAccept(offered.description);
    await expect(page.getByText(notSaved)).toBeVisible();
    expect(await rowsOf(page, 'outbox')).toEqual([]);
  });

  const described = unique('Changed');
  await test.step('a list', async () => {
    const change = { description: described };
    await backstage.call(sender, 'PATCH', `/api/packages/${offered._id}`, change);
    await comeBack(page);
    await expect(page.getByText(outOfStorage)).toBeVisible();
    await page.reload();
    await expect(list.card(offered.description)).toBeVisible();
  });

  await test.step('a photo', async () => {
    const { bar } = await PackageDetailPage.open(page, carried._id);
    await expect(bar).toBeVisible();
    await page.getByRole('button', { name: 'Add proof' }).click();
    const door = new HandoverSheet(page);
    await door.camera.setInputFiles(dot);
    await expect(door.sheet.getByRole('alert')).toHaveText(
      'Your phone is out of storage, so the picture wasn’t saved. Free up some space, then try again.',
    );
    await door.close.click();
    expect(await rowsOf(page, 'proofs')).toEqual([]);
  });

  await storage.empty();
  await page.goto('/delivery/pending');
  await expect(list.card(described)).toBeVisible();
  await storage.fill();

  await test.step('a log-out', async () => {
    await pressLogOut(page);
    await expect(page.getByText('Logged out successfully!')).toBeVisible();
    await expect(page).toHaveURL(/\/auth$/);
    expect(await usersInMirror(page)).toBe(0);
    await page.reload();
    await expect(page).toHaveURL(/\/auth$/);
  });
});

test('on a full phone a new package is kept in its form @long', async ({
  phone,
  origin,
  backstage,
  sender,
}) => {
  const { page, context } = await phone();
  const storage = await limitStorage(context, page, origin);
  const shell = await enter(page, sender, '/new-package');
  await shell.untilInstalled();
  const wizard = new WizardPage(page);
  const description = unique('Cloth');
  await wizard.fill({ description });
  await storage.fill();
  await wizard.create.click();
  await expect(page.getByText(notSaved)).toBeVisible();
  await page.reload();
  await expect(wizard.create).toBeVisible();
  await storage.empty();
  await wizard.submit();
  await untilSent(page);
  const created = await backstage.call<WirePackage[]>(sender, 'GET', '/api/packages');
  expect(created.map((pkg) => pkg.description)).toEqual([description]);
});
