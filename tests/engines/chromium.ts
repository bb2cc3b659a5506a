/** Chromium through Playwright. */
import { chromium } from '@playwright/test';
import { type Driver, jsonOf, windowSize } from './driver.ts';

export async function openChromium(executablePath: string): Promise<Driver> {
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const page = await browser.newPage({ viewport: windowSize });
  return {
    async open(url) {
      await page.goto(url).catch(() => undefined);
    },
    run: async (script, args) => JSON.parse(await page.evaluate<string>(jsonOf(script, args))),
    press: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close(),
  };
}
