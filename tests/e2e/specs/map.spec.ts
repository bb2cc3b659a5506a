/** The map behind Home, with a tile service beside the server. */
import type { Page } from '@playwright/test';
import { admin, nameOf } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import { test as base, expect } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import { LocationPicker } from '#tests/e2e/pages/location-picker.ts';
import { rasterEnv, tileServer } from '#tests/e2e/tiles.ts';
import type { TileFault, TileServer } from '#tests/fakes/tile-server.ts';

/** Requests for a view of this size plus margin; more would be a retry loop. */
const mostAsked = 24;

/** In the middle of the initially visible map, clear of the sheet. */
const kano = { lat: 12.0022, lng: 8.5919 };

const test = base.extend<{ tiles: TileServer }, { tileServer: TileServer }>({
  tileServer: [tileServer, { scope: 'worker' }],
  serverEnv: [rasterEnv, { scope: 'worker' }],
  // Also for tests that do not use it: the previous test may have left a fault.
  tiles: [
    async ({ tileServer: tiles }, use) => {
      Object.assign(tiles, { fault: 'none', asked: [], maxAgeSeconds: 3600 });
      await use(tiles);
    },
    { auto: true },
  ],
});
/** A deployment's own style: vector tiles instead of raster ones, from the same setting. */
const styleTest = test.extend({
  serverEnv: [
    async ({ tileServer: tiles }, use) =>
      use({ TILE_STYLE_URL: tiles.styleUrl, TILE_ATTRIBUTION: '© Kano' }),
    { scope: 'worker' },
  ],
});

const mapOf = (page: Page) => page.getByTestId('map');
const creditOf = (page: Page) => mapOf(page).getByText('OpenStreetMap');

/** Until tiles are visible. */
const untilShown = (page: Page) =>
  expect(mapOf(page)).toHaveAttribute('data-shown', 'true', { timeout: 30_000 });

const cachedTiles = (page: Page) =>
  page.evaluate(async () => (await (await caches.open('kaya-tiles')).keys()).length);

test('the map has credit, moves, works offline', async ({ network, tiles, sender, page }) => {
  const context = page.context();
  const strangers: string[] = [];
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOurs = [network.url, tiles.origin].includes(origin);
    if (protocol.startsWith('http') && !isOurs) strangers.push(request.url());
  });
  await enter(page, sender);
  await untilShown(page);
  // Visible and not covered: a trial click would report what covers it.
  await creditOf(page).click({ trial: true });
  await expect(mapOf(page).getByRole('link', { name: /OpenStreetMap/ })).toHaveAttribute(
    'href',
    'https://www.openstreetmap.org/copyright',
  );
  await expect(mapOf(page).getByRole('button')).toHaveCount(0);
  // 12.0022, 8.5919 at zoom 13 as a slippy-map tile.
  expect(tiles.asked).toContain('/raster/13/4291/3820.png');
  expect(tiles.asked.filter((path) => !path.startsWith('/raster/13/429'))).toEqual([]);
  expect(strangers).toEqual([]);

  // Viewed tiles are cached: not requested again online, and available offline.
  const seen = new Set(tiles.asked);
  tiles.asked.length = 0;
  await page.reload();
  await untilShown(page);
  expect(tiles.asked.filter((path) => seen.has(path))).toEqual([]);
  await page.mouse.move(200, 300);
  await page.mouse.down();
  await page.mouse.move(200, 120, { steps: 6 });
  await page.mouse.move(200, 100);
  await page.mouse.up();
  await expect.poll(() => tiles.asked.some((path) => !seen.has(path))).toBe(true);
  await new HomePage(page).openSidebar();
  await expect(mapOf(page)).toHaveAttribute('inert', '');
  await context.setOffline(true);
  await network.close();
  tiles.asked.length = 0;
  await page.reload();
  await untilShown(page);
  await expect(creditOf(page)).toBeVisible();
  expect(tiles.asked).toEqual([]);
});

test('HTML and scripts from text are blocked @long', async ({ sender, page }) => {
  const violations: string[] = [];
  await page.exposeFunction('noteViolation', (what: string) => violations.push(what));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, sample }) => {
      const { noteViolation } = window as unknown as { noteViolation(what: string): void };
      noteViolation(`${violatedDirective} ${sample}`);
    });
  });
  await page.goto('/auth');
  const write = () =>
    page.evaluate(() => {
      document.createElement('div').innerHTML = '<img src="x" onerror="alert(1)">';
    });
  await expect(write()).rejects.toThrow(/TrustedHTML/);
  await expect
    .poll(() => violations)
    .toEqual([expect.stringMatching(/^require-trusted-types-for/)]);
  violations.length = 0;

  await enter(page, sender);
  await expect(creditOf(page)).toBeVisible();
  expect(await page.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toMatch(
    /\/sw\.js$/,
  );
  expect(violations).toEqual([]);
  // The map library may insert credits.
  const written = await page.evaluate(() => {
    const element = document.createElement('div');
    element.innerHTML = '<a href="https://city.example" onclick="x()">City</a><img src="x">';
    return element.innerHTML;
  });
  expect(written).toBe('<a href="https://city.example" target="_blank" rel="noopener">City</a>');
  const begin = () => page.evaluate(() => new Worker('/assets/other.js'));
  await expect(begin()).rejects.toThrow(/TrustedScriptURL/);
});

for (const fault of ['no-cors', 'down', 'hangs'] satisfies TileFault[]) {
  test(`tiles: ${fault} @long`, async ({ tiles, sender, page }) => {
    tiles.fault = fault;
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await enter(page, sender);
    await expect.poll(() => tiles.asked.length, { timeout: 30_000 }).toBeGreaterThan(0);
    if (fault === 'hangs') await expect(mapOf(page)).toHaveAttribute('data-shown', 'false');
    else await expect(mapOf(page)).toHaveCount(0);
    await new HomePage(page).openSheet();
    await expect(page.getByLabel('Pickup Address')).toBeEditable();
    expect(tiles.asked.length).toBeLessThanOrEqual(mostAsked);
    expect(errors.length).toBeLessThanOrEqual(mostAsked);
    expect(await cachedTiles(page)).toBe(0);

    if (fault !== 'down') return;
    await page.keyboard.press('Escape');
    tiles.fault = 'none';
    // Not `setOffline`: it returns the network to the page before the worker, which loads the tiles.
    await page.evaluate(() => window.dispatchEvent(new Event('online')));
    await untilShown(page);
  });
}

test('the tile cache stays within its limit @long', async ({ tiles, sender, page }) => {
  await enter(page, sender);
  await untilShown(page);
  await page.evaluate(async (template) => {
    for (let x = 0; x < 830; x += 1) {
      const path = template.replace('{z}', '15').replace('{x}', String(x)).replace('{y}', '1');
      await fetch(path);
    }
  }, tiles.template);
  await expect.poll(() => cachedTiles(page)).toBe(800);
  // The newest are kept.
  const newest = tiles.template.replace('{z}/{x}/{y}', '15/829/1');
  expect(await page.evaluate(async (url) => (await caches.match(url)) !== undefined, newest)).toBe(
    true,
  );
});

test('the position is the centre of the map; its name covers no pin and goes @long', async ({
  backstage,
  tiles,
  sender,
  page,
  context,
}) => {
  // The pin lies where the name of the position opens, above the dot.
  const { packageId, _id } = await backstage.package(sender, {
    pickupLocation: { ...kano, lat: kano.lat + 0.003 },
  });
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: kano.lat, longitude: kano.lng });
  await enter(page, sender);
  await untilShown(page);
  const popup = mapOf(page).getByText('Your Current Location');
  await expect(popup).toBeVisible();
  const dot = await mapOf(page).getByRole('img', { name: 'Your Current Location' }).boundingBox();
  expect(Math.abs((dot?.x ?? 0) + (dot?.width ?? 0) / 2 - 206)).toBeLessThan(3);
  expect(tiles.asked.filter((path) => !path.startsWith('/raster/13/'))).toEqual([]);
  const pin = mapOf(page).getByRole('button', { name: `${packageId}, pickup` });
  const [under, over] = [await pin.boundingBox(), await popup.boundingBox()];
  if (!under || !over) throw new Error('The pin or the name has no place.');
  expect(over.y).toBeLessThan(under.y + under.height / 2);
  expect(over.y + over.height).toBeGreaterThan(under.y + under.height / 2);
  await pin.click();
  await expect(page).toHaveURL(`/package-detail/${_id}`);
  await page.goBack();

  await expect(popup).toHaveCount(0, { timeout: 15_000 });
  await mapOf(page).getByRole('img', { name: 'Your Current Location' }).click();
  await expect(popup).toBeVisible();
  await expect(popup).toHaveCount(0, { timeout: 15_000 });
});

test('a position is asked for after the sign-in; denied, it leaves a console line @long', async ({
  sender,
  page,
  tiles,
}) => {
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  await page.addInitScript(() => {
    const { geolocation } = navigator;
    const ask = geolocation.getCurrentPosition.bind(geolocation);
    geolocation.getCurrentPosition = (...given) => {
      Object.assign(window, { hasAsked: true });
      ask(...given);
    };
  });
  const phone = page.viewportSize();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/auth');
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  expect(await page.evaluate(() => 'hasAsked' in window)).toBe(false);
  // No screen of theirs shows a map.
  expect(tiles.asked).toEqual([]);
  if (phone) await page.setViewportSize(phone);
  await enter(page, sender);
  await expect.poll(() => lines).toContain('log: Could not retrieve location');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(mapOf(page).getByText('Your Current Location')).toHaveCount(0);
});

test('beside a list, the map shows the package that is open @long', async ({
  backstage,
  sender,
  page,
}) => {
  const near = { lat: 12.0022, lng: 8.5919 };
  const far = { lat: 12.4, lng: 9.1 };
  const [first, second] = await backstage.packages(sender, [
    { description: 'Near.', pickupLocation: near },
    { description: 'Far.', pickupLocation: far, deliveryLocation: { lat: 12.41, lng: 9.12 } },
  ]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await enter(page, sender, '/tracking');
  await untilShown(page);
  const pin = (number: string | undefined, kind: string) =>
    mapOf(page).getByRole('button', { name: `${number}, ${kind}:` });
  await expect(pin(first?.packageId, 'pickup')).toBeVisible();
  const open = (text: string) =>
    page
      .getByRole('article')
      .filter({ hasText: text })
      .getByRole('link', { name: 'View Details' })
      .click();
  await open('Far.');
  await expect(pin(second?.packageId, 'pickup')).toBeInViewport();
  await expect(pin(second?.packageId, 'delivery')).toBeInViewport();
  await expect(pin(second?.packageId, 'delivery')).toHaveAttribute('aria-current', 'true');
  await expect(pin(first?.packageId, 'pickup')).not.toBeInViewport();

  // A pin opens its package in the place of the other.
  await open('Near.');
  await expect(pin(first?.packageId, 'pickup')).toBeInViewport();
  await page.goBack();
  await expect(page).toHaveURL('/tracking');
  await pin(first?.packageId, 'pickup').click();
  await expect(page).toHaveURL(`/package-detail/${first?._id}`);
});

const far = { lat: 12.4, lng: 9.1 };

/** The map in the detail's card shows the package. */
async function expectInCard(page: Page, packageId: string) {
  await untilShown(page);
  const card = page.getByRole('main').getByTestId('map');
  const pin = card.getByRole('button', { name: `${packageId}, pickup:` });
  const isInside = async () => {
    const [outer, inner] = [await card.boundingBox(), await pin.boundingBox()];
    if (!outer || !inner) return false;
    const [x, y] = [inner.x + inner.width / 2 - outer.x, inner.y + inner.height - outer.y];
    return x > 0 && y > 0 && x < outer.width && y < outer.height;
  };
  await expect.poll(isInside).toBe(true);
}

test('a dispatcher’s detail has its map, opened by its address, and Home’s has the courier', async ({
  backstage,
  sender,
  courier,
  page,
}) => {
  const pkg = await backstage.package(sender, { pickupLocation: far });
  await backstage.accept(courier, pkg);
  await backstage.call(courier, 'PUT', '/api/position', { ...kano, accuracy: 20 });
  await page.setViewportSize({ width: 1280, height: 800 });
  await enter(page, admin, `/package-detail/${pkg._id}`);
  await expectInCard(page, pkg.packageId);
  const card = page.getByRole('region', { name: 'Delivery Personnel', exact: true });
  await expect(card).toContainText('Seen just now, accurate to 20 m');
  await expect(card.getByRole('link', { name: 'Show on a map' })).toHaveAttribute(
    'href',
    /12\.0022(,|%2C)8\.5919/,
  );
  await page.reload();
  await expectInCard(page, pkg.packageId);

  await page.setViewportSize({ width: 412, height: 915 });
  await page.goto('/');
  await untilShown(page);
  const marker = mapOf(page).getByRole('button', { name: `${nameOf(courier)}, seen just now` });
  await marker.click();
  await expect(page).toHaveURL(new RegExp(`/edit-user/${courier.id}$`));
});

for (const [role, width] of [
  ['sender', 1280],
  ['courier', 1920],
] as const) {
  test(`a ${role}’s detail at ${width} px, reached in any way @long`, async ({
    backstage,
    sender,
    page,
    context,
  }) => {
    const { packageId, _id } = await backstage.package(sender, { pickupLocation: far });
    const courier = await backstage.courier();
    await backstage.accept(courier, { _id });
    const [viewer, list] = {
      sender: [sender, '/tracking/in-transit'] as const,
      courier: [courier, '/delivery/in-transit'] as const,
    }[role];
    // Where the viewer is has no say.
    await context.grantPermissions(['geolocation']);
    await context.setGeolocation({ latitude: kano.lat, longitude: kano.lng });
    await page.setViewportSize({ width, height: 900 });
    await test.step('from the list', async () => {
      await enter(page, viewer, list);
      await page.locator(`a[href="/package-detail/${_id}"]`).first().click();
      await expectInCard(page, packageId);
    });
    await test.step('by a reload', async () => {
      await page.reload();
      await expectInCard(page, packageId);
    });
    await test.step('by Back', async () => {
      await page.goto('/account');
      await page.goBack();
      await expectInCard(page, packageId);
    });
    await test.step('after the position was found at Home', async () => {
      await page.goto('/');
      await untilShown(page);
      await expect(mapOf(page).getByRole('img', { name: 'Your Current Location' })).toBeVisible();
      await page.goBack();
      await expectInCard(page, packageId);
    });
  });
}

test('a pin is dropped, moved by keys and confirmed', async ({ sender, page, tiles }) => {
  await enter(page, sender, '/new-package');
  const picker = await LocationPicker.open(page, 'Exact Pickup Place');
  const chart = picker.dialog.getByRole('region', { name: /^Map for Exact Pickup Place/ });
  await expect(chart).toBeVisible();
  const latitude = async () => Number(await picker.latitude.inputValue());
  const longitude = async () => Number(await picker.longitude.inputValue());

  const box = await chart.boundingBox();
  if (!box) throw new Error('The map has no place.');
  await chart.click({ position: { x: box.width / 2 + 40, y: box.height / 2 } });
  // Slightly east of the initial position.
  await expect.poll(longitude).toBeGreaterThan(kano.lng + 0.001);
  expect(await longitude()).toBeLessThan(kano.lng + 0.02);
  const before = await latitude();
  await chart.focus();
  await page.keyboard.press('ArrowUp');
  await expect.poll(latitude).toBeGreaterThan(before);
  await expect(picker.dialog.getByRole('status').filter({ hasText: 'Pin at' })).toBeVisible();
  expect(tiles.asked.filter((path) => !path.startsWith('/raster/13/'))).toEqual([]);

  // Typed coordinates are shown on the map, and set only on confirmation.
  await picker.latitude.fill('11.9702, 8.5434');
  await expect(
    picker.dialog.getByRole('img', { name: 'Pin at 11.97020, 8.54340' }),
  ).toBeInViewport();
  const pin = page.getByRole('group', { name: 'Exact Pickup Place' });
  await expect(pin).not.toContainText('Exact place set');
  await picker.set.click();
  await expect(pin).toContainText('Exact place set');
  await pin.getByRole('button').click();
  await expect(picker.latitude).toHaveValue('11.9702');
});

styleTest('a vector style works, offline too @long', async ({ network, tiles, sender, page }) => {
  await enter(page, sender);
  await untilShown(page);
  await expect(mapOf(page).getByText('© Kano')).toBeVisible();
  // The style's credit: its link, and no other markup.
  const credit = mapOf(page).getByRole('link', { name: 'City' });
  await expect(credit).toHaveAttribute('href', 'https://city.example');
  await expect(credit).not.toHaveAttribute('onclick');
  await expect(mapOf(page).locator('style')).toHaveCount(0);
  // Vector tiles are 512 px: one of zoom 12 covers four raster tiles of zoom 13.
  const vector = tiles.asked.filter((path) => path.startsWith('/vector/'));
  expect(vector).toContain('/vector/12/2145/1910.pbf');
  expect(vector.filter((path) => !path.startsWith('/vector/12/'))).toEqual([]);
  expect(tiles.asked.some((path) => path.startsWith('/raster/'))).toBe(false);
  tiles.asked.length = 0;
  await page.context().setOffline(true);
  await network.close();
  await page.reload();
  await untilShown(page);
  expect(tiles.asked).toEqual([]);
});

styleTest('a style that fails leaves plain ground @long', async ({ sender, page, tiles }) => {
  tiles.fault = 404;
  await enter(page, sender);
  await expect.poll(() => tiles.asked).toEqual(['/style.json']);
  await expect(mapOf(page)).toHaveCount(0);
});
