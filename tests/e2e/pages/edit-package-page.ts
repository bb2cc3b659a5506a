import type { Page } from '@playwright/test';
import { Screen } from './screen.ts';

/** /edit-package/{id} */
export class EditPackagePage extends Screen {
  readonly description = this.page.getByLabel('Description');
  readonly pickupDate = this.page.getByLabel('Pickup Date');
  readonly save = this.page.getByRole('button', { name: 'Save Changes' });
  readonly remove = this.page.getByRole('button', { name: 'Delete Package' });
  readonly back = this.page.getByRole('button', { name: 'Back' });
  readonly question = this.page.getByRole('dialog', { name: 'Leave without saving?' });

  static async open(page: Page, id: string): Promise<EditPackagePage> {
    await page.goto(`/edit-package/${id}`);
    return new EditPackagePage(page);
  }
}
