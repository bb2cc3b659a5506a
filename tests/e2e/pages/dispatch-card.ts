import { expect, type Locator, type Page } from '@playwright/test';
import { Screen } from './screen.ts';

interface Picker {
  dialog: Locator;
  search: Locator;
  courier(name: string): Locator;
}

/** The Dispatch card of /package-detail/{id}. */
export class DispatchCard extends Screen {
  readonly card = this.page.getByRole('region', { name: 'Dispatch' });
  /** In the bar at the thumb. */
  readonly assign = this.bar.getByRole('button', { name: 'Assign courier' });
  readonly reassign = this.bar.getByRole('button', { name: 'Reassign' });
  readonly toPending = this.card.getByRole('button', { name: 'Back to Pending' });
  readonly cancel = this.card.getByRole('button', { name: 'Cancel package' });

  static async open(page: Page, packageId: string): Promise<DispatchCard> {
    await page.goto(`/package-detail/${packageId}`);
    const card = new DispatchCard(page);
    await expect(card.card).toBeVisible();
    return card;
  }

  picker(title: string): Picker {
    const dialog = this.page.getByRole('dialog', { name: title });
    return {
      dialog,
      search: dialog.getByLabel('Search couriers'),
      courier: (name) => dialog.getByRole('radio', { name }),
    };
  }
}
