/** Notifications, with a push service emulated through the browser's protocol. */
import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page, Worker } from '@playwright/test';
import type { PushMessage } from '#contract/push.ts';
import { browserArgs, findWholeBrowser } from '#tests/browser.mjs';
import { enter, spoken } from '#tests/e2e/inside.ts';
import { expect, type Phone, test } from '#tests/e2e/kaya.ts';
import { workerOf } from '#tests/e2e/outbox-stage.ts';
import { NotificationsPage } from '#tests/e2e/pages/notifications-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';
import { subscriptionBody } from '#tests/fakes/push-service.ts';

const wholeBrowser = findWholeBrowser();
test.skip(wholeBrowser === null, 'The headless shell refuses notifications.');
test.use({
  launchOptions: { args: browserArgs, ...(wholeBrowser ? { executablePath: wholeBrowser } : {}) },
});

/** The browser's push service is external: subscriptions are made here. */
async function withSubscriptions(context: BrowserContext, serial: string): Promise<void> {
  const { endpoint, keys } = subscriptionBody(`https://push.example/${serial}`, ['accepted']);
  await context.addInitScript(
    ({ endpoint, keys }) => {
      const kept = 'test-push-key';
      const bytesOf = (text: string) => {
        const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
        return Uint8Array.from(plain, (one) => one.charCodeAt(0)).buffer;
      };
      const made = (key: string) => ({
        endpoint,
        options: { applicationServerKey: bytesOf(key) },
        getKey: (name: 'p256dh' | 'auth') => bytesOf(keys[name]),
        unsubscribe: async () => {
          localStorage.removeItem(kept);
          return true;
        },
      });
      Object.assign(PushManager.prototype, {
        getSubscription: async () => {
          const key = localStorage.getItem(kept);
          return key === null ? null : made(key);
        },
        subscribe: async (options: { applicationServerKey: string }) => {
          localStorage.setItem(kept, options.applicationServerKey);
          return made(options.applicationServerKey);
        },
      });
    },
    { endpoint, keys },
  );
}

/** Delivers messages to the page's worker, as the browser does. */
async function pushesTo(page: Page): Promise<(message: object | string) => Promise<void>> {
  const { session, worker } = await workerOf(page);
  return async (message) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    await session.send('ServiceWorker.deliverPushMessage', { ...worker, data });
  };
}

/** This app's notifications shown on the phone. */
function shownOn(page: Page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
  });
}

/** A tap on the notification; the browser's protocol has none. */
async function tap(worker: Worker, tag: string): Promise<void> {
  await worker.evaluate(async (wanted) => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      dispatchEvent(event: Event): void;
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event;
    };
    const [notification] = await scope.registration.getNotifications({ tag: wanted });
    if (!notification) throw new Error(`No notification is tagged ${wanted}.`);
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
  }, tag);
}

async function allowed({ context, page }: Phone): Promise<NotificationsPage> {
  await context.grantPermissions(['notifications']);
  await withSubscriptions(context, randomUUID());
  return new NotificationsPage(page);
}

/** Once the worker controls the page. */
const controlled = (page: Page) =>
  page.waitForFunction(() => navigator.serviceWorker.controller !== null);

test('a sender turns notifications on and off', async ({ phone, backstage, network, sender }) => {
  const ladi = await phone();
  const notifications = await allowed(ladi);
  await enter(ladi.page, sender, '/tracking/pending');
  // Sent from elsewhere: nothing was done on this phone yet, so no offer.
  await backstage.package(sender);
  await expect(ladi.page.getByRole('article')).toHaveCount(1);
  await expect(notifications.accept).toBeHidden();
  const wizard = await WizardPage.open(ladi.page);
  await wizard.fill();
  await wizard.submit();
  await expect(notifications.accept).toBeVisible();
  await notifications.accept.click();
  await expect(spoken(ladi.page, 'status', 'Notifications are on.')).toBeVisible();
  await expect(notifications.accept).toBeHidden();
  expect(network.forwarded).toContain('PUT /api/push');

  await ladi.page.goto('/account');
  await ladi.page.getByRole('link', { name: 'Notifications' }).click();
  await expect(notifications.switches).toHaveCount(3);
  await notifications.switchOf('A courier accepts my package').uncheck();
  await expect(spoken(ladi.page, 'status', 'Saved.')).toBeVisible();
  await ladi.page.reload();
  await expect(notifications.switchOf('A courier accepts my package')).not.toBeChecked();
  await expect(notifications.switchOf('My package is delivered')).toBeChecked();

  await notifications.turnOff.click();
  await expect(notifications.turnOn).toBeVisible();
  expect(network.forwarded.filter((call) => call === 'DELETE /api/push')).toHaveLength(1);
});

test('a dismissed offer is found under Account @long', async ({
  network,
  backstage,
  page,
  context,
}) => {
  const { courier, packages } = await backstage.offers(1);
  const notifications = await allowed({ page, context });
  await enter(page, courier, '/delivery/pending');
  const list = new PackageListPage(page);
  await list.accept(packages[0].description);
  await list.pending.click();
  await notifications.dismiss.click();
  await expect(notifications.accept).toBeHidden();
  await page.reload();
  await expect(page.getByRole('link', { name: 'Pending' })).toBeVisible();
  await expect(notifications.accept).toBeHidden();

  await context.grantPermissions(['notifications', 'geolocation']);
  await context.setGeolocation({ latitude: 12.00223, longitude: 8.59191 });
  await page.goto('/notifications');
  await notifications.turnOn.click();
  await expect(notifications.switches).toHaveCount(2);
  await page.getByRole('radio', { name: 'Within 10 km' }).click();
  await expect(spoken(page, 'status', 'Saved.')).toBeVisible();
  await expect(page.getByRole('radio', { name: 'Within 10 km' })).toBeChecked();
  const said = () => network.bodies.findLast((line) => line.startsWith('PUT /api/push '));
  await expect.poll(said).toContain('"area":{"lat":12,"lng":8.59,"km":10}');
});

test('a blocked phone gets the reason @long', async ({ network, sender, page, context }) => {
  const notifications = await allowed({ page, context });
  await enter(page, sender, '/notifications');
  await expect(notifications.turnOn).toBeVisible();
  network.setFaults(() => ({ kind: 'dropped before' }));
  await notifications.turnOn.click();
  const needsNetwork = 'You need an internet connection for this. Try again when you’re online.';
  await expect(spoken(page, 'alert', needsNetwork)).toBeVisible();
  await expect(notifications.turnOn).toBeVisible();
  network.setFaults(null);

  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await page.reload();
  await expect(page.getByText('Blocked in the browser')).toBeVisible();
  await expect(notifications.turnOn).toBeHidden();
  const check = page.getByRole('button', { name: 'Check again' });
  await check.click();
  await expect(page.getByText(/^Still blocked/)).toBeVisible();
  // Allowed in the browser's settings.
  await page.evaluate(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
  });
  await check.click();
  await expect(notifications.turnOn).toBeVisible();
});

test('a blocked phone gets the steps of the browser or of the app @long', async ({
  sender,
  page,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await enter(page, sender, '/notifications');
  const steps = page.getByRole('listitem');
  await expect(steps.first()).toHaveText('Tap the icon next to the address.');
  // As installed.
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      matchMedia(query === '(display-mode: browser)' ? 'not all' : query);
  });
  await page.reload();
  await expect(steps.first()).toHaveText('Hold Kaya’s icon among your apps and open App info.');
});

test('a new session or key subscribes again @long', async ({ network, sender, page, context }) => {
  const notifications = await allowed({ page, context });
  await enter(page, sender, '/notifications');
  await notifications.turnOn.click();
  await expect(notifications.turnOff).toBeVisible();
  const puts = () => network.forwarded.filter((call) => call === 'PUT /api/push').length;
  const before = puts();
  await page.evaluate(() => localStorage.setItem('test-push-key', 'BBBB'));
  await page.reload();
  await expect(notifications.turnOff).toBeVisible();
  await expect.poll(puts).toBe(before + 1);
  const key = await page.evaluate(() => localStorage.getItem('test-push-key'));
  expect(key).toHaveLength(87);
});

test('one notification is shown per package', async ({ backstage, sender, page, context }) => {
  await allowed({ page, context });
  const { _id: id, packageId, senderId } = await backstage.package(sender);
  await enter(page, sender, '/tracking/pending');
  await controlled(page);
  const push = await pushesTo(page);
  const message: PushMessage = {
    kind: 'accepted',
    id,
    packageId,
    naira: 1500,
    to: senderId._id,
  };
  await push(message);
  const accepted = {
    title: 'Your package has a courier',
    body: `${packageId} is in transit.`,
    tag: id,
  };
  await expect.poll(() => shownOn(page)).toEqual([accepted]);
  await push({ ...message, kind: 'delivered' });
  const delivered = {
    title: 'Your package was delivered',
    body: `${packageId} has arrived.`,
    tag: id,
  };
  await expect.poll(() => shownOn(page)).toEqual([delivered]);

  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('There is no worker.');
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await tap(worker, id);
  await expect(page).toHaveURL(new RegExp(`/package-detail/${id}$`));
  await expect(page.getByText(packageId)).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
  await expect.poll(() => shownOn(page)).toEqual([]);
});

test('foreign or unreadable pushes say nothing @long', async ({ sender, page, context }) => {
  await allowed({ page, context });
  await enter(page, sender, '/account');
  await controlled(page);
  const push = await pushesTo(page);
  const unnamed = { title: 'Kaya', body: 'Open the app to see what’s new.', tag: 'unnamed' };
  await push({ kind: 'accepted', id: randomUUID(), packageId: 'KY-000042', naira: 1, to: 'x' });
  await expect.poll(() => shownOn(page)).toEqual([unnamed]);
  await push('nonsense');
  await expect.poll(() => shownOn(page)).toEqual([unnamed]);
});
