import { expect, type Locator, type Page } from '@playwright/test';

/** The home screen: the sheet and the sidebar. */
export class HomePage {
  readonly page: Page;
  readonly menu: Locator;
  readonly sidebar: Locator;
  readonly sheet: Locator;
  readonly fullSheet: Locator;
  readonly whereTo: Locator;
  readonly deliver: Locator;

  constructor(page: Page) {
    this.page = page;
    this.menu = page.getByRole('button', { name: 'Open menu' });
    this.sidebar = page.getByRole('dialog', { name: 'Menu' });
    this.sheet = page.getByRole('region', { name: 'Start a delivery' });
    this.fullSheet = page.getByRole('heading', { name: 'Add package' });
    this.whereTo = page.getByRole('button', { name: 'Where to?' });
    this.deliver = page.getByRole('button', { name: /^Deliver/ });
  }

  async openSidebar() {
    await this.menu.click();
    await expect(this.sidebar).toBeVisible();
  }

  async openSheet() {
    await this.deliver.click();
    await expect(this.fullSheet).toBeVisible();
  }

  /** Of the window's height, in whole percent, once it has settled. */
  async heightPercent(): Promise<number> {
    await this.sheet.evaluate((element) =>
      Promise.all(element.getAnimations().map(({ finished }) => finished)),
    );
    const box = await this.sheet.boundingBox();
    const { height = 0 } = this.page.viewportSize() ?? {};
    return Math.round(((box?.height ?? 0) / height) * 100);
  }

  /** With the mouse, by the header of the resting sheet; negative is up. */
  async drag(distancePx: number, from?: Locator) {
    await this.sheet.evaluate((element) =>
      Promise.all(element.getAnimations().map(({ finished }) => finished)),
    );
    const box = await (from ?? this.sheet).boundingBox();
    if (!box) throw new Error('There is nothing to drag.');
    // On the title if there is one.
    const x = box.x + 40;
    const y = box.y + 20;
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x, y + distancePx / 2, { steps: 4 });
    await this.page.mouse.move(x, y + distancePx, { steps: 4 });
    await this.page.mouse.up();
  }
}
