/** At the door, without a network: by the recipient's code, or by photo, name and signature. */
import type { BrowserContext, Locator, Page } from '@playwright/test';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import type { Account } from '#tests/e2e/backstage.ts';
import { takePhoto } from '#tests/e2e/camera.mjs';
import { expect, test } from '#tests/e2e/kaya.ts';
import { pressLogOut } from '#tests/e2e/outbox-stage.ts';
import { HandoverSheet } from '#tests/e2e/pages/handover-sheet.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';

type Backstage = Parameters<Parameters<typeof test>[2]>[0]['backstage'];

/** A courier at the door with a package that needs the recipient's code. */
async function atTheDoor(backstage: Backstage, sender: Account, courier: Account, changes = {}) {
  const made = (await backstage.package(sender, {
    handover: 'code',
    priceOffer: 1550,
    ...changes,
  })) as unknown as WirePackage;
  await backstage.accept(courier, made as never);
  for (const type of ['picked_up', 'arrived'] as const) {
    await backstage.record(courier, made, { type });
  }
  return made;
}

const rowOf = (backstage: Backstage, by: Account, { _id }: WirePackage) =>
  backstage.call<WirePackage>(by, 'GET', `/api/packages/${_id}`);

async function deliveredEvent(backstage: Backstage, by: Account, { _id }: WirePackage) {
  const path = `/api/packages/${_id}/events`;
  const events = await backstage.call<WireEvent[]>(by, 'GET', path);
  return events.filter(({ type }) => type === 'delivered');
}

/** A code that passes the check and is not the right one. */
function otherCode(code: string): string {
  return code === '572437' ? '000000' : '572437';
}

const widthOf = (picture: Locator) =>
  picture.evaluate((image: HTMLImageElement) => image.naturalWidth);

const goOffline = (context: BrowserContext) => context.setOffline(true);

/** From the next load on: a camera that sees the first of these codes, or by `look` another. */
async function withCamera(page: Page, texts: readonly string[]) {
  const { default: encodeQR } = await import('qr');
  await page.addInitScript(
    (seen) => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 480 });
      const look = (code: boolean[][] = []) => {
        const drawing = canvas.getContext('2d') as CanvasRenderingContext2D;
        drawing.fillStyle = '#fff';
        drawing.fillRect(0, 0, 640, 480);
        drawing.fillStyle = '#000';
        const size = Math.floor(400 / code.length);
        for (const [y, row] of code.entries())
          for (const [x, isDark] of row.entries())
            if (isDark) drawing.fillRect(120 + x * size, 40 + y * size, size, size);
      };
      Object.assign(window, { look: (at: number) => look(seen[at]) });
      navigator.mediaDevices.getUserMedia = async () => {
        look(seen[0]);
        setInterval(() => canvas.getContext('2d')?.fillRect(0, 0, 1, 1), 50);
        return canvas.captureStream(20);
      };
    },
    texts.map((text) => encodeQR(text, 'raw', { border: 4 })),
  );
  return {
    look: (at: number) =>
      page.evaluate((which) => (Reflect.get(window, 'look') as (at: number) => void)(which), at),
  };
}

/** From the next load on: no photo is shrunk before `pass` is called, as on a slow phone. */
async function holdPhotos(page: Page) {
  await page.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    let held: (() => void)[] = [];
    Worker.prototype.postMessage = function hold(message: unknown, ...others: unknown[]) {
      const go = () => Reflect.apply(postMessage, this, [message, ...others]);
      if (message instanceof Blob) held.push(go);
      else go();
    };
    const pass = () => {
      for (const go of held) go();
      held = [];
    };
    Object.assign(window, { pass });
  });
  return { pass: () => page.evaluate(() => (window as unknown as { pass(): void }).pass()) };
}

test('offline, the recipient’s code delivers: typed with its cash, typed wrongly first, scanned', async ({
  installed,
  backstage,
  sender,
  courier,
}) => {
  const held = { paymentMethod: 'app' };
  const [cash, mistaken, scanned] = [
    await atTheDoor(backstage, sender, courier),
    await atTheDoor(backstage, sender, courier, held),
    await atTheDoor(backstage, sender, courier, held),
  ];
  const { dropoffToken } = await rowOf(backstage, sender, scanned);
  const { page, context } = await installed(courier);
  const camera = await withCamera(page, [`KAYA1:${'x'.repeat(22)}`, `KAYA1:${dropoffToken}`]);
  const detail = await PackageDetailPage.open(page, cash._id);
  await expect(detail.delivered).toBeVisible();
  await goOffline(context);
  const sheet = page.getByRole('dialog', { name: 'Deliver to Musa Ibrahim' });
  const deliver = sheet.getByRole('button', { name: 'Package Delivered' });
  const code = sheet.getByLabel('Recipient’s code');
  const open = async (pkg: WirePackage) => {
    await PackageDetailPage.open(page, pkg._id);
    await detail.delivered.click();
  };
  const verifiedBy = (pkg: WirePackage, how: string) =>
    expect
      .poll(async () => (await rowOf(backstage, sender, pkg)).verifiedBy, { timeout: 30_000 })
      .toBe(how);

  await test.step('typed, with its cash', async () => {
    await detail.delivered.click();
    await deliver.click();
    await expect(sheet.getByText('Choose whether you have the cash.')).toBeVisible();
    await expect(code).toHaveAccessibleDescription('Enter all 6 digits of the code.');
    const right = (await rowOf(backstage, sender, cash)).dropoffCode ?? '';
    const swapped = `${right.slice(0, 5)}${(Number(right[5]) + 1) % 10}`;
    await code.pressSequentially(swapped);
    await expect(code).toHaveAccessibleDescription('This code is not right. Ask for it again.');
    await code.fill(right);
    await expect(sheet.getByText('The code is complete.')).toBeVisible();

    // The phone ends the app in the middle.
    await page.reload();
    await expect(code).toHaveValue(right);
    await sheet.getByRole('radio', { name: 'Cash collected' }).check();
    await deliver.click();
    await expect(sheet).toBeHidden();
    await expect(page.getByText('Waiting to send').first()).toBeVisible();
  });

  const right = (await rowOf(backstage, sender, mistaken)).dropoffCode ?? '';
  await test.step('typed wrongly', async () => {
    await open(mistaken);
    await code.fill(otherCode(right));
    await deliver.click();
    await expect(sheet).toBeHidden();
  });

  await test.step('scanned', async () => {
    await open(scanned);
    await sheet.getByRole('button', { name: 'Scan code' }).click();
    await expect(sheet.getByText('or it was replaced')).toBeVisible();
    await camera.look(1);
    await expect(sheet.getByText('Scanned: this is the right code.')).toBeVisible();
    await deliver.click();
    await expect(sheet).toBeHidden();
  });

  await context.setOffline(false);
  await verifiedBy(cash, 'code');
  await verifiedBy(scanned, 'qr');
  expect(await rowOf(backstage, sender, cash)).toMatchObject({
    deliveryStatus: 'Delivered',
    paymentStatus: 'paid',
  });
  expect(await deliveredEvent(backstage, sender, cash)).toHaveLength(1);

  await test.step('the wrong one needs attention, and another is entered there', async () => {
    await page.goto('/outbox');
    await expect(page.getByText('The code was not right.')).toBeVisible({ timeout: 30_000 });
    await page.getByRole('link', { name: 'Enter another code' }).click();
    await code.fill(right);
    await deliver.click();
    await verifiedBy(mistaken, 'code');
    await page.goto('/outbox');
    await expect(page.getByText(/No pending changes|Everything has been sent/)).toBeVisible();
  });
});

test('offline, a photo, a name and a signature deliver it without the code', async ({
  installed,
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const pkg = await atTheDoor(backstage, sender, courier, { paymentMethod: 'app' });
  const { page, context } = await installed(courier);
  const detail = await PackageDetailPage.open(page, pkg._id);
  await expect(detail.delivered).toBeVisible();
  const file = await takePhoto(page);
  await goOffline(context);

  await detail.delivered.click();
  const sheet = page.getByRole('dialog', { name: 'Deliver to Musa Ibrahim' });
  await sheet.getByRole('button', { name: 'No code?' }).click();
  const deliver = sheet.getByRole('button', { name: 'Package Delivered' });
  await deliver.click();
  await expect(sheet.getByText('Take a photo first.')).toBeVisible();
  await sheet.getByLabel('Take photo').setInputFiles({
    name: 'notes.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture'),
  });
  await expect(sheet.getByText(/^This picture can’t be read/)).toBeVisible();
  await sheet.getByLabel('Take photo').setInputFiles(file);
  await expect(sheet.getByText('Photo saved on this device')).toBeVisible();
  await expect(sheet.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await sheet.getByRole('radio', { name: 'Neighbour' }).check();
  await sheet.getByLabel('Their name').fill('Hauwa Sule');

  await page.reload();
  await expect(sheet.getByRole('img', { name: 'Photo 1' })).toBeVisible();
  await expect(sheet.getByLabel('Their name')).toHaveValue('Hauwa Sule');
  await new HandoverSheet(page).sign();
  // What is signed counts without being closed first; the second tap does not go without it.
  await deliver.dblclick();
  await expect(sheet).toBeHidden();
  // Shown from the phone until the server has it.
  const givenTo = page.getByText('Given to Hauwa Sule · Neighbour');
  await expect(givenTo).toBeVisible();
  const [line, tile] = await Promise.all([
    givenTo.boundingBox(),
    page.getByRole('button', { name: 'Open Photo 1' }).boundingBox(),
  ]);
  expect(tile?.y, 'the pictures are below the words').toBeGreaterThanOrEqual(
    (line?.y ?? 0) + (line?.height ?? 0),
  );
  await page.getByRole('button', { name: 'Open Photo 1' }).click();
  const picture = page.getByRole('dialog', { name: 'Photo 1' }).getByRole('img');
  await expect.poll(() => widthOf(picture)).toBe(1280);
  await page.keyboard.press('Escape');
  await page.goto('/outbox');
  await expect(page.getByRole('heading', { name: 'Send picture' })).toHaveCount(2);
  await context.setOffline(false);

  await expect
    .poll(async () => (await rowOf(backstage, sender, pkg)).verifiedBy, { timeout: 30_000 })
    .toBe('photo');
  await expect(page.getByText('Everything has been sent.')).toBeVisible({ timeout: 30_000 });
  const [event, ...others] = await deliveredEvent(backstage, sender, pkg);
  expect(others).toEqual([]);
  expect(event?.proof).toMatchObject({ recipientName: 'Hauwa Sule', relation: 'neighbour' });
  expect(event?.proof?.photoIds).toHaveLength(1);
  expect(event?.proof?.signatureId).toMatch(/^[\w-]{36}$/);

  // Once on the server, the pictures are not kept on the phone.
  const left = await page.evaluate(async () => {
    const [name = ''] = (await indexedDB.databases())
      .map((one) => one.name ?? '')
      .filter((one) => one.startsWith('kaya-user-'));
    const opening = indexedDB.open(name);
    await new Promise((done) => opening.addEventListener('success', done));
    const counting = opening.result.transaction('proofs').objectStore('proofs').count();
    await new Promise((done) => counting.addEventListener('success', done));
    opening.result.close();
    return counting.result;
  });
  expect(left).toBe(0);

  const phone = await signedIn(sender);
  await PackageDetailPage.open(phone.page, pkg._id);
  await phone.page.getByRole('button', { name: 'Open Signature' }).click();
  const signature = phone.page.getByRole('dialog', { name: 'Signature' }).getByRole('img');
  await expect.poll(() => widthOf(signature)).toBe(640);
  await phone.page.keyboard.press('Escape');
  await phone.page.getByRole('button', { name: 'Open Photo 1' }).click();
  const sent = phone.page.getByRole('dialog', { name: 'Photo 1' }).getByRole('img');
  await expect.poll(() => widthOf(sent)).toBe(1280);
});

test('a proof that was begun and closed, or is still being saved, goes with the delivery', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const pkg = await atTheDoor(backstage, sender, courier, { handover: 'none' });
  const { page } = await signedIn(courier, '/delivery/in-transit');
  const terms = { handover: 'none', paymentMethod: 'app' };
  const handOver = page.getByRole('link', { name: 'Hand over to Musa Ibrahim' });
  await expect(handOver).toBeVisible();
  await expect(page.getByRole('link', { name: /^Navigate/ })).toHaveCount(0);
  await handOver.click();
  const detail = new PackageDetailPage(page);
  const door = new HandoverSheet(page);
  await page.getByRole('button', { name: 'Add proof' }).click();
  await door.sign();
  // Another app comes to the front, and the phone ends this one.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden', configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  const signature = door.sheet.getByRole('img', { name: 'Signature' });
  await expect(signature).toBeVisible();
  await page.reload();
  await expect(signature).toBeVisible();
  await door.sheet.getByRole('button', { name: 'Remove Signature' }).click();
  await door.sign();
  await door.close.click();
  await expect(door.sheet).toBeHidden();
  // A log-out would delete it, and asks.
  await pressLogOut(page);
  const question = page.getByRole('dialog', { name: /^Log out and delete 1 signature/ });
  await question.getByRole('button', { name: 'Keep me signed in' }).click();
  await page.goBack();

  await detail.delivered.click();
  await expect(signature).toBeVisible();
  await door.choose('Cash collected');
  await door.finish();
  await expect
    .poll(async () => (await rowOf(backstage, sender, pkg)).deliveryStatus)
    .toBe('Delivered');
  const next = await atTheDoor(backstage, sender, courier, terms);
  const [event] = await deliveredEvent(backstage, sender, pkg);
  expect(event?.proof?.signatureId).toMatch(/^[\w-]{36}$/);

  await test.step('no delivery goes without a photo that is still being saved', () =>
    deliverWhileSaving(page, { backstage, sender, pkg: next }));
});

interface Carried {
  backstage: Backstage;
  sender: Account;
  pkg: WirePackage;
}

async function deliverWhileSaving(page: Page, { backstage, sender, pkg }: Carried) {
  const photos = await holdPhotos(page);
  const detail = await PackageDetailPage.open(page, pkg._id);
  const door = new HandoverSheet(page);
  const { sheet } = door;
  const deliver = sheet.getByRole('button', { name: 'Package Delivered' });
  const busy = sheet.getByRole('button', { name: 'Saving...' });
  await page.getByRole('button', { name: 'Add proof' }).click();

  // One that can't be read: said, and nothing is sent without it.
  await door.camera.setInputFiles({
    name: 'notes.png',
    mimeType: 'image/png',
    buffer: Buffer.from('not a picture'),
  });
  await deliver.click();
  await expect(busy).toBeVisible();
  await photos.pass();
  await expect(sheet.getByRole('alert')).toHaveText(/can’t be read/);
  await expect(deliver).toBeVisible();
  expect(await deliveredEvent(backstage, sender, pkg)).toEqual([]);

  // One that is still being saved as its sheet is closed.
  await door.camera.setInputFiles(await takePhoto(page));
  await door.close.click();
  await expect(sheet).toBeHidden();
  await detail.delivered.click();
  await expect(sheet.getByText('Saving the photo…')).toBeVisible();
  await deliver.click();
  await expect(busy).toBeVisible();
  await photos.pass();
  await expect(sheet).toBeHidden();
  await expect.poll(() => deliveredEvent(backstage, sender, pkg)).toHaveLength(1);
  const [event] = await deliveredEvent(backstage, sender, pkg);
  expect(event?.proof?.photoIds).toHaveLength(1);
}

test('without a camera the code is typed @long', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const pkg = await atTheDoor(backstage, sender, courier, { paymentMethod: 'app' });
  const { page } = await signedIn(courier);
  const detail = await PackageDetailPage.open(page, pkg._id);
  await detail.delivered.click();
  const sheet = page.getByRole('dialog', { name: 'Deliver to Musa Ibrahim' });
  for (const name of ['Scan code', 'Try the camera again']) {
    await sheet.getByRole('button', { name }).click();
    await expect(sheet.getByRole('alert')).toHaveText(
      /Camera access is off|The camera can’t be used here/,
    );
    await expect(sheet.getByLabel('Recipient’s code')).toBeFocused();
  }
  // Escape closes it; what was typed stays for the next time.
  await sheet.getByLabel('Recipient’s code').fill('12');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await detail.delivered.click();
  await expect(sheet.getByLabel('Recipient’s code')).toHaveValue('12');
});
