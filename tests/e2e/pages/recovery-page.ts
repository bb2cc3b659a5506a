import type { Locator } from '@playwright/test';
import { Screen } from './screen.ts';

/** /forgot-password and /reset-password. */
export class RecoveryPage extends Screen {
  readonly email = this.page.getByLabel('Email');
  readonly sendLink = this.page.getByRole('button', { name: 'Send link' });
  readonly sent = this.page.getByRole('heading', { name: 'Check Your Email' });
  readonly sendAgain = this.page.getByRole('button', { name: 'Send again' });
  readonly newPassword = this.page.getByLabel('New Password', { exact: true });
  readonly setPassword = this.page.getByRole('button', { name: 'Set password' });
  readonly noLongerWorks = this.page.getByRole('heading', { name: 'This link no longer works' });

  async set(password: string): Promise<void> {
    await this.newPassword.fill(password);
    await this.setPassword.click();
  }
}

/** Of Login & Security: a device by its row's name, and all of them. */
export class DevicesCard extends Screen {
  readonly card = this.page.getByRole('region', { name: 'Devices' });
  readonly rows = this.card.getByRole('listitem');
  readonly current = this.rows.filter({ hasText: 'This device' });
  /** The log-outs of the others. */
  readonly ends: Locator = this.card.getByRole('button', { name: /^Log out / });
}
