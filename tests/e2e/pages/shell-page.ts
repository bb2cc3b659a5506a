import { expect, type Locator, type Page } from '@playwright/test';
import { PackageListPage } from './package-list-page.ts';

/** The shell: the bottom tabs and their targets. */
export class ShellPage {
  readonly page: Page;
  readonly tracking: Locator;
  readonly deliveries: Locator;
  readonly account: Locator;

  constructor(page: Page) {
    this.page = page;
    const tabs = page.getByRole('navigation', { name: 'Main' });
    this.tracking = tabs.getByRole('link', { name: 'Tracking' });
    this.deliveries = tabs.getByRole('link', { name: 'Deliveries' });
    this.account = tabs.getByRole('link', { name: /^Account/ });
  }

  async openTracking(): Promise<PackageListPage> {
    await this.tracking.click();
    return new PackageListPage(this.page);
  }

  async openDeliveries(): Promise<PackageListPage> {
    await this.deliveries.click();
    return new PackageListPage(this.page);
  }

  /** Until the service worker has cached the shell, so that it reloads offline. */
  async untilInstalled() {
    await this.page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await expect
      .poll(() => this.page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
  }
}
