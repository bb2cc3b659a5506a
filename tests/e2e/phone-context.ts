/** The browser of one phone: what every test that has people in it opens. */
import type { Browser, BrowserContext } from '@playwright/test';
import { noteAnswers } from './answers.ts';

/** A cheap Android phone in Kano, to which the product is at `baseURL`. */
export async function openPhoneContext(browser: Browser, baseURL: string): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 412, height: 915 },
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
  });
  context.on('page', noteAnswers);
  return context;
}
