import { expect, type Locator } from '@playwright/test';
import { Screen } from './screen.ts';

/** The home screen: the sheet and the sidebar. */
export class HomePage extends Screen {
  readonly menu = this.page.getByRole('button', { name: 'Open menu' });
  readonly sidebar = this.page.getByRole('dialog', { name: 'Menu' });
  readonly sheet = this.page.getByRole('region', { name: 'Start a delivery' });
  readonly fullSheet = this.page.getByRole('heading', { name: 'Add package' });
  readonly whereTo = this.page.getByRole('button', { name: 'Where to?' });
  readonly deliver = this.page.getByRole('button', { name: /^Deliver/ });

  async openSidebar() {
    await this.menu.click();
    await expect(this.sidebar).toBeVisible();
  }

  async openSheet() {
    await this.deliver.click();
    await expect(this.fullSheet).toBeVisible();
  }

  /** Once it no longer moves. */
  async boxOf(part: Locator) {
    await part.evaluate((element) =>
      Promise.all(element.getAnimations().map(({ finished }) => finished)),
    );
    const box = await part.boundingBox();
    if (!box) throw new Error('It has no box.');
    return box;
  }

  /** The sheet's, in percent of the window's, once it has settled. */
  async expectHeight(percent: number) {
    const { height: whole = 0 } = this.page.viewportSize() ?? {};
    const shown = async () => Math.round(((await this.boxOf(this.sheet)).height / whole) * 100);
    await expect.poll(shown).toBe(percent);
  }

  /** With the mouse, by the header of the resting sheet; negative is up. */
  async drag(distancePx: number, from?: Locator) {
    await this.boxOf(this.sheet);
    const box = await this.boxOf(from ?? this.sheet);
    // On the title if there is one, else on the grip.
    const isOnGrip = !from && !(await this.fullSheet.isVisible());
    const x = box.x + 40;
    const y = box.y + (isOnGrip ? 8 : 20);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.move(x, y + distancePx / 2, { steps: 4 });
    await this.page.mouse.move(x, y + distancePx, { steps: 4 });
    await this.page.mouse.up();
  }

  /** Tab cycles inside it: no focusable element elsewhere is reached. */
  async expectFocusWithin(part: Locator) {
    for (let step = 1; step <= 10; step += 1) {
      await this.page.keyboard.press('Tab');
      const isOutside = await part.evaluate(
        (inside) =>
          document.activeElement !== document.body && !inside.contains(document.activeElement),
      );
      expect(isOutside, `after ${step} times Tab`).toBe(false);
    }
  }
}
