/** Somebody with a keyboard and nothing else, who must always be able to tell where they are. */
import { expect, type Locator, type Page } from '@playwright/test';

/** Farther apart no two controls of a screen are. */
const mostTabs = 60;

/** What has the focus, as a person would call it; '' where nothing has that one could see or hear. */
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

  /** The focus stands on something: never lost to the page as a whole. */
  async expectSomewhere(): Promise<void> {
    await expect.poll(() => focusIn(this.page), 'what has the focus').not.toBe('');
  }

  /** Presses Tab (or Shift+Tab) until this has the focus; every stop on the way is a control. */
  async reach(control: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await expect(control).toBeVisible();
    for (let count = 0; count < mostTabs; count += 1) {
      if (await control.evaluate((element) => element === document.activeElement)) return;
      await this.page.keyboard.press(key);
      expect(await focusIn(this.page), `after ${count + 1} × ${key}`).not.toBe('');
    }
    await expect(control, `within ${mostTabs} × ${key}`).toBeFocused();
  }

  /** Goes to it and presses a key; afterwards the focus is on something. */
  async use(control: Locator, key = 'Enter', way: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
    await this.reach(control, way);
    await this.page.keyboard.press(key);
    await this.expectSomewhere();
  }

  /** Goes to a field and types into it, over what stands there. */
  async type(field: Locator, text: string): Promise<void> {
    await this.reach(field);
    await this.page.keyboard.press('ControlOrMeta+a');
    await this.page.keyboard.insertText(text);
  }
}
