import type { Locator } from '@playwright/test';
import { Screen } from './screen.ts';

/** Account → Notifications, and the card that offers them elsewhere. */
export class NotificationsPage extends Screen {
  readonly turnOn = this.page.getByRole('button', { name: 'Turn on notifications' });
  readonly turnOff = this.page.getByRole('button', { name: 'Turn off notifications' });
  /** On the card that offers them. */
  readonly accept = this.page.getByRole('button', { name: 'Turn on', exact: true });
  readonly dismiss = this.page.getByRole('button', { name: 'Not now' });
  readonly switches = this.page.getByRole('checkbox');

  switchOf(name: string): Locator {
    return this.page.getByRole('checkbox', { name });
  }
}
