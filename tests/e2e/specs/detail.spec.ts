/** A package's page: contacts, directions, sharing, deletion, and text of any kind. */
import type { Locator, Page } from '@playwright/test';
import type { PackageOnServer } from '#tests/e2e/backstage.ts';
import { answerInstead, enter, stopTime } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';
import { axeComplaints, linesOf, sticksOut } from '#tests/e2e/layout.ts';
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

test('only a package without a courier is deleted @long', async ({
  signedIn,
  backstage,
  network,
}) => {
  const { sender, courier, packages } = await backstage.offers(2);
  const [carried, free] = packages;
  await backstage.accept(courier, carried);
  const { page } = await signedIn(sender);
  const detail = await PackageDetailPage.open(page, carried._id);
  await expect(detail.card('Delivery Personnel')).toContainText('Sani Bello');
  const reason = 'A delivery personnel is already assigned to this package. Cannot delete.';
  await expect(detail.remove).toHaveAccessibleDescription(reason);
  await detail.remove.click();
  await expect(page.getByRole('alert').filter({ hasText: reason })).toBeVisible();
  await expect(detail.question).toBeHidden();

  await PackageDetailPage.open(page, free._id);
  await expect(detail.remove).toHaveAccessibleDescription('');
  await detail.remove.click();
  await expect(detail.question).toHaveAccessibleName('Delete Package');
  await expect(detail.question).toContainText(
    'This action cannot be undone. The package will be permanently removed.',
  );
  const confirm = detail.question.getByRole('button', { name: 'Delete' });
  const refusal = { status: 409, code: 'invalid_state', message: '' } as const;
  answerInstead(network, 'DELETE', /^\/api\/packages\//, refusal);
  await confirm.click();
  await expect(page.getByText('Failed to delete package: Please try again')).toBeVisible();
  network.setFaults(null);
  await page.goto('/outbox');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByText('Package deleted successfully')).toBeVisible();
  await expect.poll(() => backstage.call(sender, 'GET', '/api/packages')).toHaveLength(1);
});

test('a dispatcher’s page leads with the route @long', async ({ signedIn, backstage, sender }) => {
  const { _id: id, packageId } = await backstage.package(sender);
  const { page } = await signedIn(await backstage.dispatcher());
  const head = (await PackageDetailPage.open(page, id)).card(packageId);
  const [pickup, price] = [head.getByText('12 Kofar Mata Road, Kano'), head.getByText('₦1,500')];
  await expect(pickup).toBeVisible();
  await expect(page.getByText('4 Zoo Road, Kano')).toHaveCount(1);
  for (const stop of ['Pickup', 'Delivery']) {
    await expect(head.getByRole('button', { name: `Copy ${stop} Address` })).toBeVisible();
    await expect(
      head.getByRole('link', { name: `Open ${stop} Address in the map app` }),
    ).toBeVisible();
  }
  const sizeOf = (text: Locator) =>
    text.evaluate((element) => Number.parseFloat(getComputedStyle(element).fontSize));
  expect(await sizeOf(pickup)).toBeGreaterThan(await sizeOf(price));
});

const markup = `<img src=x onerror="window['taken']=1"><b>Kola</b><script>window['taken']=1</script> 👩🏾‍🌾 شحنة`;

async function expectOnlyText(page: Page) {
  await expect(page.getByRole('main').locator('img[src="x"], script, b')).toHaveCount(0);
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);
  expect(await sticksOut(page)).toEqual([]);
}

test('an address without a space stays on the screen', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const link = `https://maps.google.com/?q=${'11.9964,8.5167'.repeat(6)}`;
  const pkg = await backstage.package(sender, { pickupAddress: link });
  await backstage.accept(courier, pkg);
  const { page } = await signedIn(courier, `/package-detail/${pkg._id}`);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(page.getByText(link).first()).toBeVisible();
  expect(await sticksOut(page)).toEqual([]);
});

test('text of any kind stays text @long', async ({ signedIn, backstage, sender, courier }) => {
  const description = `${markup} ${'x'.repeat(300)}`;
  const made = await backstage.package(sender, {
    description,
    pickupAddress: 'Kofar'.repeat(50),
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

for (const { answer, paymentStatus } of [
  { answer: 'Cash collected', paymentStatus: 'paid' },
  { answer: 'Not collected', paymentStatus: 'unpaid' },
] as const) {
  test(
    `"${answer}" delivers and leaves the package ${paymentStatus}`,
    longUnless(paymentStatus === 'paid'),
    async ({ signedIn, backstage }) => {
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
      await expect(
        detail.bar.getByRole('link', { name: 'Navigate to 12 Kofar Mata' }),
      ).toBeVisible();

      // Closing the question is no answer; the second tap of two does not close it.
      await detail.delivered.dblclick();
      await expect(detail.cash).toHaveAccessibleName('Collect ₦1,500');
      expect(await axeComplaints(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await expect(detail.cash).toBeHidden();
      await expect(detail.delivered).toBeFocused();

      await detail.deliverForCash(answer);
      await expect(page.getByText('Package marked as delivered!')).toBeVisible();
      expect(await noted('vibrations')).toBe(1);
      await expect.poll(() => noted('awake')).toBe(0);
      const stored = await backstage.call(courier, 'GET', `/api/packages/${_id}`);
      // One change: the delivery and its cash are never apart.
      expect(stored).toMatchObject({ deliveryStatus: 'Delivered', paymentStatus, version: 3 });
    },
  );
}

test('cash paid before is not asked about again @long', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  const [{ _id }] = packages;
  await backstage.accept(courier, packages[0]);
  await backstage.call(courier, 'PATCH', `/api/packages/${_id}`, { paymentStatus: 'paid' });
  const { page } = await signedIn(courier);
  const detail = await PackageDetailPage.open(page, _id);
  await expect(page.getByText('Paid in cash', { exact: true })).toBeVisible();
  await detail.delivered.click();
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();
});

test('a button tapped again and again sends its change once @long', async ({
  signedIn,
  backstage,
  network,
}) => {
  const { courier, packages } = await backstage.offers(1);
  const path = `/api/packages/${packages[0]._id}`;
  await backstage.accept(courier, packages[0]);
  await backstage.call(courier, 'PATCH', path, { paymentStatus: 'paid' });
  const { page } = await signedIn(courier);
  const detail = await PackageDetailPage.open(page, packages[0]._id);
  await detail.delivered.evaluate((button: HTMLElement) => {
    for (let ms = 0; ms < 400; ms += 5) setTimeout(() => button.click(), ms);
  });
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();
  await expect(page.getByText('Waiting to send')).toBeHidden();
  expect(network.forwarded.filter((line) => line === `POST ${path}/events`)).toHaveLength(1);
});

test('a sender confirms the receipt and the cash', async ({ signedIn, backstage }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  await backstage.accept(courier, packages[0]);
  const { page } = await signedIn(sender);
  const detail = await PackageDetailPage.open(page, packages[0]._id);
  await expect(page.getByRole('list', { name: 'Timeline' }).getByRole('listitem')).toHaveText([
    /^Created/,
    /^Accepted/,
    /^Pickup/,
    'Delivery',
  ]);
  await detail.delivered.click();
  const question = page.getByRole('dialog', { name: 'Package delivered?' });
  await question.getByRole('button', { name: '₦1,500 paid' }).click();
  await expect(page.getByText('Package marked as delivered!')).toBeVisible();
  await expect(page.getByText('Paid in cash', { exact: true })).toBeVisible();
  await expect(detail.bar.getByRole('link', { name: 'Send again' })).toHaveAttribute(
    'href',
    `/new-package?again=${packages[0]._id}`,
  );
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

test('the action at the thumb needs no scrolling @long', async ({ signedIn, backstage }) => {
  const { sender, courier, packages } = await backstage.offers(3);
  const [offered, carried, delivered] = packages;
  const dispatcher = await backstage.dispatcher();
  for (const pkg of [carried, delivered]) await backstage.accept(courier, pkg as PackageOnServer);
  const path = `/api/packages/${delivered?._id}`;
  await backstage.call(courier, 'PATCH', path, { deliveryStatus: 'Delivered' });
  const actions = [
    { account: sender, first: ['Send link', 'Call Sani', 'Confirm delivery'] },
    { account: courier, first: ['Accept Delivery', 'Picked up', 'Next delivery'] },
    { account: dispatcher, first: ['Assign courier', 'Reassign', null] },
  ];
  for (const { account, first } of actions) {
    const { page } = await signedIn(account);
    await page.setViewportSize({ width: 360, height: 740 });
    for (const [nth, pkg] of [offered, carried, delivered].entries()) {
      const detail = await PackageDetailPage.open(page, pkg?._id ?? '');
      await expect(detail.share).toBeInViewport({ ratio: 1 });
      const primary = detail.bar.locator('button, a').first();
      const label = first[nth] ?? null;
      if (label === null) {
        await expect(detail.bar).toHaveCount(0);
        continue;
      }
      await expect(primary).toHaveText(label);
      await expect(primary).toBeInViewport({ ratio: 1 });
      const box = await primary.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(56);
      if (pkg === carried) expect(await axeComplaints(page)).toEqual([]);
      expect(await sticksOut(page)).toEqual([]);
      // A badge says what it is about.
      await expect(page.getByText('Status: ')).toHaveCount(1);
      await expect(page.getByText('Payment: ')).toHaveCount(1);
      await expect(page.getByText('Not specified')).toHaveCount(0);
      await page.addStyleTag({ content: ':root { font-size: 200% }' });
      await expect(primary).toBeInViewport({ ratio: 1 });
      expect(await sticksOut(page)).toEqual([]);
      const title = page.getByRole('heading', { name: 'Package Details' });
      expect(await linesOf(title)).toBeLessThanOrEqual(2);
    }
  }
});
