/** A recipient, who has a link and no account, follows a delivery in a browser of their own. */
import { createHash, randomUUID } from 'node:crypto';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { RecordEventBody } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { contentDigest } from '#contract/proof.ts';
import { jpeg } from '#tests/builders/pictures.ts';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { test as base, expect } from '#tests/e2e/kaya.ts';
import { axeComplaints, brokenWords, sticksOut } from '#tests/e2e/layout.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { TrackingPage } from '#tests/e2e/pages/tracking-page.ts';
import { rasterEnv, tileServer } from '#tests/e2e/tiles.ts';
import type { TileServer } from '#tests/fakes/tile-server.ts';

interface Delivery {
  pkg: WirePackage;
  path: string;
  accept(): Promise<void>;
  record(type: RecordEventBody['type'], details?: Partial<RecordEventBody>): Promise<void>;
  sharePosition(): Promise<void>;
  endSharing(): Promise<void>;
  storePhoto(id: string): Promise<void>;
  /** The sender takes the link back; resolves with the new one's path. */
  replace(): Promise<string>;
}

/** Sender and courier act at the server; the recipient's browser learns of it by the stream. */
async function startDelivery(
  backstage: Backstage,
  { sender, courier }: { sender: Account; courier: Account },
): Promise<Delivery> {
  const pkg = (await backstage.package(sender, { handover: 'code' })) as unknown as WirePackage;
  const ofToken = (await backstage.call<{ accessToken: string }>(
    courier,
    'POST',
    '/api/auth/login',
    { email: courier.email, password: courier.password },
  )) as { accessToken: string };
  return {
    pkg,
    path: pkg.trackingPath ?? '',
    accept: () => backstage.accept(courier, pkg),
    async record(type, details = {}) {
      await backstage.record(courier, pkg, { type, ...details });
    },
    async sharePosition() {
      const fix = { lat: 12.002, lng: 8.592, accuracy: 10 };
      await backstage.call(courier, 'PUT', '/api/position', fix);
    },
    async endSharing() {
      await backstage.call(courier, 'DELETE', '/api/position');
    },
    async storePhoto(id) {
      const address = `${backstage.serverUrl}/api/packages/${pkg._id}/proofs/${id}`;
      const answer = await fetch(address, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${ofToken.accessToken}`,
          'content-type': 'image/jpeg',
          'content-digest': contentDigest(createHash('sha256').update(jpeg).digest('base64')),
        },
        body: new Uint8Array(jpeg),
      });
      expect(answer.ok, await answer.text()).toBe(true);
    },
    async replace() {
      const path = `/api/packages/${pkg._id}/tracking`;
      const fresh = await backstage.call<WirePackage>(sender, 'POST', path);
      return fresh.trackingPath ?? '';
    },
  };
}

/** A small phone of someone who has never seen Kaya. */
const openStranger = (browser: Browser, baseURL: string, hasScripts = true) =>
  browser.newContext({
    baseURL,
    javaScriptEnabled: hasScripts,
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
    viewport: { width: 360, height: 740 },
  });

const test = base.extend<{
  delivery: Delivery;
  /** With scripts off: `plain`. */
  recipient: Page;
  plain: Page;
}>({
  delivery: async ({ backstage, sender, courier }, use) =>
    use(await startDelivery(backstage, { sender, courier })),
  recipient: async ({ browser, origin }, use) => {
    const context: BrowserContext = await openStranger(browser, origin);
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      // Such as what the Content-Security-Policy refuses.
      if (/Content.Security.Policy|TrustedHTML/.test(message.text())) faults.push(message.text());
    });
    await use(page);
    await context.close();
    expect(faults).toEqual([]);
  },
  plain: async ({ browser, origin }, use) => {
    const context = await openStranger(browser, origin, false);
    await use(await context.newPage());
    await context.close();
  },
});

const mapTest = test.extend<object, { tileServer: TileServer }>({
  tileServer: [tileServer, { scope: 'worker' }],
  serverEnv: [rasterEnv, { scope: 'worker' }],
});

/** Lost by a reload. */
const mark = (page: Page) => page.evaluate(() => Object.assign(globalThis, { isStill: true }));
const isMarked = (page: Page) => page.evaluate(() => 'isStill' in globalThis);

test('a whole delivery is followed live, without a reload and without an account', async ({
  recipient,
  delivery,
  courier,
}) => {
  const referrers: (string | undefined)[] = [];
  recipient.on('request', (request) => referrers.push(request.headers().referer));
  const page = await TrackingPage.open(recipient, delivery.path);
  await expect(page.stage).toHaveText('Waiting for a courier');
  await expect(page.live).toHaveText('Live');
  await mark(recipient);
  const code = (await page.code.locator('.digits').innerText()).replace(/\D/g, '');
  expect(code).toBe(delivery.pkg.dropoffCode);
  await expect(page.code.getByRole('img')).toBeVisible();

  await delivery.accept();
  await expect(page.stage).toHaveText('A courier will pick it up');
  await expect(page.courier).toHaveCount(0);
  await delivery.record('picked_up');
  await expect(page.stage).toHaveText('It is on its way to you');
  await expect(page.courier).toContainText(courier.firstName);
  await expect(page.courier.getByRole('link', { name: /^Call / })).toHaveAttribute('href', /^tel:/);
  await delivery.record('arrived');
  await expect(page.stage).toHaveText('The courier is at your place');
  await delivery.record('attempt_failed', { reason: 'recipient_unavailable', note: 'No answer.' });
  await expect(page.stage).toHaveText('The courier couldn’t deliver it yet');
  await expect(page.timeline).toContainText('Not delivered: no one was there');
  await delivery.record('arrived');
  await expect(page.stage).toHaveText('The courier is at your place');

  const photoId = randomUUID();
  await delivery.record('delivered', { proof: { code, photoIds: [photoId] } });
  await expect(page.stage).toHaveText('Delivered');
  await expect(recipient.locator('#stage')).toContainText(/Today \d\d:\d\d/);
  await expect(page.code).toHaveCount(0);
  await expect(page.note).toBeHidden();
  // The picture is on its way longer than the word.
  await delivery.storePhoto(photoId);
  await expect(page.photo).toBeVisible({ timeout: 20_000 });
  await expect
    .poll(() => page.photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(1);
  await expect(page.announced).toHaveText('Delivered');
  expect(await isMarked(recipient)).toBe(true);
  await expect(recipient.getByText('No answer.')).toHaveCount(0);
  // The path is a secret: of script, icon, stream and photo none is told it.
  expect(referrers.length).toBeGreaterThan(3);
  expect(referrers.filter(Boolean)).toEqual([]);
});

test('a note reaches the courier’s phone in seconds, and the page stays', async ({
  recipient,
  delivery,
  signedIn,
  courier,
}) => {
  await delivery.accept();
  await delivery.record('picked_up');
  const { page: phone } = await signedIn(courier);
  const detail = await PackageDetailPage.open(phone, delivery.pkg._id);
  await expect(detail.delivered).toBeVisible();

  const page = await TrackingPage.open(recipient, delivery.path);
  await expect(page.live).toHaveText('Live');
  await mark(recipient);
  const text = 'With Hauwa at the kiosk, opposite the mosque';
  await page.tell('Leave it in a safe place', text);
  await expect(page.note.getByRole('status')).toHaveText('The courier will see your note.');
  await expect(detail.timeline).toContainText(text, { timeout: 5_000 });
  await expect(page.yourNote).toContainText(text);
  await expect(page.text).toHaveValue('');

  // Without a network it says so, not only when the stream was silent for long.
  await recipient.context().setOffline(true);
  await expect(page.live).toHaveText(/^No connection\./, { timeout: 10_000 });
  await recipient.context().setOffline(false);
  await expect(page.live).toHaveText('Live');
  expect(await isMarked(recipient)).toBe(true);
});

test('what is being typed outlives changes, a failed sending and a reload', async ({
  recipient,
  delivery,
  network,
}) => {
  await delivery.accept();
  const page = await TrackingPage.open(recipient, delivery.path);
  await expect(page.live).toHaveText('Live');
  await page.text.pressSequentially('Tomorrow ');
  await delivery.record('picked_up');
  await expect(page.stage).toHaveText('It is on its way to you');
  await expect(page.text).toBeFocused();
  await page.text.pressSequentially('after four');

  network.setFaults((method) => (method === 'POST' ? { kind: 'dropped before' } : null));
  await page.note.getByRole('radio', { name: 'Come another time' }).check();
  await page.send.click();
  await expect(page.note.getByRole('alert')).toContainText('couldn’t be sent');
  network.setFaults(null);
  await recipient.reload();
  await expect(page.text).toHaveValue('Tomorrow after four');
  // Sent without a choice: the browser's own validation is not the only one.
  await page.note.locator('form').evaluate((form: HTMLFormElement) => {
    form.noValidate = true;
  });
  await page.send.click();
  await expect(page.note.getByRole('alert')).toHaveText('Choose one of the three.');
  await expect(page.text).toHaveValue('Tomorrow after four');
  await page.note.getByRole('radio', { name: 'Come another time' }).check();
  await page.send.click();
  await expect(page.yourNote).toContainText('Tomorrow after four');

  // Too late to be sent, it stays to be read.
  await page.text.fill('Or at five');
  await expect(page.note.getByRole('status')).toHaveCount(0);
  await delivery.record('delivered', { proof: { code: delivery.pkg.dropoffCode ?? '' } });
  await expect(page.stage).toHaveText('Delivered');
  await expect(recipient).toHaveTitle(/^Delivered · /);
  await expect(page.text).toHaveValue('Or at five');
  await expect(page.note).toContainText('No more notes can be left');
  await expect(page.send).toBeHidden();
});

test('with the stream cut the page goes on by asking, and says when there is no network @long', async ({
  recipient,
  delivery,
}) => {
  await recipient.clock.install();
  // Otherwise the page of a slow machine polls once more by itself.
  await recipient.clock.pauseAt(Date.now() + 60_000);
  await recipient.route('**/events', (route) => route.abort());
  const page = await TrackingPage.open(recipient, delivery.path);
  await expect(page.stage).toHaveText('Waiting for a courier');
  await mark(recipient);
  const ask = async () => {
    const answer = recipient.waitForResponse((response) => response.url().endsWith(delivery.path));
    await recipient.clock.fastForward(30_000);
    return (await answer).status();
  };
  expect(await ask()).toBe(200);
  await expect(page.live).toHaveText(/^Last checked \d\d:\d\d$/);
  // Nothing has changed.
  expect(await ask()).toBe(304);
  await delivery.accept();
  expect(await ask()).toBe(200);
  await expect(page.stage).toHaveText('A courier will pick it up');

  await recipient.route(`**${delivery.path}`, (route) => route.abort());
  await recipient.clock.fastForward(30_000);
  await expect(page.live).toHaveText(/^No connection\. Last checked \d\d:\d\d$/);
  await expect(page.stage).toBeVisible();

  await recipient.unroute(`**${delivery.path}`);
  await recipient.unroute('**/events');
  await recipient.clock.fastForward(5 * 60_000);
  await expect(page.live).toHaveText('Live');
  await delivery.record('picked_up');
  await expect(page.stage).toHaveText('It is on its way to you');
  expect(await isMarked(recipient)).toBe(true);
});

test('with scripts off the page is whole, and its form works', async ({
  plain,
  delivery,
  courier,
}) => {
  await delivery.accept();
  await delivery.record('picked_up');
  const page = await TrackingPage.open(plain, delivery.path);
  await expect(page.stage).toHaveText('It is on its way to you');
  await expect(page.courier).toContainText(courier.firstName);
  await expect(page.code.locator('.digits')).toBeVisible();
  await expect(page.code.getByRole('img')).toBeVisible();
  await expect(page.timeline.getByRole('listitem')).toHaveCount(3);
  await expect(plain.getByRole('button', { name: 'Show the map' })).toBeHidden();
  await expect(plain.getByText(/^As of \d\d:\d\d\./)).toBeVisible();

  await page.tell('Give it to another person', 'My brother <b>Isa</b>, 0803 555 1212');
  await expect(plain).toHaveURL(/\?sent#note$/);
  await expect(page.note.getByRole('status')).toHaveText('The courier will see your note.');
  await expect(page.yourNote).toContainText('My brother <b>Isa</b>');
  await plain.setViewportSize({ width: 320, height: 568 });
  expect(await sticksOut(plain)).toEqual([]);
  await delivery.record('arrived');
  await plain.getByRole('link', { name: 'Refresh' }).click();
  await expect(page.stage).toHaveText('The courier is at your place');
  await expect(page.note.getByRole('status')).toHaveCount(0);
  await delivery.record('delivered', { proof: { code: delivery.pkg.dropoffCode ?? '' } });
  await plain.reload();
  await expect(page.stage).toHaveText('Delivered');
  await expect(page.send).toBeHidden();
});

test('a dead link and a replaced one say so, also to a page that is open', async ({
  recipient,
  plain,
  delivery,
}) => {
  const dead = await plain.goto(`/t/${'A'.repeat(22)}`);
  expect(dead?.status()).toBe(404);
  await expect(plain.getByRole('heading')).toHaveText('This link doesn’t work');

  const open = await TrackingPage.open(recipient, delivery.path);
  await expect(open.live).toHaveText('Live');
  const fresh = await delivery.replace();
  await expect(open.stage).toHaveText('This link has ended');
  const replaced = await plain.goto(delivery.path);
  expect(replaced?.status()).toBe(410);
  await expect(plain.getByRole('heading')).toHaveText('This link has ended');
  await plain.goto(fresh);
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Waiting for a courier');
});

test('a phone that has Kaya installed gets the page and its script from the server @long', async ({
  delivery,
  installed,
  courier,
}) => {
  const { page, context } = await installed(courier);
  const answers = new Map<string, boolean>();
  page.on('response', (response) => {
    answers.set(new URL(response.url()).pathname, response.fromServiceWorker());
  });
  const tracking = await TrackingPage.open(page, delivery.path);
  await expect(tracking.live).toHaveText('Live');
  expect(answers.get(delivery.path)).toBe(false);
  expect(answers.get('/track/live.js')).toBe(false);
  const cached = await page.evaluate(async () => {
    const names = await caches.keys();
    const keys = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return keys.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(cached.length).toBeGreaterThan(1);
  expect(cached.filter((path) => /^\/(t|track)\//.test(path))).toEqual([]);
  await context.setOffline(true);
  // Not the app's own screen for an address it does not know.
  await expect(page.reload()).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  await context.setOffline(false);
});

test('a browser that cannot draw the map is not made to load it @long', async ({
  recipient,
  delivery,
}) => {
  const scripts: string[] = [];
  recipient.on('request', (request) => {
    if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
  });
  await recipient.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await delivery.accept();
  await delivery.record('picked_up');
  await delivery.sharePosition();
  const page = await TrackingPage.open(recipient, delivery.path);
  await page.showMap.click();
  await expect(page.map).toHaveText('This browser can’t draw the map.');
  expect(scripts).toEqual(['/track/live.js']);
});

mapTest(
  'the map is loaded by a tap beside the courier, and stays until the courier is gone',
  async ({ recipient, delivery, tileServer: tiles }) => {
    const scripts: string[] = [];
    recipient.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await delivery.accept();
    const page = await TrackingPage.open(recipient, delivery.path);
    await expect(page.live).toHaveText('Live');
    await expect(page.showMap).toBeHidden();
    await delivery.record('picked_up');
    await delivery.sharePosition();
    await expect(page.courier.locator(page.showMap)).toBeVisible({ timeout: 20_000 });
    expect(scripts).toEqual(['/track/live.js']);
    await page.showMap.click();
    await expect(page.map.locator('canvas')).toBeVisible({ timeout: 30_000 });
    await expect(page.showMap).toBeHidden();
    await expect(page.map.getByRole('link', { name: /OpenStreetMap/ })).toBeVisible();
    expect(scripts).toContain('/track/map.js');
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(0);
    expect(await axeComplaints(recipient)).toEqual([]);
    const canvas = await page.map.locator('canvas').elementHandle();
    await page.tell('Come another time', 'After four');
    await expect(page.yourNote).toContainText('After four');
    expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true);
    await delivery.record('arrived');
    await expect(page.stage).toHaveText('The courier is at your place');
    // At the door, the code is the next thing that is needed.
    await recipient.evaluate(() => scrollTo(0, 0));
    await expect(page.code.locator('.digits')).toBeInViewport();
    expect(await canvas?.evaluate((element) => element.isConnected)).toBe(true);
    await delivery.record('attempt_failed', { reason: 'recipient_unavailable' });
    await delivery.record('return_started');
    await expect(page.stage).toHaveText('It is going back to the sender');
    await expect(page.map).toHaveCount(0);
  },
);

mapTest(
  'a map asked for while the courier’s place goes and comes can be asked for again @long',
  async ({ recipient, delivery }) => {
    await delivery.accept();
    await delivery.record('picked_up');
    await delivery.sharePosition();
    const page = await TrackingPage.open(recipient, delivery.path);
    let bring: () => void = () => undefined;
    const isWanted = new Promise<void>((resolve) => {
      bring = resolve;
    });
    await recipient.route('**/track/map.js', async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.showMap.click();
    await expect(page.map).toHaveText('Loading the map…');
    await delivery.record('attempt_failed', { reason: 'closed' });
    await delivery.endSharing();
    await expect(page.map).toBeHidden({ timeout: 20_000 });
    await delivery.sharePosition();
    await expect(page.showMap).toBeVisible({ timeout: 20_000 });
    bring();
    await page.showMap.click();
    await expect(page.map.locator('canvas')).toBeVisible({ timeout: 30_000 });
  },
);

mapTest(
  'a map without its tiles says so, and is tried again by a tap @long',
  async ({ recipient, delivery, tileServer: tiles }) => {
    const { origin } = new URL(tiles.template);
    await recipient.route(`${origin}/**`, (route) => route.abort());
    await delivery.accept();
    await delivery.record('picked_up');
    await delivery.sharePosition();
    const page = await TrackingPage.open(recipient, delivery.path);
    await page.showMap.click();
    await expect(page.map).toContainText('The map couldn’t be loaded.', { timeout: 30_000 });
    await recipient.unroute(`${origin}/**`);
    await page.showMap.click();
    await expect(page.map.locator('canvas')).toBeVisible({ timeout: 30_000 });
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(0);
    await expect(page.showMap).toBeHidden();
  },
);

test('what is typed while a note is on its way stays when its answer comes @long', async ({
  recipient,
  delivery,
}) => {
  await delivery.accept();
  const page = await TrackingPage.open(recipient, delivery.path);
  await expect(page.live).toHaveText('Live');
  let answer: () => void = () => undefined;
  const isTyped = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await recipient.route(`**${delivery.path}`, async (route) => {
    const response = await route.fetch();
    await isTyped;
    await route.fulfill({ response });
  });
  await page.tell('Come another time', 'After four');
  await expect(page.yourNote).toContainText('After four');
  await page.text.fill('Or tomorrow');
  // The answer on its way is older than this.
  await delivery.record('picked_up');
  await expect(page.stage).toHaveText('It is on its way to you');
  answer();
  await expect(page.note.getByRole('status')).toHaveText('The courier will see your note.');
  await expect(page.text).toHaveValue('Or tomorrow');
  await expect(page.stage).toHaveText('It is on its way to you');
});

test('the last note that is taken is confirmed, in place of its form @long', async ({
  recipient,
  delivery,
}) => {
  await delivery.accept();
  await delivery.record('picked_up');
  await delivery.record('attempt_failed', { reason: 'closed' });
  const page = await TrackingPage.open(recipient, delivery.path);
  const advice = recipient.locator('#stage');
  await expect(advice).toContainText('Tell the courier when, where or to whom');
  await expect(advice.getByRole('link', { name: 'Tell the courier' })).toBeVisible();
  for (let nth = 1; nth < 10; nth += 1) {
    await page.tell('Come another time', `After ${nth}`);
    await expect(page.text).toHaveValue('');
  }
  await expect(advice).toContainText('The courier will see your note.');
  await page.tell('Come another time', 'After ten');
  await expect(page.note.getByRole('status')).toHaveText('The courier will see your note.');
  await expect(page.send).toBeHidden();
  await expect(page.note).toContainText('No more notes can be left');
  await expect(page.note).toBeFocused();
  await expect(page.timeline.getByText('You left a note for the courier')).toHaveCount(1);
  await delivery.record('delivered', { proof: { code: delivery.pkg.dropoffCode ?? '' } });
  await expect(page.stage).toHaveText('Delivered');
  await expect(page.note).toBeHidden();
  await expect(page.yourNote).toHaveCount(0);
  await expect(recipient.getByText('You don’t have it, or it is damaged')).toBeVisible();
  await expect(recipient.getByText('While the courier has your package')).toBeHidden();
});

test('axe finds nothing on a small phone or at twice the text size @long', async ({
  recipient,
  delivery,
}) => {
  const page = await TrackingPage.open(recipient, delivery.path);
  await expect(page.live).toHaveText('Live');
  const setTextSize = (size: string) =>
    recipient.evaluate((fontSize) => {
      document.documentElement.style.fontSize = fontSize;
    }, size);
  const check = async (stage: string) => {
    await expect(page.stage).toHaveText(stage);
    for (const colorScheme of ['dark', 'light'] as const) {
      await recipient.emulateMedia({ colorScheme });
      expect.soft(await axeComplaints(recipient), `${stage}, ${colorScheme}`).toEqual([]);
    }
    expect.soft(await sticksOut(recipient), stage).toEqual([]);
    await setTextSize('200%');
    expect.soft(await axeComplaints(recipient), `${stage}, 200 %`).toEqual([]);
    expect.soft(await sticksOut(recipient), `${stage}, 200 %`).toEqual([]);
    expect.soft(await brokenWords(recipient), `${stage}, 200 %`).toEqual([]);
    const isWide = await recipient.evaluate(() => document.body.scrollWidth > innerWidth);
    expect.soft(isWide, `${stage}, 200 %: sideways`).toBe(false);
    await setTextSize('');
  };
  await check('Waiting for a courier');
  await delivery.accept();
  await delivery.record('picked_up');
  await page.tell('Come another time', 'Tomorrow after four');
  await expect(page.yourNote).toBeVisible();
  await check('It is on its way to you');
  await delivery.record('attempt_failed', { reason: 'recipient_unavailable' });
  await check('The courier couldn’t deliver it yet');
  const photoId = randomUUID();
  await delivery.storePhoto(photoId);
  const code = delivery.pkg.dropoffCode ?? '';
  await delivery.record('delivered', { proof: { code, photoIds: [photoId] } });
  await expect(page.photo).toBeVisible({ timeout: 20_000 });
  await check('Delivered');
  await recipient.goto('/t/unknown');
  await check('This link doesn’t work');
});
