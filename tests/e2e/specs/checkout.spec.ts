/** The sandbox's payment page on a phone without scripts. */
import type { BrowserContext, Page } from '@playwright/test';
import type { InitiatedPayment, Payments, VerifiedPayment } from '#contract/payment.ts';
import { pathOf, routes } from '#contract/routes.ts';
import { type Account, test as base, expect } from '#tests/e2e/kaya.ts';
import { linesOf } from '#tests/e2e/layout.ts';

interface TopUp {
  url: string;
  reference: string;
}

interface Teller {
  /** Begins a top-up as this sender. */
  begin(sender: Account, amount: number): Promise<TopUp>;
  verify(sender: Account, reference: string): Promise<VerifiedPayment>;
  wallet(sender: Account): Promise<Payments>;
}

interface Fixtures {
  /** A phone whose browser runs no scripts. */
  plainPhone: BrowserContext;
  teller: Teller;
}

const test = base.extend<Fixtures>({
  plainPhone: async ({ browser }, use) => {
    const context = await browser.newContext({
      javaScriptEnabled: false,
      viewport: { width: 360, height: 740 },
      locale: 'en-NG',
    });
    await use(context);
    await context.close();
  },

  teller: async ({ backstage }, use) => {
    const { call } = backstage;
    await use({
      begin: async (sender, amount) => {
        const body = { email: sender.email, amount };
        const { method, path } = routes.initiatePayment;
        const { data } = (await call(sender, method, path, body)) as InitiatedPayment;
        return { url: data.authorization_url, reference: data.reference };
      },
      verify: async (sender, reference) => {
        const { method, path } = routes.verifyPayment;
        return (await call(sender, method, pathOf(path, { reference }))) as VerifiedPayment;
      },
      wallet: async (sender) => {
        const { method, path } = routes.listPayments;
        return (await call(sender, method, path)) as Payments;
      },
    });
  },
});

test.use({ hasServiceWorker: false });

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

function expectReturned(page: Page, { url, reference }: TopUp) {
  const back = new URL(page.url());
  expect(back.origin).toBe(new URL(url).origin);
  expect(back.pathname).toBe('/deposit');
  expect(back.searchParams.get('reference')).toBe(reference);
}

test('a payment leads back and credits once', async ({ backstage, plainPhone, teller }) => {
  const sender = await backstage.sender();
  const topUp = await teller.begin(sender, 5000);
  const page = await plainPhone.newPage();
  const secondTab = await plainPhone.newPage();
  for (const tab of [page, secondTab]) {
    await tab.goto(topUp.url);
    await expect(tab.getByRole('heading', { name: 'Sandbox payment to Kaya' })).toBeVisible();
    await expect(tab.getByText('Sandbox – no real money')).toBeVisible();
    await expect(tab.getByText(sender.email)).toBeVisible();
    await expect(tab.getByText(topUp.reference)).toBeVisible();
  }

  await press(page, 'Pay ₦5,000');
  expectReturned(page, topUp);
  // Not verified yet: the sandbox's webhook has credited it.
  expect((await teller.wallet(sender)).available).toBe(5000);
  expect(await teller.verify(sender, topUp.reference)).toEqual({
    ...{ depositedAmount: 5000, status: 'credited', reference: topUp.reference },
  });

  await press(secondTab, 'Pay ₦5,000');
  expectReturned(secondTab, topUp);
  await page.goBack();
  await expect(page.getByRole('status')).toContainText('Paid already');
  await expect(page.getByRole('button')).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to Kaya' }).click();
  expectReturned(page, topUp);

  await teller.verify(sender, topUp.reference);
  const { available, entries } = await teller.wallet(sender);
  expect(available).toBe(5000);
  expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([['top_up', 5000]]);
});

test('declined or abandoned, it can still be paid', async ({ plainPhone, backstage, teller }) => {
  const sender = await backstage.sender('Musa');
  const topUp = await teller.begin(sender, 1234.5);
  const page = await plainPhone.newPage();
  const secondTab = await plainPhone.newPage();
  await secondTab.goto(topUp.url);
  for (const [button, status, note] of [
    ['Abandon', 'abandoned', 'Abandoned'],
    ['Decline', 'failed', 'Declined'],
  ] as const) {
    await page.goto(topUp.url);
    await press(page, button);
    expectReturned(page, topUp);
    const verified = await teller.verify(sender, topUp.reference);
    expect(verified).toMatchObject({ depositedAmount: 0, status });
    expect(await teller.wallet(sender)).toMatchObject({ available: 0, entries: [] });
    await page.goto(topUp.url);
    await expect(page.getByRole('status')).toContainText(note);
  }
  await press(page, 'Pay ₦1,234.50');
  expectReturned(page, topUp);
  await press(secondTab, 'Decline');
  await expect(secondTab.getByRole('status')).toContainText('Paid already');
  expect((await teller.wallet(sender)).available).toBe(1234.5);
});

test('an unknown payment says so and leads to the app', async ({ backstage, plainPhone }) => {
  const page = await plainPhone.newPage();
  const answer = await page.goto(`${backstage.serverUrl}/sandbox/checkout/0123456789abcdef`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such payment' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Kaya' })).toHaveAttribute('href', '/');
});

test('the checkout runs no script and keeps its styles', async ({ phone, backstage, teller }) => {
  const sender = await backstage.sender('Fatima');
  const { url } = await teller.begin(sender, 5000);
  const { page } = await phone();
  const blocked: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') blocked.push(message.text());
  });
  const answer = await page.goto(url);
  const policy = answer?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain('unsafe');
  expect(policy).not.toContain('script-src');
  expect(answer?.headers()).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(await answer?.text()).not.toMatch(/<script|\son\w+=|javascript:/i);

  const button = page.getByRole('button', { name: 'Pay ₦5,000' });
  await expect(button).toHaveCSS('border-top-left-radius', '14px');
  expect(blocked).toEqual([]);

  // As if markup had been injected into the page.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = "document.title = 'it ran'";
    document.body.append(script);
  });
  await expect(page).toHaveTitle('Sandbox payment to Kaya');
  expect(blocked.join('\n')).toContain('Content Security Policy');
});

test('the largest amount fits a small phone', async ({ plainPhone, backstage, teller }) => {
  const sender = await backstage.sender(`${'Abdulrahman-'.repeat(4)}Sani`);
  const page = await plainPhone.newPage();
  await page.goto((await teller.begin(sender, 9_999_999.99)).url);
  const amount = page.getByText('₦9,999,999.99', { exact: true });
  expect(await linesOf(amount)).toBe(1);
  expect((await amount.boundingBox())?.width).toBeLessThanOrEqual(360);
  const email = await page.getByText(sender.email).boundingBox();
  expect((email?.x ?? 0) + (email?.width ?? 0)).toBeLessThanOrEqual(360);
  for (const control of await page.locator('button, a').all()) {
    expect((await control.boundingBox())?.height).toBeGreaterThanOrEqual(44);
  }
});
