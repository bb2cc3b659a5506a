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
  /** 'cash' or 'app'; cash where nobody says otherwise. */
  paymentMethod?: string;
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
    await this.fillAddresses(pkg);
    await this.fillRest(pkg);
  }

  async fillAddresses(pkg: Pick<PackageToSend, 'pickupAddress' | 'deliveryAddress'>) {
    await this.page.getByLabel('Pickup Address').fill(pkg.pickupAddress);
    await this.page.getByLabel('Delivery Address').fill(pkg.deliveryAddress);
  }

  /** From the first step on, whose fields are filled. */
  async fillRest(pkg: PackageToSend) {
    const { page } = this;
    await this.next.click();
    await page.getByLabel('Recipient Name').fill(pkg.recipientName);
    await page.getByLabel('Recipient Phone').fill(pkg.recipientPhone);
    await this.next.click();
    await page.getByLabel('Description').fill(pkg.description);
    await page.getByLabel('Pickup Date').fill(pkg.pickupDate);
    await this.next.click();
    await page.getByLabel('Price Offer').fill(pkg.priceOffer);
    const { paymentMethod = 'cash' } = pkg;
    await page.getByLabel('Payment Method').selectOption({ value: paymentMethod });
  }

  /** Creates it, and follows the app to /tracking. */
  async submit() {
    await this.create.click();
    await expect(this.page).toHaveURL(/\/tracking(\/pending)?$/);
  }
}
