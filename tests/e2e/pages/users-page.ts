import { expect, type Locator, type Page } from '@playwright/test';
import { Screen } from './screen.ts';

/** /users-list: visible users, and links to their cards. */
export class UsersPage extends Screen {
  readonly search = this.page.getByRole('searchbox', { name: 'Search users' });
  readonly role = this.page.getByLabel('Role');
  readonly state = this.page.getByLabel('Status');
  readonly add = this.page.getByRole('link', { name: 'Add User' });
  readonly empty = this.page.getByText('No users found');

  static async open(page: Page): Promise<UsersPage> {
    await page.goto('/users-list');
    await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
    return new UsersPage(page);
  }

  /** Opens a user's card from the list. */
  static async openUser(page: Page, name: string): Promise<UserPage> {
    const list = await UsersPage.open(page);
    await list.search.fill(name);
    return list.edit(name);
  }

  card(name: string): Locator {
    return this.page
      .getByRole('article')
      .filter({ has: this.page.getByRole('heading', { name, exact: true }) });
  }

  async edit(name: string): Promise<UserPage> {
    await this.card(name)
      .getByRole('link', { name: `Edit ${name}` })
      .click();
    await expect(this.page).toHaveURL(/\/edit-user\//);
    return new UserPage(this.page);
  }
}

/** /edit-user/{id} of another user, as an admin: one card per task. */
export class UserPage extends Screen {
  private readonly card = (name: string) => this.page.getByRole('region', { name, exact: true });
  readonly profile = this.card('Profile');
  readonly role = this.card('Role');
  readonly chosenRole = this.role.getByRole('combobox', { name: 'Role' });
  readonly balance = this.card('Balance');
  readonly password = this.card('Password');
  readonly account = this.card('Account');

  async saveProfile(fields: Readonly<Record<string, string>>) {
    for (const [label, text] of Object.entries(fields)) {
      await this.profile.getByLabel(label).fill(text);
    }
    await this.profile.getByRole('button', { name: 'Save Changes' }).click();
  }

  async adjustBalance(amount: string, reason: string) {
    const open = this.balance.getByRole('button', { name: 'Adjust Balance' });
    if (!(await this.balance.getByLabel('Reason').isVisible())) await open.click();
    await this.balance.getByLabel('Amount in naira').fill(amount);
    await this.balance.getByLabel('Reason').fill(reason);
    await this.balance.getByRole('button', { name: 'Adjust Balance' }).click();
  }
}
