import { expect, type Locator, type Page } from '@playwright/test';
import { Screen } from './screen.ts';

/** /outbox: unconfirmed and refused changes. */
export class ChangesPage extends Screen {
  readonly empty = this.page.getByText(/^(No pending changes|Everything has been sent)\.$/);

  static async open(page: Page): Promise<ChangesPage> {
    await page.goto('/outbox');
    return new ChangesPage(page);
  }

  /** The change with this name: 'Edit package'. */
  card(name: string): Locator {
    return this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('heading', { name }) });
  }

  /** The two options of a conflicting field. */
  field(name: string): { mine: Locator; theirs: Locator } {
    const group = this.page.getByRole('group', { name });
    return {
      mine: group.getByRole('radio', { name: /^Mine/ }),
      theirs: group.getByRole('radio', { name: /^(Theirs|Leave as it is)/ }),
    };
  }

  async edit(name: string) {
    await this.card(name).getByRole('link', { name: 'Edit', exact: true }).click();
    await expect(this.page).toHaveURL(/\?from=/);
  }

  /** Also confirms the question. */
  async discard(card: Locator) {
    await card.getByRole('button', { name: 'Discard' }).click();
    await this.page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
  }
}
