/** The sandbox's payment page on a phone without scripts. */
import type { BrowserContext, Page } from '@playwright/test';
import type { InitiatedPayment, Payments, VerifiedPayment } from '#contract/payment.ts';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { test as base, expect } from '#tests/e2e/kaya.ts';
import { linesOf } from '#tests/e2e/layout.ts';

const test = base.extend<{ plainPhone: BrowserContext }>({
  plainPhone: async ({ browser }, use) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
      locale: 'en-NG',
    });
    await use(context);
    await context.close();
  },
});

test.use({ hasServiceWorker: false });

interface TopUp {
  url: string;
  reference: string;
}

async function begin({ call }: Backstage, sender: Account, amount: number): Promise<TopUp> {
  const body = { email: sender.email, amount };
  const { data } = await call<InitiatedPayment>(sender, 'POST', '/api/payments/initiate', body);
  return { url: data.authorization_url, reference: data.reference };
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

function expectReturned(page: Page, { url, reference }: TopUp) {
  const back = new URL(page.url());
  expect(back.origin).toBe(new URL(url).origin);
  expect(back.pathname).toBe('/deposit');
  expect(back.searchParams.get('reference')).toBe(reference);
}

async function expectFitting(page: Page, { email }: Account, url: string) {
  await page.goto(url);
  const amount = page.getByText('₦9,999,999.99', { exact: true });
  expect(await linesOf(amount)).toBe(1);
  expect((await amount.boundingBox())?.width).toBeLessThanOrEqual(360);
  const box = await page.getByText(email).boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
  for (const control of await page.locator('button, a').all()) {
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
}

test('a payment is put off, declined, paid once', async ({ backstage, sender, plainPhone }) => {
  const topUp = await begin(backstage, sender, 1234.5);
  const verified = () =>
    backstage.call<VerifiedPayment>(sender, 'GET', `/api/payments/verify/${topUp.reference}`);
  const wallet = () => backstage.call<Payments>(sender, 'GET', '/api/payments');
  const page = await plainPhone.newPage();
  const secondTab = await plainPhone.newPage();
  await secondTab.goto(topUp.url);
  await expect(secondTab.getByRole('heading', { name: 'Sandbox payment to Kaya' })).toBeVisible();
  for (const text of ['Sandbox – no real money', sender.email, topUp.reference]) {
    await expect(secondTab.getByText(text)).toBeVisible();
  }
  for (const [button, status, note] of [
    ['Abandon', 'abandoned', 'Abandoned'],
    ['Decline', 'failed', 'Declined'],
  ] as const) {
    await page.goto(topUp.url);
    await press(page, button);
    expectReturned(page, topUp);
    expect(await verified()).toMatchObject({ depositedAmount: 0, status });
    expect(await wallet()).toMatchObject({ available: 0, entries: [] });
    await page.goto(topUp.url);
    await expect(page.getByRole('status')).toContainText(note);
  }
  await press(page, 'Pay ₦1,234.50');
  expectReturned(page, topUp);
  // Not verified yet: the sandbox's webhook has credited it.
  expect((await wallet()).available).toBe(1234.5);
  expect(await verified()).toMatchObject({ depositedAmount: 1234.5, status: 'credited' });

  await press(secondTab, 'Pay ₦1,234.50');
  expectReturned(secondTab, topUp);
  await page.goBack();
  await expect(page.getByRole('status')).toContainText('Paid already');
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Kaya' }).click();
  expectReturned(page, topUp);
  expect(await wallet()).toMatchObject({ available: 1234.5, entries: [{ amount: 1234.5 }] });

  await test.step('the largest amount and a long name fit a small phone', async () => {
    const someone = await backstage.sender(`${'Abdulrahman-'.repeat(4)}Sani`);
    await expectFitting(page, someone, (await begin(backstage, someone, 9_999_999.99)).url);
  });
});
