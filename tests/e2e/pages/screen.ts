import type { Locator, Page } from '@playwright/test';

/** A screen, or a part of one, with its controls. */
export class Screen {
  readonly page: Page;
  /** The actions at the thumb. */
  readonly bar: Locator;

  constructor(page: Page) {
    this.page = page;
    this.bar = page.locator('[data-actions]');
  }
}
