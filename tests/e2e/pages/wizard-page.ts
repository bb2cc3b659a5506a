import { expect, type Page } from '@playwright/test';
import { packageBody } from '#tests/e2e/backstage.ts';
import { Screen } from './screen.ts';

const toSend = { ...packageBody, priceOffer: String(packageBody.priceOffer) };

/** Values as in the fields: a date as in `datetime-local`, 'cash' or 'app'. */
export type PackageToSend = typeof toSend;

/** /new-package: the four steps. */
export class WizardPage extends Screen {
  readonly next = this.page.getByRole('button', { name: 'Next', exact: true });
  readonly create = this.page.getByRole('button', { name: 'Create Package' });

  static async open(page: Page): Promise<WizardPage> {
    await page.goto('/new-package');
    return new WizardPage(page);
  }

  /** From the first step to the last. */
  async fill(changes: Partial<PackageToSend> = {}) {
    await this.fillAddresses(changes);
    await this.fillRest(changes);
  }

  async fillAddresses(changes: Partial<PackageToSend> = {}) {
    const { pickupAddress, deliveryAddress } = { ...toSend, ...changes };
    await this.page.getByLabel('Pickup Address').fill(pickupAddress);
    await this.page.getByLabel('Delivery Address').fill(deliveryAddress);
  }

  /** From the filled first step onwards. */
  async fillRest(changes: Partial<PackageToSend> = {}) {
    const pkg = { ...toSend, ...changes };
    const { page } = this;
    await this.next.click();
    await page.getByLabel('Recipient Name').fill(pkg.recipientName);
    await page.getByLabel('Recipient Phone').fill(pkg.recipientPhone);
    await this.next.click();
    await page.getByLabel('Description').fill(pkg.description);
    await page.getByLabel('Pickup Date').fill(pkg.pickupDate);
    await this.next.click();
    await page.getByLabel('Price Offer').fill(pkg.priceOffer);
    await this.choosePayment(pkg.paymentMethod);
  }

  async choosePayment(method: string) {
    const label = method === 'cash' ? 'Cash on Delivery' : 'Pay with App';
    await this.page.getByRole('radio', { name: label }).check();
  }

  /** Submits it and waits for /tracking. */
  async submit() {
    await this.create.click();
    await expect(this.page).toHaveURL(/\/tracking(\/pending)?$/);
  }
}
