/** The sender tells the recipient: by which ways, when the app reminds of it, and a new link. */
import type { Page } from '@playwright/test';
import { packageBody } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { untilSent } from '#tests/e2e/outbox-stage.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { RecipientLinkCard } from '#tests/e2e/pages/recipient-link-card.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

const reminder = 'You haven’t sent Musa Ibrahim the link yet.';
const onHome = 'Send the link to Musa Ibrahim';

/** From the next load on: what is shared, and whether the person goes through with it. */
const withSharing = (page: Page) =>
  page.addInitScript(() => {
    navigator.share = async (data = {}) => {
      if (Reflect.get(window, 'isCancelling')) throw new DOMException('', 'AbortError');
      Object.assign(window, { shared: data.text });
    };
  });

test('the link is sent by WhatsApp, message, copy or another app; a new one ends it', async ({
  signedIn,
  backstage,
  network,
  sender,
  courier,
}) => {
  const pkg = await backstage.package(sender);
  const { page, context } = await signedIn(sender);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await withSharing(page);
  await PackageDetailPage.open(page, pkg._id);
  const link = new RecipientLinkCard(page);
  const address = `${new URL(page.url()).origin}${pkg.trackingPath}`;
  const text = `Your package ${pkg.packageId} is coming with Kaya. Follow it: ${address}`;
  const written = encodeURIComponent(text);
  await expect(link.reminder).toContainText(reminder);
  await expect(link.whatsApp).toHaveAttribute(
    'href',
    `https://wa.me/2348057654321?text=${written}`,
  );
  await expect(link.sms).toHaveAttribute('href', /^sms:\+?\d+8057654321\?&body=/);
  expect(await link.sms.getAttribute('href')).toContain(written);
  await expect(link.theirPage).toHaveAttribute('href', address);
  await expect(link.theirPage).toHaveAttribute('rel', 'noreferrer');

  // What is not sent after all leaves the reminder.
  await page.evaluate(() => Object.assign(window, { isCancelling: true }));
  await link.send.click();
  await expect(link.reminder).toBeVisible();
  await page.evaluate(() => Object.assign(window, { isCancelling: false }));
  await link.send.click();
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'shared'))).toBe(text);
  await expect(link.reminder).toHaveCount(0);
  await link.copy.click();
  await expect(page.getByText('Copied. Paste it into a message to the recipient.')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
  await page.reload();
  await expect(link.send).toBeVisible();
  await expect(link.reminder).toHaveCount(0);

  const coded = await backstage.package(sender, { handover: 'code' });
  await test.step('the code is beside it', async () => {
    const code = coded.dropoffCode ?? '';
    await PackageDetailPage.open(page, coded._id);
    await expect(link.card).toContainText(`${code.slice(0, 3)} ${code.slice(3)}`);
    await expect(link.card.getByText(`Code ${[...code].join(' ')}`)).toBeAttached();
    await expect(link.whatsApp).toHaveAttribute(
      'href',
      new RegExp(`text=.*${code.slice(0, 3)}%20${code.slice(3)}$`),
    );
  });

  await test.step('a new link needs the network, and ends the one shared before', async () => {
    await link.reminder.getByRole('button', { name: 'Not now' }).click();
    await context.setOffline(true);
    await link.makeNewLink();
    const needsNetwork = 'You need an internet connection to make a new link.';
    await expect(page.getByText(needsNetwork)).toBeVisible();
    await context.setOffline(false);
    // The answer is lost, its replay contains no secrets, and no pull helps.
    network.setFaults((_, path) => (/packages\?/.test(path) ? { kind: 'dropped before' } : null));
    const cut = network.cutNextReply(
      (method, path) => method === 'POST' && path.endsWith('/tracking'),
    );
    await link.makeNewLink();
    await cut;
    await link.makeNewLink();
    await expect(
      page.getByText('The old link has stopped working. Send Musa Ibrahim the new one.'),
    ).toBeVisible();
    await expect(link.theirPage).not.toHaveAttribute('href', new RegExp(`${coded.trackingPath}$`));
    const path = `/api/packages/${coded._id}`;
    const { trackingPath } = await backstage.call<typeof coded>(sender, 'GET', path);
    await expect(link.theirPage).toHaveAttribute('href', new RegExp(`${trackingPath}$`));
    // The recipient needs the new one.
    await expect(link.reminder).toContainText(reminder);
  });

  await test.step('once it is carried, the code is there to scan', async () => {
    await backstage.accept(courier, coded);
    const card = page.getByRole('region', { name: 'Recipient’s code', exact: true });
    network.setFaults(null);
    await expect(card.getByRole('img', { name: 'QR code to scan' }).locator('path')).toBeVisible();
  });
});

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('a package made offline has its link once it is sent, and the app reminds', async ({
    installed,
    sender,
  }) => {
    const { page, context } = await installed(sender);
    await context.setOffline(true);
    const wizard = await WizardPage.open(page);
    await wizard.fill();
    await wizard.submit();
    await page.getByRole('link', { name: 'View Details' }).click();
    const link = new RecipientLinkCard(page);
    await expect(link.card).toContainText('The link appears once the package is sent.');
    await expect(link.copy).toHaveCount(0);
    await context.setOffline(false);
    await untilSent(page);
    await expect(link.reminder).toContainText(reminder);
    await expect(link.whatsApp).toHaveAttribute('href', /%2Ft%2F[\w-]{22}$/);

    await page.goto('/');
    const row = page.getByRole('link', { name: onHome });
    // It is the one row of the lowest sheet, too.
    await page.getByRole('button', { name: 'Collapse' }).click();
    await expect(row).toBeInViewport({ ratio: 1 });
    await row.click();
    await link.reminder.getByRole('button', { name: 'Not now' }).click();
    await expect(link.reminder).toHaveCount(0);
    await page.goto('/');
    await expect(page.getByText(packageBody.description).first()).toBeVisible();
    await expect(page.getByRole('link', { name: onHome })).toHaveCount(0);
  });
});

test('a label is printed alone, with the link as a QR code unless it would tell the code @long', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const [open, coded] = [
    await backstage.package(sender),
    await backstage.package(sender, { handover: 'code' }),
  ];
  const { page } = await signedIn(sender);
  await page.addInitScript(() => {
    window.print = () => Object.assign(window, { isPrinted: true });
  });
  const link = new RecipientLinkCard(page);
  const picture = { name: 'QR code of the recipient’s link' };
  await PackageDetailPage.open(page, open._id);
  await link.printLabel.click();
  await expect(link.label).toContainText(open.packageId);
  await expect(link.label).toContainText('0805 765 4321');
  await expect(link.label.getByRole('img', picture).locator('path')).toBeVisible();
  await link.label.getByRole('button', { name: 'Print' }).click();
  expect(await page.evaluate(() => Reflect.get(window, 'isPrinted'))).toBe(true);
  // On paper there is the label, and nothing of the app.
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('body > .label-printed')).toBeVisible();
  await expect(page.getByRole('main')).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await link.label.getByRole('button', { name: 'Close' }).click();
  await page.emulateMedia({ media: 'print' });
  await expect(page.getByRole('main')).toBeVisible();
  await page.emulateMedia({ media: 'screen' });

  await PackageDetailPage.open(page, coded._id);
  await link.printLabel.click();
  await expect(link.label).toContainText('No QR code on it');
  await expect(link.label.getByRole('img', picture)).toHaveCount(0);
});
