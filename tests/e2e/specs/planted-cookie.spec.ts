/** A refresh cookie planted in the browser opens nothing. */
import type { BrowserContext, Page } from '@playwright/test';
import type { Backstage } from '#tests/e2e/backstage.ts';
import { type Account, test as base, expect } from '#tests/e2e/kaya.ts';
import { usersInMirror } from '#tests/e2e/outbox-stage.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';
import { startTlsFront, type TlsFront } from '#tests/fakes/tls-front.ts';

interface HttpsPhone {
  front: TlsFront;
  context: BrowserContext;
  page: Page;
}

const test = base.extend<{ httpsPhone: HttpsPhone }>({
  httpsPhone: async ({ browser, server }, use) => {
    const front = await startTlsFront(server.url);
    const options = { baseURL: front.appUrl, ignoreHTTPSErrors: true };
    const context = await browser.newContext({ ...options, serviceWorkers: 'block' });
    await use({ front, context, page: await context.newPage() });
    await context.close();
    await front.close();
  },
});

test.use({ hasServiceWorker: false });

const loginRequired = 'Please log in to access this page.';
const signInForm = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' });

/** A refresh token as issued to this account. */
async function tokenOf({ serverUrl }: Backstage, account: Account, proto = 'http') {
  const { email, password } = account;
  const answer = await fetch(`${serverUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-proto': proto },
    body: JSON.stringify({ email, password, trustDevice: true }),
  });
  return /kaya_refresh=([^;]+)/.exec(answer.headers.getSetCookie().join())?.[1] ?? '';
}

/** The app shows the signed-in user. */
async function expectOpenedAs(page: Page, { firstName }: Account): Promise<void> {
  // A trusted phone opens before the refresh, whose reply sets the cookie again.
  const refreshed = page.waitForResponse('**/api/auth/refresh');
  await page.goto('/account');
  await refreshed;
  await expect(page.getByText(`${firstName} Bello`)).toBeVisible();
}

async function signIn(page: Page, account: Account, { trust }: { trust: boolean }): Promise<void> {
  const auth = page.url().endsWith('/auth') ? new AuthPage(page) : await AuthPage.open(page);
  await auth.submit(account, { trust });
  await expect(page.getByText('Login successful!')).toBeVisible();
  await expectOpenedAs(page, account);
}

test.describe('a cookie planted by a sibling domain over https', () => {
  /** Set from a page of the sibling, by its own script. */
  async function plant({ front, context }: HttpsPhone, token: string): Promise<void> {
    const sibling = await context.newPage();
    await sibling.goto(front.siblingUrl);
    const words = `kaya_refresh=${token}; Domain=${front.domain}; Path=/api/auth/refresh; Secure`;
    await sibling.evaluate((cookie) => {
      // biome-ignore lint/suspicious/noDocumentCookie: an attacker takes what every browser has.
      document.cookie = cookie;
    }, words);
    await sibling.close();
    const planted = (await context.cookies()).find(({ domain }) => domain === `.${front.domain}`);
    expect(planted?.value).toBe(token);
  }

  test('neither replaces the real one nor opens without it @long', async ({
    backstage,
    httpsPhone,
  }) => {
    const { context, page } = httpsPhone;
    const victim = await backstage.sender();
    const token = await tokenOf(backstage, await backstage.sender('Bala'), 'https');
    await signIn(page, victim, { trust: false });
    await plant(httpsPhone, token);
    await expectOpenedAs(page, victim);
    await context.clearCookies();
    await plant(httpsPhone, token);
    await page.goto('/account');
    await expect(page.getByRole('heading', { name: 'Session Expired' })).toBeVisible();
  });
});

test("another user's session leads to the sign-in form @long", async ({
  backstage,
  sender: person,
  page,
  context,
}) => {
  await signIn(page, person, { trust: true });
  const ofOther = await tokenOf(backstage, await backstage.sender('Bala'));
  await context.clearCookies();
  const place = { domain: 'localhost', path: '/api/auth' };
  await context.addCookies([{ name: 'kaya_refresh', value: ofOther, ...place }]);
  await page.goto('/account');
  await expect(page.getByText(loginRequired)).toBeVisible();
  await expect(signInForm(page)).toBeVisible();
  await expect(page.getByText('Session Expired')).toBeHidden();
  await signIn(page, person, { trust: true });
});

test('two refresh cookies end no session @long', async ({ backstage, sender: person, page }) => {
  const context = page.context();
  await signIn(page, person, { trust: true });
  await expect.poll(() => usersInMirror(page)).toBe(1);
  const [own] = await context.cookies(`${new URL(page.url()).origin}/api/auth`);
  const ofOther = await tokenOf(backstage, await backstage.sender('Bala'));
  await context.clearCookies();
  const path = '/api/auth/refresh';
  await context.addCookies([
    ...(own ? [own] : []),
    { name: 'kaya_refresh', value: ofOther, domain: 'localhost', path },
  ]);
  await page.goto('/account');
  await expect(signInForm(page)).toBeVisible();
  expect(await usersInMirror(page)).toBe(1);
  await context.clearCookies({ path });
  await expectOpenedAs(page, person);
  const refreshed = page.waitForResponse((answer) => answer.url().endsWith(path));
  await page.reload();
  expect((await refreshed).status()).toBe(200);
});
