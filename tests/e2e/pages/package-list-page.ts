import { expect, type Locator, type Page } from '@playwright/test';
import { PackageDetailPage } from './package-detail-page.ts';
import { Screen } from './screen.ts';

/** A list of package cards: /tracking/* or /delivery/*. */
export class PackageListPage extends Screen {
  readonly pending = this.page.getByRole('link', { name: 'Pending', exact: true });
  readonly inTransit = this.page.getByRole('link', { name: 'In Transit', exact: true });
  readonly all = this.page.getByRole('link', { name: 'All', exact: true });
  readonly cards = this.page.getByRole('article');
  readonly search = this.page.getByRole('searchbox', { name: 'Search packages' });
  readonly clearAll = this.page.getByRole('button', { name: 'Clear all' });
  readonly refresh = this.page.getByRole('button', { name: 'Refresh' });
  /** The working area, of a courier's offers. */
  readonly area = this.page.getByRole('button', { name: /^(Everywhere|Within \d+ km)$/ });
  /** Shows the order below its icon. */
  readonly tools = this.page.getByRole('button', { name: /^Sort and filter: / });
  readonly loading = this.page.getByRole('status', { name: 'Loading packages' });

  static async open(
    page: Page,
    path: `/tracking/${'pending' | 'in-transit'}` | `/delivery/${'pending' | 'in-transit' | 'all'}`,
  ): Promise<PackageListPage> {
    await page.goto(path);
    return new PackageListPage(page);
  }

  card(description: string): Locator {
    return this.page.getByRole('article').filter({ hasText: description });
  }

  /** Sets sort and filter; the names of the fields are as on the screen. */
  async arrange(choices: Readonly<Record<string, string>>) {
    if ((await this.tools.getAttribute('aria-expanded')) === 'false') await this.tools.click();
    for (const [field, label] of Object.entries(choices)) {
      await this.page.getByLabel(field, { exact: true }).selectOption({ label });
    }
  }

  async pressAccept(description: string) {
    await this.card(description).getByRole('button', { name: 'Accept Delivery' }).click();
  }

  async accept(description: string) {
    await this.pressAccept(description);
    await expect(this.page).toHaveURL(/\/delivery\/in-transit$/);
  }

  async open(description: string): Promise<PackageDetailPage> {
    await this.card(description).getByRole('link', { name: 'View Details' }).click();
    await expect(this.page).toHaveURL(/\/package-detail\//);
    return new PackageDetailPage(this.page);
  }
}
