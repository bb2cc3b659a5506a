import { answerInstead, expectPassing, spoken, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

test.use({ hasServiceWorker: false });

const success = 'Login successful! Redirecting to dashboard...';
const login = /\/api\/auth\/login$/;

test('a visitor to a protected page gets the reason for three seconds', async ({ phone }) => {
  const { page } = await phone();
  const sentence = 'Please log in to access this page.';
  await page.clock.install();
  // The time it appeared by the page's clock: polling from outside is slow.
  await page.addInitScript((wanted) => {
    new MutationObserver((_, observer) => {
      if (!document.body?.innerText.includes(wanted)) return;
      document.documentElement.dataset.saidAt = String(Date.now());
      observer.disconnect();
    }).observe(document, { childList: true, subtree: true });
  }, sentence);
  await page.goto('/payment');
  await expect(page.getByText(sentence)).toBeVisible();
  const saidAt = Number(await page.locator('html').getAttribute('data-said-at'));
  await page.clock.pauseAt(saidAt + 2900);
  await expect(spoken(page, 'status', sentence)).toBeVisible();
  await page.clock.runFor(200);
  await expect(page.getByText(sentence)).toBeHidden();
});

test('signing in confirms and redirects after 2 s', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const auth = await AuthPage.open(page);
  await auth.email.fill(sender.email);
  await auth.password.fill(sender.password);
  await stopTime(page);
  const answer = network.holdNextReply((_, path) => login.test(path));
  await auth.signIn.click();
  await answer.answered;
  const busy = page.getByRole('button', { name: 'Signing In...' });
  await expect(busy).toBeVisible();
  await expect(busy).toHaveAttribute('aria-disabled', 'true');
  answer.release();
  await expect(spoken(page, 'status', success)).toBeVisible();
  // Too late to go back: the redirect must not be lost.
  await page.getByRole('button', { name: 'Join Us Today' }).click();
  await page.clock.runFor(1900);
  await expect(page).toHaveURL(/\/auth$/);
  await page.clock.runFor(200);
  await expect(page).toHaveURL((url) => url.pathname === '/');
  await page.clock.resume();
  await expect(page.getByText('Where to?')).toBeVisible();
});

test('Trust This Device is stored under the name persist, across a reload', async ({ phone }) => {
  const { page } = await phone();
  const auth = await AuthPage.open(page);
  const kept = () => page.evaluate(() => localStorage.getItem('persist'));
  await expect(auth.trustDevice).not.toBeChecked();
  await auth.trustDevice.check();
  expect(await kept()).toBe('true');
  await page.reload();
  await expect(auth.trustDevice).toBeChecked();
  await auth.trustDevice.uncheck();
  expect(await kept()).toBe('false');
});

test('a failed sign-in gives the reason and keeps the input', async ({ phone, network }) => {
  const { page, context } = await phone();
  const auth = await AuthPage.open(page);
  await auth.password.fill('a password');
  await auth.email.fill('amina@kaya');
  await auth.signIn.click();
  await expect(auth.email).toHaveAccessibleDescription('Please enter a valid email address.');
  await expect(auth.email).toBeFocused();
  await auth.email.fill('amina@kaya.test');
  await stopTime(page);
  for (const [status, sentence] of [
    [404, 'Email is not registered.'],
    [401, 'Incorrect password.'],
    [422, 'Login failed. Please try again.'],
  ] as const) {
    answerInstead(network, 'POST', login, { status });
    await auth.signIn.click();
    await expectPassing(page, 'alert', sentence, 4000);
    await expect(auth.signIn).toBeEnabled();
  }
  await context.setOffline(true);
  await auth.signIn.click();
  const offline = 'You are offline. Connect to the internet to sign in.';
  await expect(page.getByText(offline)).toBeVisible();
  await expect(auth.email).toHaveValue('amina@kaya.test');
  await expect(auth.password).toHaveValue('a password');
});

test('the password can be shown and hidden, and keeps the focus', async ({ phone }) => {
  const { page } = await phone();
  const auth = await AuthPage.open(page);
  await auth.password.fill('a password');
  await expect(auth.password).toHaveAttribute('type', 'password');
  const show = page.getByRole('button', { name: 'Show password' });
  await show.press('Enter');
  await expect(auth.password).toHaveAttribute('type', 'text');
  await expect(show).toHaveAttribute('aria-pressed', 'true');
  await expect(show).toBeFocused();
  await show.press('Enter');
  await expect(auth.password).toHaveAttribute('type', 'password');
  await expect(auth.password).toHaveValue('a password');
});
