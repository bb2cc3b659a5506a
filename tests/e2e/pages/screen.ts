import type { Page } from '@playwright/test';

/** A screen, or a part of one, with its controls. */
export class Screen {
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }
}
