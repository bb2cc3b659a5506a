/** A package's page: contacts, directions, sharing, deletion, and text of any kind. */
import type { Page } from '@playwright/test';
import { enter, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { axeComplaints, sticksOut } from '#tests/e2e/layout.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

test('a courier calls, writes, navigates, shares', async ({ backstage, page, context }) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ description, packageId }] = packages;
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.addInitScript(() => {
    navigator.share = async (data = {}) => void Object.assign(window, { shared: data.text });
  });
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const list = await (await enter(page, courier)).openDeliveries();
  await list.accept(description);
  await expect(page.getByText('Delivery accepted!')).toBeVisible();
  const detail = await list.open(description);

  const hello = encodeURIComponent(`Hello, this is about package ${packageId}.`);
  for (const [name, href] of [
    ['Call Musa Ibrahim', 'tel:+2348057654321'],
    ['Send a message to Musa Ibrahim', 'sms:+2348057654321'],
    ['Write to Musa Ibrahim on WhatsApp', `https://wa.me/2348057654321?text=${hello}`],
  ] as const) {
    const link = detail.card('Recipient').getByRole('link', { name, exact: true });
    await expect(link).toHaveAttribute('href', href);
  }
  const toSender = detail.card('Sender').getByRole('link', { name: 'Call Amina Bello' });
  await expect(toSender).toHaveAttribute('href', 'tel:+2348031234567');
  // No links to contact oneself.
  await expect(detail.card('Delivery Personnel')).toContainText('Sani Bello');
  await expect(detail.card('Delivery Personnel').getByRole('link', { name: /^Call/ })).toBeHidden();

  const shipment = detail.card('Shipment');
  await shipment.getByRole('button', { name: 'Copy Delivery Address' }).click();
  await expect(page.getByText('Address copied.')).toBeVisible();
  expect(await copied()).toBe('4 Zoo Road, Kano');
  // The next stop leads the page: each address is said once, with what can be done with it.
  await expect(page.getByText('12 Kofar Mata Road, Kano')).toHaveCount(1);
  await expect(page.getByText('4 Zoo Road, Kano')).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Copy Pickup Address' })).toBeVisible();
  await expect(
    page.getByRole('link', { name: 'Open Pickup Address in the map app' }),
  ).toHaveAttribute('href', /query=12%20Kofar%20Mata%20Road%2C%20Kano$/);
  await shipment.getByRole('button', { name: /^(just now|\d+ minutes? ago)$/ }).click();
  await expect(shipment.getByRole('button', { name: /^\d+ \w+ 20\d\d, \d\d:\d\d$/ })).toBeFocused();

  await detail.share.click();
  const shared = () => page.evaluate(() => String(Reflect.get(window, 'shared')));
  await expect.poll(shared).toContain(`${packageId} · In Transit\n${description}`);
  expect(await shared()).toContain('₦1,500, Cash on Delivery');
  // No phone number: +234 805 765 4321, however it is written.
  expect((await shared()).replace(/\D/g, '')).not.toContain('8057654321');
  // Without sharing, the summary is copied.
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }));
  await detail.share.click();
  await expect(page.getByText('Summary copied.')).toBeVisible();
  expect(await copied()).toBe(await shared());

  // A question stays where it is as the toast that was there first goes.
  await detail.reject.click();
  const confirm = detail.question.getByRole('button', { name: 'Confirm' });
  await detail.question.evaluate((box) => Promise.all(box.getAnimations().map((a) => a.finished)));
  const place = await confirm.boundingBox();
  await expect(page.getByText('Summary copied.')).toBeHidden();
  expect(await confirm.boundingBox()).toEqual(place);
});

const markup = `<img src=x onerror="window['taken']=1"><b>Kola</b><script>window['taken']=1</script> 👩🏾‍🌾 شحنة`;

async function expectOnlyText(page: Page) {
  await expect(page.getByRole('main').locator('img[src="x"], script, b')).toHaveCount(0);
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);
  expect(await sticksOut(page)).toEqual([]);
}

test('text of any kind stays text @long', async ({ signedIn, backstage, sender, courier }) => {
  const description = `${markup} ${'x'.repeat(300)}`;
  const made = await backstage.package(sender, {
    description,
    pickupAddress: 'Kofar'.repeat(50),
    deliveryAddress: `https://maps.google.com/?q=${'11.9964,8.5167'.repeat(6)}`,
    notes: markup,
    recipientName: '<b>موسى</b>',
    paymentMethod: 'app',
  });
  const own = await signedIn(sender, '/tracking/pending');
  const card = new PackageListPage(own.page).card('👩🏾‍🌾');
  for (const text of [description, 'Pay with App']) {
    await expect(card).toContainText(text);
  }
  await expectOnlyText(own.page);
  const detail = await PackageDetailPage.open(own.page, made._id);
  await expect(own.page.getByText('Unpaid', { exact: true })).toBeVisible();
  await expect(detail.card('Shipment')).toContainText(description);
  await expect(detail.card('Recipient')).toContainText('<b>موسى</b>');
  await expectOnlyText(own.page);

  const { page } = await signedIn(courier, '/delivery/pending');
  await expect(new PackageListPage(page).card('👩🏾‍🌾')).toContainText(markup);
  await expectOnlyText(page);
});

/** Records vibrations and whether the screen is kept awake. */
async function watchDevice(page: Page) {
  await page.addInitScript(() => {
    const noted = { vibrations: 0, awake: 0 };
    Object.assign(window, { noted });
    navigator.vibrate = () => {
      noted.vibrations += 1;
      return true;
    };
    const request = async () => {
      noted.awake += 1;
      const release = async () => {
        noted.awake -= 1;
      };
      return { released: false, release } as unknown as WakeLockSentinel;
    };
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  });
  return async (name: 'vibrations' | 'awake') =>
    page.evaluate((key) => Reflect.get(window, 'noted')[key] as number, name);
}

test('a delivery asks for the cash, is felt, and is taken back from its toast', async ({
  signedIn,
  backstage,
}) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ _id }] = packages;
  await backstage.accept(courier, packages[0]);
  const { page } = await signedIn(courier);
  const noted = await watchDevice(page);
  const detail = await PackageDetailPage.open(page, _id);
  await expect.poll(() => noted('awake')).toBe(1);
  // Just accepted: the next stop is the pickup, for the bar as for the card.
  await expect(detail.bar.getByRole('link', { name: 'Call Amina Bello' })).toHaveAttribute(
    'href',
    'tel:+2348031234567',
  );
  await expect(detail.bar.getByRole('link', { name: 'Navigate to 12 Kofar Mata' })).toBeVisible();

  // Closing the question is no answer; the second tap of two does not close it.
  await detail.delivered.dblclick();
  await expect(detail.cash).toHaveAccessibleName('Collect ₦1,500');
  expect(await axeComplaints(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(detail.cash).toBeHidden();
  await expect(detail.delivered).toBeFocused();

  await detail.deliverForCash('Cash collected');
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();
  expect(await noted('vibrations')).toBe(1);
  await expect.poll(() => noted('awake')).toBe(0);
  const stored = await backstage.call(courier, 'GET', `/api/packages/${_id}`);
  // One change: the delivery and its cash are never apart.
  expect(stored).toMatchObject({ deliveryStatus: 'Delivered', paymentStatus: 'paid', version: 3 });

  const toast = page.getByRole('status').filter({ hasText: 'Package marked as delivered!' });
  await toast.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Step taken back')).toBeVisible();
  await expect(page.getByText('In Transit')).toBeVisible();
  await expect(detail.delivered).toBeVisible();
  const after = await backstage.call(courier, 'GET', `/api/packages/${_id}`);
  expect(after).toMatchObject({ deliveryStatus: 'In Transit', paymentStatus: 'unpaid' });
});

test('a question waits under a finger and under visible focus', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  await backstage.accept(courier, packages[0]);
  const { page } = await signedIn(courier);
  const detail = await PackageDetailPage.open(page, packages[0]._id);
  await expect(detail.reject).toBeVisible();
  await stopTime(page);
  const ask = async () => {
    await detail.reject.click();
    await expect(detail.question).toBeVisible();
    // Announced by its own role, not by a live region around it.
    await expect(page.locator('[aria-live] [role="alertdialog"]')).toHaveCount(0);
  };
  const expectToStay = async () => {
    await page.clock.runFor(60_000);
    await expect(detail.question).toBeVisible();
  };
  const expectToGo = async () => {
    await page.clock.runFor(10_001);
    await expect(detail.question).toBeHidden();
  };

  await ask();
  await detail.question.hover();
  await expectToStay();
  await page.mouse.move(2, 2);
  await expectToGo();

  await ask();
  await page.mouse.move(2, 2);
  await page.keyboard.press('Tab');
  await expectToStay();
  await page.keyboard.press('Escape');
  await expect(detail.question).toBeHidden();
});
