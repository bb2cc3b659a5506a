import type { Locator, Page } from '@playwright/test';
import type { Account } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { Screen } from './screen.ts';

export const verifyPath = '/api/payments/verify/';

/** /payment */
export class PaymentPage extends Screen {
  readonly wallet = this.page.getByRole('region', { name: 'Available balance' });
  readonly addFunds = this.page.getByRole('link', { name: 'Add funds' });
  readonly history = this.page.getByRole('region', { name: 'History' });
  readonly entries = this.history.getByRole('listitem');
  readonly more = this.history.getByRole('button', { name: 'Show more' });

  static async open(page: Page): Promise<PaymentPage> {
    await page.goto('/payment');
    return new PaymentPage(page);
  }
}

/** /payment of a courier: earnings, bank account and payouts. */
export class EarningsPage extends PaymentPage {
  readonly earnings = this.page.getByRole('region', { name: 'Earnings' });
  readonly week = this.earnings.getByRole('table', { name: 'Earned this week, by day' });
  readonly payouts = this.page.getByRole('region', { name: 'Payouts' }).getByRole('listitem');
  readonly account = this.page.getByRole('region', { name: 'Bank account' });
  readonly sheet = this.page.getByRole('dialog');
  /** The one action at the thumb. */
  readonly action = this.bar.getByRole('button');

  static override async open(page: Page): Promise<EarningsPage> {
    await page.goto('/payment');
    return new EarningsPage(page);
  }

  /** In the open sheet, up to the password. */
  async nameAccount(bank: string, accountNumber: string) {
    await this.sheet.getByRole('button', { name: bank }).click();
    await this.sheet.getByLabel('Account number').fill(accountNumber);
  }

  /** What a person sees who leaves the app and returns to it. */
  async lookAgain() {
    await this.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  }
}

/** /deposit: the form and the state of a payment. */
export class DepositPage extends Screen {
  readonly email = this.page.getByLabel('Email');
  readonly amount = this.page.getByLabel('Amount (NGN)');
  readonly proceed = this.page.getByRole('button', { name: 'Proceed to Payment' });
  readonly busy = this.page.getByRole('button', { name: 'Processing...' });
  readonly verifying = this.page.getByText('Verifying payment...');
  readonly check = this.page.getByRole('group', { name: 'Payment check' });

  static async open(page: Page, query = ''): Promise<DepositPage> {
    await page.goto(`/deposit${query}`);
    return new DepositPage(page);
  }

  /** Signs in, and continues once the app can open offline. */
  static async enter(page: Page, account: Account, query = ''): Promise<DepositPage> {
    const shell = await enter(page, account);
    await shell.untilInstalled();
    return DepositPage.open(page, query);
  }

  /** To the provider's page. */
  async begin(naira: number): Promise<CheckoutPage> {
    await this.amount.fill(String(naira));
    await this.proceed.click();
    await this.page.waitForURL(/\/sandbox\/checkout\//);
    return new CheckoutPage(this.page);
  }

  /** A button of the payment state's card. */
  button(name: string): Locator {
    return this.check.getByRole('button', { name, exact: true });
  }

  pendingReference(): Promise<string | null> {
    return this.page.evaluate(() => localStorage.getItem('pendingReference'));
  }
}

/** The sandbox provider's page. */
export class CheckoutPage extends Screen {
  readonly pay = this.page.getByRole('button', { name: /^Pay / });
  readonly decline = this.page.getByRole('button', { name: 'Decline' });
  readonly abandon = this.page.getByRole('button', { name: 'Abandon' });
}
