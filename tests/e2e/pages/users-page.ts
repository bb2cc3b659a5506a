import { expect, type Locator, type Page } from '@playwright/test';

/** /users-list: visible users, and links to their cards. */
export class UsersPage {
  readonly page: Page;
  readonly search: Locator;
  readonly role: Locator;
  readonly state: Locator;
  readonly add: Locator;
  readonly empty: Locator;

  constructor(page: Page) {
    this.page = page;
    this.search = page.getByRole('searchbox', { name: 'Search users' });
    this.role = page.getByLabel('Role');
    this.state = page.getByLabel('Status');
    this.add = page.getByRole('link', { name: 'Add User' });
    this.empty = page.getByText('No users found');
  }

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
export class UserPage {
  readonly page: Page;
  readonly profile: Locator;
  readonly role: Locator;
  readonly chosenRole: Locator;
  readonly balance: Locator;
  readonly password: Locator;
  readonly account: Locator;

  constructor(page: Page) {
    this.page = page;
    const card = (name: string) => page.getByRole('region', { name, exact: true });
    this.profile = card('Profile');
    this.role = card('Role');
    this.chosenRole = this.role.getByRole('combobox', { name: 'Role' });
    this.balance = card('Balance');
    this.password = card('Password');
    this.account = card('Account');
  }

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
