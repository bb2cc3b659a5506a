/** The browser context of one phone, used by every test with users. */
import type { Browser, BrowserContext } from '@playwright/test';
import { noteAnswers } from './answers.ts';

/** A low-end Android phone in Kano with the product at `baseURL`. */
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
