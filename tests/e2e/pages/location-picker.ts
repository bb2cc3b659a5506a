import { expect, type Locator, type Page } from '@playwright/test';

/** The location picker in its text form, available on every phone. */
export class LocationPicker {
  readonly dialog: Locator;
  readonly latitude: Locator;
  readonly longitude: Locator;
  readonly mine: Locator;
  readonly set: Locator;
  readonly clear: Locator;

  constructor(page: Page, name: string) {
    this.dialog = page.getByRole('dialog', { name });
    this.latitude = this.dialog.getByLabel('Latitude');
    this.longitude = this.dialog.getByLabel('Longitude');
    this.mine = this.dialog.getByRole('button', { name: 'Use my position' });
    this.set = this.dialog.getByRole('button', { name: 'Set place' });
    this.clear = this.dialog.getByRole('button', { name: 'Remove place' });
  }

  /** 'Exact Pickup Place' or 'Exact Delivery Place', beside its address. */
  static async open(page: Page, name: string): Promise<LocationPicker> {
    await page.getByRole('group', { name }).getByRole('button').click();
    const picker = new LocationPicker(page, name);
    await expect(picker.dialog).toBeVisible();
    await picker.dialog.getByText('Enter coordinates').click();
    return picker;
  }

  /** In the format of map apps: '12.0022, 8.5919'. */
  async place(pair: string) {
    await this.latitude.fill(pair);
    await this.set.click();
    await expect(this.dialog).toBeHidden();
  }
}
