/** A keyboard user, whose focus must always be visible. */
import { expect, type Locator, type Page } from '@playwright/test';

/** The largest number of Tab stops between two controls of a screen. */
const mostTabs = 60;

/** The accessible name of the focused element; '' if it has none. */
function focusIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const at = document.activeElement;
    if (!(at instanceof HTMLElement) || at === document.body || at.closest('[inert]')) return '';
    const box = at.getBoundingClientRect();
    if (box.width === 0 || box.height === 0) return '';
    const labels = at instanceof HTMLInputElement ? [...(at.labels ?? [])] : [];
    const named = [at.getAttribute('aria-label'), ...labels.map((label) => label.textContent)];
    return [...named, at.textContent, at.getAttribute('name'), at.tagName].find(Boolean) ?? '';
  });
}

export class Keyboard {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  /** Asserts that focus is on an element, not lost to the body. */
  async expectSomewhere(): Promise<void> {
    await expect.poll(() => focusIn(this.page), 'what has the focus').not.toBe('');
  }

  /** Presses Tab (or Shift+Tab) until this is focused; every stop on the way is a control. */
  async reach(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(control).toBeVisible();
    for (let count = 0; count < mostTabs; count += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(key);
      expect(await focusIn(this.page), `after ${count + 1} × ${key}`).not.toBe('');
    }
    await expect(control, `within ${mostTabs} × ${key}`).toBeFocused();
  }

  /** Tabs to it and presses a key; afterwards focus is on an element. */
  async use(control: Locator, key = 'Enter', way: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.reach(control, way);
    await this.page.keyboard.press(key);
    await this.expectSomewhere();
  }

  /** Tabs to a field and replaces its contents. */
  async type(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }
}
