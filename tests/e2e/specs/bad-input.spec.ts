/**
 * What nobody means, in the wizard, the search and the address bar: a clear word at the field,
 * nothing lost, nothing run. The other forms have the same in their own specs: sign-in, sign-up,
 * profile, edit-package, deposit, users, users-edit.
 */
import type { Locator, Page } from '@playwright/test';
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { createPackages } from '#tests/e2e/outbox-stage.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

const html = `<img src=x onerror="window['taken']=1"><b>Kola</b>`;
const script = `<script>window['taken']=1</script>`;
const strange = `${html} 🥥👩🏾‍🌾 شحنة من الجوز`;
const tooLong = 'x'.repeat(10_000);

const unfit = 'Must not contain control characters. Type the text again.';
const blank = 'This field is required.';
const notThere = 'Must not be empty.';
const badPhone = 'Please enter a valid phone number, for example 0803 123 4567.';
const badEmail = 'Please enter a valid email address.';
const atMost = (count: number) => `Must be at most ${count} characters.`;

/** What every line of text refuses: nothing, nothing to be seen, too much, what turns text around. */
const textCases = (limit: number): [string, string][] => [
  ['', blank],
  ['   ', blank],
  ['\u200d\u2800', notThere],
  [tooLong, atMost(limit)],
  ['Kofar\u0007 Mata', unfit],
  ['\u202eonaK', unfit],
];

interface BadField {
  label: string;
  good: string;
  cases: [typed: string, message: string][];
}

interface Step {
  heading: string;
  /** What the form says where a field that it needs is missing. */
  missing: string;
  fields: BadField[];
}

const steps: Step[] = [
  {
    heading: 'Enter Locations',
    missing: 'Please fill in both pickup and delivery addresses.',
    fields: [
      { label: 'Pickup Address', good: strange, cases: textCases(300) },
      { label: 'Delivery Address', good: '4 Zoo Road, Kano', cases: textCases(300) },
    ],
  },
  {
    heading: 'Recipient Details',
    missing: 'Please fill in recipient name and phone number.',
    fields: [
      { label: 'Recipient Name', good: '<b>موسى</b> 😀', cases: textCases(80) },
      {
        label: 'Recipient Phone',
        good: '0805 765 4321',
        cases: [
          ['', blank],
          ['  ', blank],
          ['call me', badPhone],
          ['12', badPhone],
          ['٠٨٠٥٧٦٥٤٣٢١', badPhone],
          ['📞📞📞📞📞📞', badPhone],
          [html.slice(0, 20), badPhone],
          [tooLong, atMost(24)],
        ],
      },
      {
        label: 'Recipient Email',
        good: '',
        cases: [
          ['nobody', badEmail],
          ['a b@kaya.test', badEmail],
          ['@.', badEmail],
          [`${tooLong}@kaya.test`, atMost(254)],
        ],
      },
    ],
  },
  {
    heading: 'Product Information',
    missing: 'Please fill in description and pickup date.',
    fields: [
      { label: 'Description', good: strange, cases: textCases(1000) },
      { label: 'Pickup Date', good: '2027-01-15T09:00', cases: [['', blank]] },
      {
        label: 'Delivery Date',
        good: '2027-01-16T09:00',
        cases: [['2027-01-14T09:00', 'The delivery date must not be before the pickup date.']],
      },
      {
        label: 'Notes',
        good: script,
        cases: textCases(1000).filter(([typed]) => typed.trim() !== ''),
      },
    ],
  },
  {
    heading: 'Pricing and Payment',
    missing: 'Required fields are missing.',
    fields: [
      {
        label: 'Price Offer',
        good: '₦1,500.50',
        cases: [
          ['', blank],
          ['  ', blank],
          ['-5', 'Must be more than zero.'],
          ['0', 'Must be more than zero.'],
          ['12.345', 'Must have at most two decimals.'],
          ['10000000.01', 'Must be at most ₦10,000,000.'],
          [tooLong.replaceAll('x', '9'), 'Must be at most ₦10,000,000.'],
          ['1e5', 'Must be an amount, such as 1500 or 2500.50.'],
          ['0x1F', 'Must be an amount, such as 1500 or 2500.50.'],
          ['١٢٣', 'Must be an amount, such as 1500 or 2500.50.'],
          ['Infinity', 'Must be an amount, such as 1500 or 2500.50.'],
          ['🤑', 'Must be an amount, such as 1500 or 2500.50.'],
          [html, 'Must be an amount, such as 1500 or 2500.50.'],
        ],
      },
    ],
  },
];

/** Said at this field and tied to it, by the one complaint or in place of the form's own. */
async function expectComplaint(page: Page, field: Locator, message: string, missing: string) {
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  const tied = () =>
    field.evaluate((element) =>
      (element.getAttribute('aria-describedby') ?? '')
        .split(' ')
        .map((id) => document.getElementById(id)?.textContent),
    );
  await expect.poll(tied).toContain(message);
  await expect(field).toBeFocused();
  if (message !== blank) return;
  await expect(page.getByRole('alert').filter({ hasText: missing })).toBeVisible();
}

/** Nothing of it became an element, and nothing of it ran. */
async function expectOnlyText(page: Page) {
  const made = page.getByRole('main').locator('img[src="x"], script, b');
  await expect(made).toHaveCount(0);
  expect(await page.evaluate(() => 'taken' in window)).toBe(false);
}

test('every field of the wizard refuses what nobody means, and keeps everything that was typed', {
  tag: '@long',
}, async ({ phone, backstage }) => {
  const sender = await backstage.account('Customer', 'Amina');
  const courier = await backstage.account('Employee', 'Sani');
  const { page } = await phone();
  await enter(page, sender, '/new-package');
  const wizard = new WizardPage(page);
  for (const { heading, missing, fields } of steps) {
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    const isLast = heading === 'Pricing and Payment';
    const submit = isLast ? wizard.create : wizard.next;
    for (const { label, good } of fields) await page.getByLabel(label).fill(good);
    if (isLast) {
      await submit.click();
      await expectComplaint(page, page.getByLabel('Payment Method'), blank, missing);
      await page.getByLabel('Payment Method').selectOption({ label: 'Pay with App' });
    }
    for (const { label, good, cases } of fields) {
      await test.step(label, async () => {
        const field = page.getByLabel(label);
        for (const [typed, message] of cases) {
          await field.fill(typed);
          await submit.click();
          await expectComplaint(page, field, message, missing);
          await expect(field).toHaveValue(typed);
        }
        await field.fill(good);
      });
    }
    for (const { label, good } of fields) {
      await expect(page.getByLabel(label)).toHaveValue(good);
    }
    await expectOnlyText(page);
    await submit.click();
  }
  await expect(page.getByText('Package created successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/tracking$/);

  await test.step('what was typed is text wherever it is shown', async () => {
    const list = new PackageListPage(page);
    const card = list.card('👩🏾‍🌾');
    await expect(card).toContainText(strange);
    await expect(card).toContainText('₦1,500.50');
    await expect(card).toContainText('Pay with App');
    await expectOnlyText(page);
    await list.open('👩🏾‍🌾');
    await expect(page.getByText('<b>موسى</b> 😀').first()).toBeVisible();
    await expect(page.getByText(script)).toBeVisible();
    await expect(page.getByText('Unpaid', { exact: true })).toBeVisible();
    await expectOnlyText(page);
    const another = await phone();
    await enter(another.page, courier, '/delivery/pending');
    await expect(new PackageListPage(another.page).card('👩🏾‍🌾')).toContainText(strange);
    await expectOnlyText(another.page);
  });
});

test('a search for anything at all finds nothing, says for what, and runs nothing', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  await createPackages(backstage.call, sender, 4);
  const { page } = await phone();
  await enter(page, sender, '/tracking/pending');
  const list = new PackageListPage(page);
  await expect(list.cards).toHaveCount(4);
  await expect(page.getByRole('article').getByText('Not specified')).toHaveCount(4);
  for (const typed of [html, '.*', '\\', '%', '[', '😀', 'مرحبا', '\u0007', tooLong]) {
    await list.search.fill(typed);
    await expect(list.cards).toHaveCount(0);
    await expect(page.getByText('No package matches')).toBeVisible();
    await expectOnlyText(page);
    // A search takes a hundred characters, which nobody needs.
    await expect(list.search).toHaveValue(typed.slice(0, 100));
    // However long it is, the screen does not grow wider than the phone.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(412);
  }
  await list.search.fill('');
  await expect(list.cards).toHaveCount(4);
});

test('an address that somebody made up shows what is not there, and runs nothing', async ({
  phone,
  backstage,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  await enter(page, sender);
  const made = encodeURIComponent(html);
  for (const { at, says } of [
    { at: `/package-detail/${made}`, says: 'No package data found' },
    { at: `/edit-package/${made}`, says: 'No package data found' },
    { at: `/edit-user/${made}`, says: 'User not found' },
    { at: `/edit-user/00000000-0000-4000-8000-000000000000`, says: 'User not found' },
    { at: `/outbox?about=${made}`, says: 'No pending changes.' },
    { at: `/new-package?from=${made}`, says: 'This change was already resolved' },
    { at: `/tracking/${made}`, says: '404 Not Found' },
  ]) {
    await test.step(at, async () => {
      await page.goto(at);
      await expect(page.getByText(says)).toBeVisible();
      await expectOnlyText(page);
    });
  }
});
