import { expect, type Locator, type Page } from '@playwright/test';
import { EditPackagePage } from './edit-package-page.ts';
import { Screen } from './screen.ts';

/** /package-detail/{id} */
export class PackageDetailPage extends Screen {
  readonly delivered = this.page.getByRole('button', { name: 'Package Delivered' });
  readonly reject = this.page.getByRole('button', { name: 'Reject Delivery' });
  readonly remove = this.page.getByRole('button', { name: 'Delete Package' });
  readonly share = this.page.getByRole('button', { name: 'Share package summary' });
  readonly timeline = this.page.locator('[data-timeline]');
  readonly events = this.timeline.getByRole('listitem');
  readonly question = this.page.getByRole('alertdialog');

  /** What a delivery of unpaid cash asks. */
  readonly cash = this.page.getByRole('dialog', { name: /^Collect ₦/ });

  async deliverForCash(answer: 'Cash collected' | 'Not collected' = 'Not collected') {
    await this.delivered.click();
    await this.cash.getByRole('button', { name: answer }).click();
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
