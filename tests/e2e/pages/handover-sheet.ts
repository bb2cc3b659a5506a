import { expect } from '@playwright/test';
import { Screen } from './screen.ts';

/** At the door: the sheet that asks for a code, or for a photo, a name and a signature. */
export class HandoverSheet extends Screen {
  readonly sheet = this.page.getByRole('dialog', { name: /^(Deliver|Return) to / });
  readonly code = this.sheet.getByLabel(/^(Recipient’s code|Sender’s return code)$/);
  readonly camera = this.sheet.getByLabel('Take photo');
  readonly close = this.sheet.getByRole('button', { name: 'Close' });
  readonly name = this.sheet.getByLabel('Their name');

  choose(option: string) {
    return this.sheet.getByRole('radio', { name: option }).check();
  }

  /** Draws one line, which is not kept yet. */
  async sign() {
    await this.sheet.getByRole('button', { name: 'Add signature' }).click();
    // Scrolled to as it opens: each hover waits until it stands still.
    const pad = this.sheet.getByRole('img', { name: 'Sign here' });
    await pad.hover({ position: { x: 40, y: 60 } });
    await this.page.mouse.down();
    await pad.hover({ position: { x: 120, y: 30 } });
    await this.page.mouse.up();
  }

  /** Presses the sheet's own button; resolves once it is saved. */
  async finish(label: 'Package Delivered' | 'Package returned' = 'Package Delivered') {
    await this.sheet.getByRole('button', { name: label }).click();
    await expect(this.sheet).toBeHidden();
    // The sheet's history entry is removed a moment later and would undo a navigation before that.
    await this.page.waitForFunction(() => !(history.state?.overlays ?? []).length);
  }
}
