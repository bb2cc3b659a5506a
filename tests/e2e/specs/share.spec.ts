import { readFileSync } from 'node:fs';
import { type BrowserContext, expect, type Page } from '@playwright/test';
import { enter } from '#tests/e2e/inside.ts';
import { test } from '#tests/e2e/kaya.ts';
import { AuthPage } from '#tests/e2e/pages/auth-page.ts';

const manifest: {
  share_target: { action: string; method: string; params: Record<string, string> };
  shortcuts: { name: string; url: string }[];
} = JSON.parse(readFileSync('manifest.webmanifest', 'utf8'));

/** The share URL a browser builds: the manifest's, with the shared text. */
function shareAddress(shared: Record<string, string>): string {
  const { action, params } = manifest.share_target;
  const named = Object.entries(shared).map(([part, said]) => [params[part] ?? part, said]);
  return `${action}?${new URLSearchParams(named)}`;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

test('shared text asks before it overwrites @long', async ({ signedIn, sender }) => {
  const { page } = await signedIn(sender, '/new-package');
  await page.getByLabel('Delivery Address').fill('9 Airport Road, Kano');

  const shared = shareAddress({ text: '4 Zoo Road, Kano' });
  await page.goto(shared);
  const question = page.getByRole('dialog', { name: 'Use the shared text?' });
  await expect(question).toContainText('Delivery Address');
  await question.getByRole('button', { name: 'Keep what I typed' }).click();
  await expect(page.getByLabel('Delivery Address')).toHaveValue('9 Airport Road, Kano');
  await expect(page).toHaveURL(/\/new-package$/);

  await page.goto(shared);
  await question.getByRole('button', { name: 'Use it' }).click();
  await expect(page.getByLabel('Delivery Address')).toHaveValue('4 Zoo Road, Kano');
});

/** Like Chromium's launches of an installed app: queued until the page sets a consumer. */
async function queueLaunches(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    type Consumer = (launch: { targetURL: string }) => void;
    let consumer: Consumer | undefined;
    const waiting = [{ targetURL: location.href }];
    const tell = () => {
      while (consumer && waiting.length > 0) consumer(waiting.shift() ?? { targetURL: '' });
    };
    // Chromium's own is a getter without launches.
    const launchQueue = {
      setConsumer(next: Consumer) {
        consumer = next;
        tell();
      },
    };
    Object.defineProperty(window, 'launchQueue', { value: launchQueue });
    Object.assign(window, {
      launch(path: string) {
        waiting.push({ targetURL: location.origin + path });
        tell();
      },
    });
  });
}

const launch = (page: Page, path: string) =>
  page.evaluate((to) => (window as unknown as { launch(to: string): void }).launch(to), path);

test('shortcuts and launches open their screens @long', async ({ sender, page, context }) => {
  await queueLaunches(context);
  const shell = await enter(page, sender);
  await shell.untilInstalled();
  const titles = ['New Package', 'Deliveries', 'Changes'];
  await context.setOffline(true);
  for (const [at, { url }] of manifest.shortcuts.entries()) {
    await page.goto(url);
    await expect(heading(page, titles[at] ?? '')).toBeVisible();
  }

  await page.goto('/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await launch(page, '/outbox');
  await expect(heading(page, 'Changes')).toBeVisible();
  // A tap on the icon only brings the app to the front.
  await launch(page, '/');
  await expect(heading(page, 'Changes')).toBeVisible();
  await launch(page, shareAddress({ text: '0803 123 4567' }));
  await expect(page.getByRole('dialog', { name: 'Use the shared text?' })).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('a mailed link launches the installed app, signed out, with its token', async ({
  page,
  context,
}) => {
  await queueLaunches(context);
  await AuthPage.open(page);
  await launch(page, `/reset-password#token=${'0'.repeat(43)}`);
  await expect(heading(page, 'Set a New Password')).toBeVisible();
  await expect(page).toHaveURL(/\/reset-password$/);
});
