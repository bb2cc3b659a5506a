/** The sign-up form and switching to sign-in and back. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { answerInstead, expectPassing, spoken, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

test.use({ hasServiceWorker: false });

const signUpOf = (page: Page) => page.getByRole('button', { name: 'Sign Up', exact: true });
const created = (page: Page) => page.getByRole('heading', { name: 'Create Account' });
const welcome = (page: Page) => page.getByRole('heading', { name: 'Welcome Back' });

async function openSignUp(page: Page): Promise<AuthPage> {
  const auth = await AuthPage.open(page);
  await page.getByRole('button', { name: 'Join Us Today' }).click();
  await expect(created(page)).toBeVisible();
  return auth;
}

test('the two forms alternate after 300 ms and keep the input', async ({ phone }) => {
  const { page } = await phone();
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

test('signing up leads to the sign-in form after two seconds', async ({ phone, network }) => {
  const { page } = await phone();
  const auth = await openSignUp(page);
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

test('every error is shown at its field, and the input is kept', async ({ phone }) => {
  const { page } = await phone();
  const auth = await openSignUp(page);

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

test('a refused sign-up says so and keeps the input', async ({ phone, network }) => {
  const { page } = await phone();
  const auth = await openSignUp(page);
  await auth.email.fill('zainab@kaya.test');
  await auth.password.fill('a-good-password');
  await auth.confirmPassword.fill('a-good-password');
  await stopTime(page);
  answerInstead(network, 'POST', /\/api\/auth\/signup$/, { status: 500 });
  await signUpOf(page).click();
  await expectPassing(page, 'alert', 'Registration failed. Please try again.', 4000);
  await expect(auth.email).toHaveValue('zainab@kaya.test');
  await expect(auth.confirmPassword).toHaveValue('a-good-password');
  await expect(signUpOf(page)).toBeEnabled();
});
