import { expect, type Locator, type Page } from '@playwright/test';
import { PackageDetailPage } from './package-detail-page.ts';

/** A list of package cards: /tracking/* or /delivery/*. */
export class PackageListPage {
  readonly page: Page;
  readonly pending: Locator;
  readonly inTransit: Locator;

  constructor(page: Page) {
    this.page = page;
    this.pending = page.getByRole('link', { name: 'Pending', exact: true });
    this.inTransit = page.getByRole('link', { name: 'In Transit', exact: true });
  }

  card(description: string): Locator {
    return this.page.getByRole('article').filter({ hasText: description });
  }

  async accept(description: string) {
    await this.card(description).getByRole('button', { name: 'Accept Delivery' }).click();
    await expect(this.page).toHaveURL(/\/delivery\/in-transit$/);
  }

  async open(description: string): Promise<PackageDetailPage> {
    await this.card(description).getByRole('link', { name: 'View Details' }).click();
    await expect(this.page).toHaveURL(/\/package-detail\//);
    return new PackageDetailPage(this.page);
  }
}
