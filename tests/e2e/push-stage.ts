/** Phones with notifications: a push service emulated through the browser's protocol. */
import type { BrowserContext, Page, Worker } from '@playwright/test';
import { subscriptionBody } from '#tests/fakes/push-service.ts';

/** The browser's push service is external: subscriptions are made here. */
export async function withSubscriptions(context: BrowserContext, serial: string): Promise<void> {
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
export async function pushesTo(page: Page): Promise<(message: object | string) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [first] = registrations;
      if (first) resolve(first.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  const { origin } = new URL(page.url());
  return async (message) => {
    const data = typeof message === 'string' ? message : JSON.stringify(message);
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  };
}

export interface Shown {
  title: string;
  body: string;
  tag: string;
}

/** This app's notifications shown on the phone. */
export function shownOn(page: Page): Promise<Shown[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    const shown = await registration.getNotifications();
    return shown.map(({ title, body, tag }) => ({ title, body, tag }));
  });
}

/** A tap on the notification; the browser's protocol has none. */
export async function tap(worker: Worker, tag: string): Promise<void> {
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
