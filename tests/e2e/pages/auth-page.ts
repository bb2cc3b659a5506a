import { expect, type Locator, type Page } from '@playwright/test';
import { untilWhole } from '#tests/e2e/answers.ts';
import type { Account } from '#tests/e2e/backstage.ts';
import { ShellPage } from './shell-page.ts';

/** /auth: the splash, sign-in and sign-up. */
export class AuthPage {
  readonly page: Page;
  readonly email: Locator;
  readonly password: Locator;
  readonly confirmPassword: Locator;
  readonly registerAs: Locator;
  readonly trustDevice: Locator;
  readonly signIn: Locator;

  constructor(page: Page) {
    this.page = page;
    this.email = page.getByLabel('Email');
    this.password = page.getByLabel('Password', { exact: true });
    this.confirmPassword = page.getByLabel('Confirm Password');
    this.registerAs = page.getByLabel('Register As');
    this.trustDevice = page.getByLabel('Trust This Device');
    this.signIn = page.getByRole('button', { name: 'Sign In', exact: true });
  }

  /** Opens the app on a first visit; a tap skips the splash. */
  static async open(page: Page): Promise<AuthPage> {
    await page.goto('/auth');
    const auth = new AuthPage(page);
    await page.getByText('Your ride to faster deliveries').click();
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    return auth;
  }

  async signUp({ email, password, role }: Pick<Account, 'email' | 'password' | 'role'>) {
    await this.page.getByRole('button', { name: 'Join Us Today' }).click();
    await expect(this.page.getByRole('heading', { name: 'Create Account' })).toBeVisible();
    await this.email.fill(email);
    await this.registerAs.selectOption({
      label: role === 'Employee' ? 'Delivery Personnel' : 'User',
    });
    await this.password.fill(password);
    await this.confirmPassword.fill(password);
    await this.page.getByRole('button', { name: 'Sign Up' }).click();
    await expect(this.page.getByText('Account created! Redirecting to Sign In...')).toBeVisible();
    await expect(this.page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  }

  async signInAs(
    { email, password }: Pick<Account, 'email' | 'password'>,
    { trust = true } = {},
  ): Promise<ShellPage> {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.trustDevice.setChecked(trust);
    await this.signIn.click();
    await expect(
      this.page.getByText('Login successful! Redirecting to dashboard...'),
    ).toBeVisible();
    const shell = new ShellPage(this.page);
    await expect(shell.account).toBeVisible();
    await untilWhole(this.page);
    return shell;
  }
}
