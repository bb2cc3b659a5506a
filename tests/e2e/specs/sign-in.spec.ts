/** Signing in and up: the forms, their switch, messages and delays. */
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { answerInstead, expectPassing, spoken, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

test.use({ hasServiceWorker: false });

const success = 'Login successful! Redirecting to dashboard...';
const login = /\/api\/auth\/login$/;

test('a visitor to a protected page gets the reason for three seconds', async ({ page }) => {
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

test('signing in confirms and redirects after 2 s', async ({ network, sender, page }) => {
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

test('trust is stored as persist, a password can be shown @long', async ({ page }) => {
  const auth = await AuthPage.open(page);
  const kept = () => page.evaluate(() => localStorage.getItem('persist'));
  await expect(auth.trustDevice).not.toBeChecked();
  await auth.trustDevice.check();
  expect(await kept()).toBe('true');
  await page.reload();
  await expect(auth.trustDevice).toBeChecked();
  await auth.trustDevice.uncheck();
  expect(await kept()).toBe('false');

  await auth.password.fill('a password');
  const show = page.getByRole('button', { name: 'Show password' });
  for (const type of ['text', 'password']) {
    await show.press('Enter');
    await expect(auth.password).toHaveAttribute('type', type);
    await expect(show).toHaveAttribute('aria-pressed', String(type === 'text'));
    await expect(show).toBeFocused();
  }
  await expect(auth.password).toHaveValue('a password');
});

/** Where a toast covers nothing. */
async function expectAboveForm(page: Page, toast: Locator) {
  const boxOf = async (part: Locator) => (await part.boundingBox()) ?? { y: Number.NaN, height: 0 };
  await expect(toast).toBeVisible();
  const box = await boxOf(toast);
  expect(box.y).toBeGreaterThanOrEqual(0);
  expect(box.y + box.height).toBeLessThan((await boxOf(page.getByRole('heading'))).y);
}

test('a failed sign-in keeps the input', async ({ network, page, context }) => {
  await page.setViewportSize({ width: 360, height: 740 });
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
    await expectAboveForm(page, page.getByRole('alert').filter({ hasText: sentence }));
    await expectPassing(page, 'alert', sentence, 4000);
    await expect(auth.signIn).toBeEnabled();
  }
  await context.setOffline(true);
  await auth.signIn.click();
  const offline = 'You are offline. Connect to the internet to sign in.';
  await page.clock.runFor(10_000);
  await expect(page.getByText(offline)).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText(offline)).toBeHidden();
  await context.setOffline(true);
  await auth.signIn.click();
  await expect(page.getByText(offline)).toBeVisible();
  await auth.email.fill('');
  await auth.signIn.click();
  const missing = page.getByText('Please enter a valid email address.');
  await expect(missing).toBeVisible();
  // Only what the connection is about goes with it.
  await context.setOffline(false);
  await page.waitForFunction(() => navigator.onLine);
  await expect(missing).toBeVisible();
  await auth.email.fill('amina@kaya.test');
  await expect(auth.email).toHaveValue('amina@kaya.test');
  await expect(auth.password).toHaveValue('a password');
});

const signUpOf = (page: Page) => page.getByRole('button', { name: 'Sign Up', exact: true });
const created = (page: Page) => page.getByRole('heading', { name: 'Create Account' });
const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' });

async function openSignUp(page: Page): Promise<AuthPage> {
  const auth = await AuthPage.open(page);
  await page.getByRole('button', { name: 'Join Us Today' }).click();
  await expect(created(page)).toBeVisible();
  return auth;
}

test('the two forms alternate after 300 ms and keep the input', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const auth = await AuthPage.open(page);
  await auth.email.fill('amina@kaya.test');
  await auth.password.fill('a password');
  await stopTime(page);

  await page.getByRole('button', { name: 'Join Us Today' }).click();
  await expect(spoken(page, 'status', 'Switched to Sign Up form')).toBeVisible();
  await page.clock.runFor(299);
  await expect(welcome(page)).toBeVisible();
  await page.clock.runFor(2);
  await expect(created(page)).toBeVisible();
  await expect(created(page)).toBeFocused();
  await expectAboveForm(page, spoken(page, 'status', 'Switched to Sign Up form'));
  await page.clock.runFor(1690);
  await expect(page.getByText('Switched to Sign Up form')).toBeVisible();
  await page.clock.runFor(20);
  await expect(page.getByText('Switched to Sign Up form')).toBeHidden();

  await auth.email.fill('musa@kaya.test');
  await auth.registerAs.selectOption({ label: 'Delivery Personnel' });
  await auth.signIn.click();
  await expect(spoken(page, 'status', 'Switched to Sign In form')).toBeVisible();
  await page.clock.runFor(301);
  await expect(welcome(page)).toBeFocused();
  await expect(auth.email).toHaveValue('amina@kaya.test');
  await expect(auth.password).toHaveValue('a password');

  await page.getByRole('button', { name: 'Join Us Today' }).click();
  await page.clock.runFor(301);
  await expect(auth.email).toHaveValue('musa@kaya.test');
  await expect(auth.registerAs).toHaveValue('Employee');
});

test('signing up is checked at its fields, and leads to the sign-in form after two seconds', async ({
  network,
  page,
}) => {
  const auth = await openSignUp(page);
  await test.step('every error is shown at its field, and the input is kept', async () => {
    await signUpOf(page).click();
    await expect(auth.email).toHaveAttribute('aria-invalid', 'true');
    await expect(auth.password).toHaveAttribute('aria-invalid', 'true');
    await expect(auth.email).toBeFocused();

    await auth.email.fill('zainab@kaya.test');
    await auth.password.fill('1234567');
    await auth.confirmPassword.fill('1234567');
    await signUpOf(page).click();
    await expect(auth.password).toHaveAccessibleDescription(
      /Password must be at least 8 characters\./,
    );
    await auth.password.fill('12345678');
    await auth.confirmPassword.fill('87654321');
    await signUpOf(page).click();
    await expect(auth.confirmPassword).toHaveAccessibleDescription('Passwords do not match.');
    await expect(auth.confirmPassword).toHaveValue('87654321');
  });

  const email = `Zainab-${randomUUID().slice(0, 8)}@Kaya.test`;
  await expect(auth.registerAs.getByRole('option')).toHaveText(['User', 'Delivery Personnel']);
  await auth.email.fill(email);
  await auth.password.fill('a-good-password');
  await auth.confirmPassword.fill('a-good-password');
  await stopTime(page);
  const answer = network.holdNextReply((_, path) => path.endsWith('/auth/signup'));
  await signUpOf(page).click();
  await answer.answered;
  await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeVisible();
  answer.release();
  await expect(spoken(page, 'status', 'Account created! Redirecting to Sign In...')).toBeVisible();
  await page.clock.runFor(1900);
  await expect(created(page)).toBeVisible();
  await page.clock.runFor(200);
  await expect(welcome(page)).toBeVisible();
  await expect(auth.email).toHaveValue(email.toLowerCase());
  await expect(auth.password).toHaveValue('');
});

test('a refused sign-up keeps the input @long', async ({ network, page, context, sender }) => {
  const auth = await openSignUp(page);
  await auth.email.fill(sender.email);
  await auth.password.fill('a-good-password');
  await auth.confirmPassword.fill('a-good-password');
  await signUpOf(page).click();
  const taken = 'This email is already registered. Please sign in.';
  await expect(page.getByText(taken)).toBeVisible();
  await context.setOffline(true);
  await signUpOf(page).click();
  const offline = 'You are offline. Connect to the internet to sign up.';
  await expect(page.getByText(offline)).toBeVisible();
  await context.setOffline(false);
  await stopTime(page);
  answerInstead(network, 'POST', /\/api\/auth\/signup$/, { status: 500 });
  await signUpOf(page).click();
  await expectPassing(page, 'alert', 'Registration failed. Please try again.', 4000);
  await expect(auth.email).toHaveValue(sender.email);
  await expect(auth.confirmPassword).toHaveValue('a-good-password');
  await expect(signUpOf(page)).toBeEnabled();
});
