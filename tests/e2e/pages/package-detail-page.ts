import { expect, type Locator, type Page } from '@playwright/test';
import { EditPackagePage } from './edit-package-page.ts';

/** /package-detail/{id} */
export class PackageDetailPage {
  readonly page: Page;
  readonly delivered: Locator;
  readonly reject: Locator;
  readonly remove: Locator;
  readonly share: Locator;
  readonly question: Locator;

  constructor(page: Page) {
    this.page = page;
    this.delivered = page.getByRole('button', { name: 'Package Delivered' });
    this.reject = page.getByRole('button', { name: 'Reject Delivery' });
    this.remove = page.getByRole('button', { name: 'Delete Package' });
    this.share = page.getByRole('button', { name: 'Share package summary' });
    this.question = page.getByRole('alertdialog');
  }

  static async open(page: Page, id: string): Promise<PackageDetailPage> {
    await page.goto(`/package-detail/${id}`);
    return new PackageDetailPage(page);
  }

  /** One of the four: 'Sender', 'Shipment', 'Recipient', 'Delivery Personnel'. */
  card(name: string): Locator {
    return this.page.getByRole('region', { name, exact: true });
  }

  async editShipment(): Promise<EditPackagePage> {
    await this.page.getByRole('link', { name: 'Edit shipment' }).click();
    await expect(this.page).toHaveURL(/\/edit-package\//);
    return new EditPackagePage(this.page);
  }
}
