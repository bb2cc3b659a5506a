/** The sandbox's payment page on a phone that runs no scripts: DESIGN.md section 6. */
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

test('paying leads back with the reference and credits once, also from a second tab and by going back', async ({
  plainPhone,
  backstage,
  teller,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
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
  // Nobody has verified yet: the sandbox's webhook has credited it.
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

for (const [button, status, note] of [
  ['Decline', 'failed', 'Declined'],
  ['Abandon', 'abandoned', 'Abandoned'],
] as const) {
  test(`'${button}' leads back, credits nothing, and leaves the choice to pay after all`, async ({
    plainPhone,
    backstage,
    teller,
  }) => {
    const sender = await backstage.account('Customer', 'Musa');
    const topUp = await teller.begin(sender, 1234.5);
    const page = await plainPhone.newPage();
    await page.goto(topUp.url);
    await press(page, button);
    expectReturned(page, topUp);
    expect(await teller.verify(sender, topUp.reference)).toMatchObject({
      ...{ depositedAmount: 0, status },
    });
    expect(await teller.wallet(sender)).toMatchObject({ available: 0, entries: [] });

    await page.goto(topUp.url);
    await expect(page.getByRole('status')).toContainText(note);
    await press(page, 'Pay ₦1,234.50');
    expectReturned(page, topUp);
    expect((await teller.wallet(sender)).available).toBe(1234.5);
  });
}

test('what is paid cannot be declined in another tab, and that tab says so', async ({
  plainPhone,
  backstage,
  teller,
}) => {
  const sender = await backstage.account('Customer', 'Zainab');
  const topUp = await teller.begin(sender, 300);
  const page = await plainPhone.newPage();
  const secondTab = await plainPhone.newPage();
  await page.goto(topUp.url);
  await secondTab.goto(topUp.url);
  await press(page, 'Pay ₦300');
  await press(secondTab, 'Decline');
  await expect(secondTab).toHaveURL(topUp.url);
  await expect(secondTab.getByRole('status')).toContainText('Paid already');
  expect(await teller.verify(sender, topUp.reference)).toMatchObject({ status: 'credited' });
  expect((await teller.wallet(sender)).available).toBe(300);
});

test('a page that does not exist says so and leads to the app', async ({
  plainPhone,
  backstage,
}) => {
  const page = await plainPhone.newPage();
  const answer = await page.goto(`${backstage.serverUrl}/sandbox/checkout/0123456789abcdef`);
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'No such payment' })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Back to Kaya' })).toHaveAttribute('href', '/');
});

test('the page lets no script run, even where the browser would, and its own styles do apply', async ({
  phone,
  backstage,
  teller,
}) => {
  const sender = await backstage.account('Customer', 'Fatima');
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

  // As if something had found its way into the page.
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = "document.title = 'it ran'";
    document.body.append(script);
  });
  await expect(page).toHaveTitle('Sandbox payment to Kaya');
  expect(blocked.join('\n')).toContain('Content Security Policy');
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the largest amount and a long e-mail fit a small phone, ${colorScheme}`, async ({
    browser,
    backstage,
    teller,
  }) => {
    const sender = await backstage.account('Customer', `${'Abdulrahman-'.repeat(4)}Sani`);
    const { url } = await teller.begin(sender, 9_999_999.99);
    const context = await browser.newContext({
      ...{ colorScheme, viewport: { width: 360, height: 740 } },
    });
    const page = await context.newPage();
    await page.goto(url);
    const amount = page.getByText('₦9,999,999.99', { exact: true });
    expect(await linesOf(amount)).toBe(1);
    const [overflow, smallest] = await page.evaluate(() => [
      document.documentElement.scrollWidth - window.innerWidth,
      Math.min(
        ...[...document.querySelectorAll('button, a')].map(
          (control) => control.getBoundingClientRect().height,
        ),
      ),
    ]);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(smallest).toBeGreaterThanOrEqual(44);
    await context.close();
  });
}
