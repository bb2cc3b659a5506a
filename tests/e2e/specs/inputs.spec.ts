/** What is pasted, shared and typed as people write it, from the wizard to the search. */
import type { Page } from '@playwright/test';
import type { WirePackage } from '#contract/package.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

const kurmi = 'https://maps.google.com/?q=12.0022,8.5919';

test('what people paste and write is understood, asked about or kept', async ({
  signedIn,
  backstage,
  sender,
}) => {
  // Enough of them for the list to be searched.
  await backstage.packages(sender, 8);
  const shared = new URLSearchParams({ text: `Musa’s shop\n${kurmi}` });
  const { page } = await signedIn(sender, `/new-package?${shared}`);
  const wizard = new WizardPage(page);
  const pickup = page.getByLabel('Pickup Address');
  const pinOf = (stop: string) => page.getByRole('group', { name: `Exact ${stop} Place` });
  await expect(page.getByLabel('Delivery Address')).toHaveValue('Musa’s shop');
  await expect(pinOf('Delivery').getByText('Exact place set')).toBeVisible();

  // A short link is kept, and said so; of a map link the pin is set and the words stay.
  await pickup.fill('https://maps.app.goo.gl/abc123');
  await expect(pickup).toHaveAccessibleDescription(/can’t look up short links/);
  await pickup.fill('Gate 2 51.50740, -0.12780');
  await expect(pickup).toHaveValue('Gate 2');
  await expect(pinOf('Pickup').getByText('outside Nigeria')).toBeVisible();
  await pickup.fill('5 Lamido Crescent');
  await expect(page.getByText('The exact place was removed with its address.')).toBeVisible();
  await expect(pinOf('Pickup').getByText('outside Nigeria')).toBeHidden();
  await pickup.fill(`\u202aGate 2,\u00a0Kurmi Market\u202c ${kurmi}`);
  await expect(pickup).toHaveValue('Gate 2, Kurmi Market');
  await expect(pinOf('Pickup').getByText('Exact place set')).toBeVisible();
  await page.getByLabel('Delivery Address').fill('Musa’s shop,\t4 Zoo Road');
  await wizard.next.click();

  const phone = page.getByLabel('Recipient Phone');
  await page.getByLabel('Recipient Name').fill('Sha\u02bcaibu \u2068محمد\u2069');
  await phone.fill('0803 123 4567 / 0805 765 4321');
  await wizard.next.click();
  await expect(phone).toHaveAccessibleDescription(/one number/);
  await phone.fill('008031234567');
  await wizard.next.click();
  await expect(phone).toHaveAccessibleDescription(/valid phone number/);
  await phone.fill('009 234 ٨٠٣ 123 4567');
  await wizard.next.click();

  await page.getByLabel('Description').fill('Cloth');
  await page.getByLabel('Pickup Date').fill('2099-11-22T09:00');
  await page.getByLabel('Notes').fill('Ask at\thttps://www.openstreetmap.org/way/1.');
  await wizard.next.click();
  const price = page.getByLabel('Price Offer');
  await price.fill('1.500');
  await wizard.choosePayment('cash');
  await wizard.create.click();
  await expect(price).toHaveAccessibleDescription('Did you mean ₦1,500? You typed 1.500.');
  await price.fill('1,500/=');
  await wizard.submit();

  const all = await backstage.call<WirePackage[]>(sender, 'GET', '/api/packages');
  const pkg = all.find(({ description }) => description === 'Cloth');
  const pin = { lat: 12.0022, lng: 8.5919 };
  expect(pkg).toMatchObject({
    pickupAddress: 'Gate 2, Kurmi Market',
    pickupLocation: pin,
    deliveryAddress: 'Musa’s shop, 4 Zoo Road',
    deliveryLocation: pin,
    recipientName: 'Shaʼaibu محمد',
    recipientPhone: '+2348031234567',
    priceOffer: 1500,
  });
  const list = new PackageListPage(page);
  await list.search.fill('shaaibu');
  await expect(list.cards).toHaveCount(1);
  await page.goto(`/package-detail/${pkg?._id}`);
  const link = page.getByRole('link', { name: 'https://www.openstreetmap.org/way/1' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
});

/** Elements with Arabic words that would run in the direction of English ones; null: no such words. */
const withoutDirection = (page: Page) =>
  page.evaluate(() => {
    const arabic = /[\u0600-\u06ff]/;
    const found: string[] = [];
    let words = 0;
    const look = (element: Element | null, text: string, isSet: boolean) => {
      if (!element || !arabic.test(text)) return;
      words += 1;
      if (!isSet) found.push(element.outerHTML.slice(0, 160));
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { parentElement: element, textContent } = texts.currentNode;
      // What is not read there: scripts, and the first letter of a name as its picture.
      const isOwn = element?.closest('[dir="auto"], bdi, script, [aria-hidden="true"]');
      look(element, textContent ?? '', isOwn !== null);
    }
    for (const field of document.querySelectorAll('input, textarea')) {
      look(field, (field as HTMLInputElement).value, field.getAttribute('dir') === 'auto');
    }
    return words === 0 ? null : found;
  });

test('people’s words run in the direction of their script @long', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const dispatcher = await backstage.dispatcher();
  const named = { firstName: 'أمينة', lastName: 'بلو', address: 'طريق المطار' };
  for (const who of [sender, courier, dispatcher]) {
    const vehicle = who === courier ? { vehicle: 'دراجة' } : {};
    await backstage.call(who, 'PATCH', '/api/users', { id: who.id, ...named, ...vehicle });
  }
  const words = {
    description: 'قماش',
    notes: 'اسأل عند الباب',
    pickupAddress: 'سوق كرمي',
    deliveryAddress: 'طريق الحديقة',
    recipientName: 'محمد',
  };
  await backstage.package(sender, words);
  const pkg = await backstage.package(sender, words);
  await backstage.accept(courier, pkg);
  const note = { reason: 'recipient_unavailable', note: 'لا أحد' } as const;
  await backstage.record(courier, pkg, { type: 'picked_up' });
  await backstage.record(courier, pkg, { type: 'attempt_failed', ...note });
  const own = [`/package-detail/${pkg._id}`, '/account', '/personal-info', '/home'];
  const screens = {
    sender: [
      '/tracking/pending',
      '/tracking/in-transit',
      `/edit-package/${pkg._id}`,
      '/new-package',
    ],
    courier: ['/delivery/pending', '/delivery/in-transit'],
    dispatcher: ['/delivery/all', '/users-list', `/edit-user/${courier.id}`],
  };
  for (const [who, paths] of [
    [sender, screens.sender],
    [courier, screens.courier],
    [dispatcher, screens.dispatcher],
  ] as const) {
    const { page } = await signedIn(who);
    for (const path of [...paths, ...own]) {
      await page.goto(path);
      // Users of other tests may be on the list before them, and of a long one a part is drawn.
      if (path === '/users-list') {
        await page.getByRole('searchbox', { name: 'Search users' }).fill(named.firstName);
        await expect(page.getByText(named.firstName).first()).toBeVisible();
      }
      await expect.poll(() => withoutDirection(page), path).toEqual([]);
    }
  }
});
