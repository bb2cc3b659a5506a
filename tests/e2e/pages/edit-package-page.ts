import type { Locator, Page } from '@playwright/test';

/** /edit-package/{id} */
export class EditPackagePage {
  readonly page: Page;
  readonly description: Locator;
  readonly price: Locator;
  readonly pickupDate: Locator;
  readonly deliveryDate: Locator;
  readonly save: Locator;
  readonly remove: Locator;
  readonly back: Locator;
  readonly question: Locator;

  constructor(page: Page) {
    this.page = page;
    this.description = page.getByLabel('Description');
    this.price = page.getByLabel('Price Offer');
    this.pickupDate = page.getByLabel('Pickup Date');
    this.deliveryDate = page.getByLabel('Delivery Date');
    this.save = page.getByRole('button', { name: 'Save Changes' });
    this.remove = page.getByRole('button', { name: 'Delete Package' });
    this.back = page.getByRole('button', { name: 'Back' });
    this.question = page.getByRole('dialog', { name: 'Leave without saving?' });
  }

  static async open(page: Page, id: string): Promise<EditPackagePage> {
    await page.goto(`/edit-package/${id}`);
    return new EditPackagePage(page);
  }

  /** The error shown at a field. */
  async complaintAt(field: Locator): Promise<string> {
    const id = (await field.getAttribute('aria-describedby')) ?? '';
    const ids = id.split(' ').filter((each) => each.endsWith('-error'));
    return ids[0] ? await this.page.locator(`[id="${ids[0]}"]`).innerText() : '';
  }
}
