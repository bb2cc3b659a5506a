import { expect } from '@playwright/test';
import { PackageListPage } from './package-list-page.ts';
import { Screen } from './screen.ts';

/** The shell: the bottom tabs and their targets. */
export class ShellPage extends Screen {
  private readonly tabs = this.page.getByRole('navigation', { name: 'Main' });
  readonly tracking = this.tabs.getByRole('link', { name: 'Tracking' });
  readonly deliveries = this.tabs.getByRole('link', { name: 'Deliveries' });
  readonly account = this.tabs.getByRole('link', { name: /^Account/ });

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
