import type { Locator, Page } from '@playwright/test';

/** Account → Notifications, and the card that offers them elsewhere. */
export class NotificationsPage {
  readonly turnOn: Locator;
  readonly turnOff: Locator;
  /** On the card that offers them. */
  readonly accept: Locator;
  readonly dismiss: Locator;
  readonly switches: Locator;

  constructor(readonly page: Page) {
    this.turnOn = page.getByRole('button', { name: 'Turn on notifications' });
    this.turnOff = page.getByRole('button', { name: 'Turn off notifications' });
    this.accept = page.getByRole('button', { name: 'Turn on', exact: true });
    this.dismiss = page.getByRole('button', { name: 'Not now' });
    this.switches = page.getByRole('checkbox');
  }

  switchOf(name: string): Locator {
    return this.page.getByRole('checkbox', { name });
  }
}
