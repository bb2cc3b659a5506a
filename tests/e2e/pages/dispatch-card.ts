import { expect, type Locator, type Page } from '@playwright/test';

interface Picker {
  dialog: Locator;
  search: Locator;
  courier(name: string): Locator;
}

/** The Dispatch card of /package-detail/{id}. */
export class DispatchCard {
  readonly page: Page;
  readonly card: Locator;
  readonly assign: Locator;
  readonly reassign: Locator;
  readonly toPending: Locator;
  readonly cancel: Locator;

  constructor(page: Page) {
    this.page = page;
    this.card = page.getByRole('region', { name: 'Dispatch' });
    this.assign = this.card.getByRole('button', { name: 'Assign courier' });
    this.reassign = this.card.getByRole('button', { name: 'Reassign' });
    this.toPending = this.card.getByRole('button', { name: 'Back to Pending' });
    this.cancel = this.card.getByRole('button', { name: 'Cancel package' });
  }

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
