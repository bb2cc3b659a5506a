import { expect, type Locator, type Page } from '@playwright/test';

export interface PackageToSend {
  pickupAddress: string;
  deliveryAddress: string;
  recipientName: string;
  recipientPhone: string;
  description: string;
  /** As a `datetime-local` field has it. */
  pickupDate: string;
  priceOffer: string;
}

/** /new-package: the four steps. */
export class WizardPage {
  readonly page: Page;
  readonly next: Locator;
  readonly create: Locator;

  constructor(page: Page) {
    this.page = page;
    this.next = page.getByRole('button', { name: 'Next', exact: true });
    this.create = page.getByRole('button', { name: 'Create Package' });
  }

  static async open(page: Page): Promise<WizardPage> {
    await page.goto('/new-package');
    return new WizardPage(page);
  }

  async fill(pkg: PackageToSend) {
    const { page } = this;
    await page.getByLabel('Pickup Address').fill(pkg.pickupAddress);
    await page.getByLabel('Delivery Address').fill(pkg.deliveryAddress);
    await this.next.click();
    await page.getByLabel('Recipient Name').fill(pkg.recipientName);
    await page.getByLabel('Recipient Phone').fill(pkg.recipientPhone);
    await this.next.click();
    await page.getByLabel('Description').fill(pkg.description);
    await page.getByLabel('Pickup Date').fill(pkg.pickupDate);
    await this.next.click();
    await page.getByLabel('Price Offer').fill(pkg.priceOffer);
    await page.getByLabel('Payment Method').selectOption({ label: 'Cash on Delivery' });
  }

  /** Creates it, and follows the app to /tracking. */
  async submit() {
    await this.create.click();
    await expect(this.page).toHaveURL(/\/tracking(\/pending)?$/);
  }
}
