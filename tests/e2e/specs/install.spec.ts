/** Installing the app: offered at a fitting moment, in the way the browser supports. */
import { readFileSync } from 'node:fs';
import { chromium, expect, type Page } from '@playwright/test';
import { findWholeBrowser } from '#tests/browser.mjs';
import { packageBody } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { test } from '#tests/e2e/kaya.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

const offer = (page: Page) => page.getByRole('region', { name: 'Install Kaya' });

/** The install prompt as Chromium fires it; `outcome`: the user's choice. */
async function browserOffers(page: Page, outcome: 'accepted' | 'dismissed') {
  await page.evaluate((answer) => {
    const event = new Event('beforeinstallprompt', { cancelable: true });
    Object.assign(event, {
      prompt: async () => {
        Object.assign(window, { hasAsked: true });
        return { outcome: answer };
      },
    });
    window.dispatchEvent(event);
  }, outcome);
}

test('the browser finds nothing that keeps the app from being installed', async ({ network }) => {
  // The headless shell does not support installing and reports no error.
  const executablePath = findWholeBrowser();
  test.skip(executablePath === null, 'There is no whole Chromium here.');
  // A persistent profile: a private one can install nothing.
  const context = await chromium.launchPersistentContext('', {
    executablePath: executablePath ?? '',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.goto(`${network.url}/auth`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  const devtools = await context.newCDPSession(page);
  const { errors, url } = await devtools.send('Page.getAppManifest');
  expect(new URL(url).pathname).toBe('/manifest.webmanifest');
  expect(errors).toEqual([]);
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors).toEqual([]);
  await context.close();
});

test('the manifest’s pictures come from the build, compressed', async ({ backstage, page }) => {
  await page.goto('/auth');
  type Picture = Record<'src' | 'type', string>;
  const manifest: { icons: Picture[]; screenshots: Picture[]; shortcuts: { icons: Picture[] }[] } =
    await page.evaluate(async () => (await fetch('/manifest.webmanifest')).json());
  expect(manifest).toMatchObject(JSON.parse(readFileSync('manifest.webmanifest', 'utf8')));
  const pictures = [
    ...[...manifest.icons, ...manifest.screenshots],
    ...manifest.shortcuts.flatMap(({ icons }) => icons),
  ];
  for (const { src, type } of pictures) {
    const answer = await page.request.get(src);
    expect([src, answer.status(), answer.headers()['content-type']]).toEqual([src, 200, type]);
  }
  const files = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
  );
  const scripts = files.filter((path) => /^\/assets\/.*\.(js|css)$/.test(path));
  expect(scripts.length).toBeGreaterThan(1);
  for (const path of ['/', '/sw.js', '/manifest.webmanifest', scripts[0] ?? '']) {
    const answer = await page.request.get(`${backstage.serverUrl}${path}`, {
      headers: { 'accept-encoding': 'gzip, br' },
    });
    const { vary, 'content-encoding': encoding } = answer.headers();
    expect([path, encoding, vary]).toEqual([path, 'br', 'accept-encoding']);
    expect((await answer.body()).length).toBeGreaterThan(100);
  }
});

test('the install prompt follows the first package @long', async ({ signedIn, sender }) => {
  const { page, shell } = await signedIn(sender);
  await browserOffers(page, 'accepted');
  await shell.openTracking();
  // Nothing is achieved yet: it is only under Account.
  await expect(page.getByText("You haven't sent any packages yet")).toBeVisible();
  await expect(offer(page)).toHaveCount(0);
  await shell.account.click();
  await expect(offer(page)).toBeVisible();

  const wizard = await WizardPage.open(page);
  await browserOffers(page, 'accepted');
  await wizard.fill();
  await wizard.submit();
  await expect(offer(page)).toBeVisible();
  await offer(page).getByRole('button', { name: 'Not now' }).click();
  await expect(offer(page)).toHaveCount(0);
  await page.reload();
  await browserOffers(page, 'dismissed');
  await expect(page.getByText(packageBody.description)).toBeVisible();
  await expect(offer(page)).toHaveCount(0);

  // It can still be found there.
  await shell.account.click();
  await offer(page).getByRole('button', { name: 'Install' }).click();
  await expect.poll(() => page.evaluate(() => 'hasAsked' in window)).toBe(true);
  await expect(offer(page)).toHaveCount(0);
});

test('the install prompt follows a delivery @long', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  const { page, shell } = await signedIn(courier);
  await browserOffers(page, 'accepted');
  await (await shell.openDeliveries()).accept(packages[0].description);
  await expect(offer(page)).toBeVisible();
  await page.evaluate(() => window.dispatchEvent(new Event('appinstalled')));
  await expect(offer(page)).toHaveCount(0);
});

test('Safari gets instructions, an installed app none @long', async ({ phone, sender }) => {
  const openAccount = async (standalone: boolean) => {
    const { page } = await phone();
    await page.addInitScript((is) => Object.assign(navigator, { standalone: is }), standalone);
    await enter(page, sender, '/account');
    return page;
  };
  const inSafari = offer(await openAccount(false));
  for (const text of ['Tap Share', 'Add to Home Screen'])
    await expect(inSafari).toContainText(text);
  const onHomeScreen = await openAccount(true);
  await browserOffers(onHomeScreen, 'accepted');
  await expect(onHomeScreen.getByRole('link', { name: 'Changes' })).toBeVisible();
  await expect(offer(onHomeScreen)).toHaveCount(0);
});

test('safe areas keep controls reachable @long', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender);
  const insets = { top: 47, bottom: 34 };
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setSafeAreaInsetsOverride', { insets });
  for (const address of ['/tracking', '/account', '/new-package', '/outbox', '/security']) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const outside = await page.evaluate(({ top, bottom }) => {
      const main = document.querySelector('main');
      main?.scrollTo(0, main.scrollHeight);
      return [...document.querySelectorAll('a, button, input')]
        .filter((control) => {
          const box = control.getBoundingClientRect();
          const isDrawn = box.width > 1 && box.bottom > 0 && box.top < innerHeight;
          const isUnder = box.bottom > innerHeight - bottom || box.top < top;
          return isDrawn && isUnder && box.bottom - box.top > 0 && box.top >= top - 1;
        })
        .map((control) => control.textContent);
    }, insets);
    expect(outside, address).toEqual([]);
    const bar = await page.locator('header').first().boundingBox();
    expect(bar?.y, address).toBeGreaterThanOrEqual(insets.top);
  }
});
