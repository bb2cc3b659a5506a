import type { Locator, Page } from '@playwright/test';
import type { Account } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';

export const verifyPath = '/api/payments/verify/';

/** The number of verify requests by the app; `lines` are the proxy's. */
export function asksIn(lines: readonly string[]): number {
  return lines.filter((line) => line.startsWith(`GET ${verifyPath}`)).length;
}

/** /payment */
export class PaymentPage {
  readonly page: Page;
  readonly wallet: Locator;
  readonly addFunds: Locator;
  readonly history: Locator;
  readonly entries: Locator;
  readonly more: Locator;

  constructor(page: Page) {
    this.page = page;
    this.wallet = page.getByRole('region', { name: 'Available balance' });
    this.addFunds = page.getByRole('link', { name: 'Add funds' });
    this.history = page.getByRole('region', { name: 'History' });
    this.entries = this.history.getByRole('listitem');
    this.more = this.history.getByRole('button', { name: 'Show more' });
  }

  static async open(page: Page): Promise<PaymentPage> {
    await page.goto('/payment');
    return new PaymentPage(page);
  }
}

/** /deposit: the form and the state of a payment. */
export class DepositPage {
  readonly page: Page;
  readonly email: Locator;
  readonly amount: Locator;
  readonly proceed: Locator;
  readonly busy: Locator;
  readonly verifying: Locator;
  readonly check: Locator;

  constructor(page: Page) {
    this.page = page;
    this.email = page.getByLabel('Email');
    this.amount = page.getByLabel('Amount (NGN)');
    this.proceed = page.getByRole('button', { name: 'Proceed to Payment' });
    this.busy = page.getByRole('button', { name: 'Processing...' });
    this.verifying = page.getByText('Verifying payment...');
    this.check = page.getByRole('group', { name: 'Payment check' });
  }

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
export class CheckoutPage {
  readonly page: Page;
  readonly pay: Locator;
  readonly decline: Locator;
  readonly abandon: Locator;
  readonly back: Locator;

  constructor(page: Page) {
    this.page = page;
    this.pay = page.getByRole('button', { name: /^Pay / });
    this.decline = page.getByRole('button', { name: 'Decline' });
    this.abandon = page.getByRole('button', { name: 'Abandon' });
    this.back = page.getByRole('link', { name: 'Back to Kaya' });
  }
}
