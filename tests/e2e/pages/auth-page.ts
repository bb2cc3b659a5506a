import { expect, type Page } from '@playwright/test';
import { untilWhole } from '#tests/e2e/answers.ts';
import type { Account, Credentials } from '#tests/e2e/backstage.ts';
import { Screen } from './screen.ts';
import { ShellPage } from './shell-page.ts';

/** /auth: the splash, sign-in and sign-up. */
export class AuthPage extends Screen {
  readonly email = this.page.getByLabel('Email');
  readonly password = this.page.getByLabel('Password', { exact: true });
  readonly confirmPassword = this.page.getByLabel('Confirm Password');
  readonly registerAs = this.page.getByLabel('Register As');
  readonly trustDevice = this.page.getByLabel('Trust This Device');
  readonly signIn = this.page.getByRole('button', { name: 'Sign In', exact: true });

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

  /** Sends the sign-in form. */
  async submit({ email, password }: Credentials, { trust = true } = {}): Promise<void> {
    await this.email.fill(email);
    await this.password.fill(password);
    await this.trustDevice.setChecked(trust);
    await this.signIn.click();
  }

  /** Until the dashboard, or the page asked for, is whole. */
  async signInAs(who: Credentials, choice: { trust?: boolean } = {}): Promise<ShellPage> {
    await this.submit(who, choice);
    await expect(
      this.page.getByText('Login successful! Redirecting to dashboard...'),
    ).toBeVisible();
    const shell = new ShellPage(this.page);
    await expect(shell.account).toBeVisible();
    await untilWhole(this.page);
    return shell;
  }
}
