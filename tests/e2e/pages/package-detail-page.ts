import type { Locator, Page } from '@playwright/test';

/** /package-detail/{id} */
export class PackageDetailPage {
  readonly page: Page;
  readonly delivered: Locator;
  readonly reject: Locator;
  readonly remove: Locator;

  constructor(page: Page) {
    this.page = page;
    this.delivered = page.getByRole('button', { name: 'Package Delivered' });
    this.reject = page.getByRole('button', { name: 'Reject Delivery' });
    this.remove = page.getByRole('button', { name: 'Delete Package' });
  }
}
