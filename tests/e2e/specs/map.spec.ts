import { expect, MapPage, test } from '#tests/e2e/map-stage.ts';

test('the map shows credit and tiles, offline too', async ({
  phone,
  backstage,
  network,
  tiles,
}) => {
  const { page, context } = await phone();
  const strangers: string[] = [];
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOurs = [network.url, tiles.origin].includes(origin);
    if (protocol.startsWith('http') && !isOurs) strangers.push(request.url());
  });
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  // Visible and not covered: a trial click would report what covers it.
  await map.credit.click({ trial: true });
  await expect(map.layer.getByRole('link', { name: /OpenStreetMap/ })).toHaveAttribute(
    'href',
    'https://www.openstreetmap.org/copyright',
  );
  await expect(map.layer.getByRole('button')).toHaveCount(0);
  // 12.0022, 8.5919 at zoom 13 as a slippy-map tile.
  expect(tiles.asked).toContain('/raster/13/4291/3820.png');
  expect(tiles.asked.filter((path) => !path.startsWith('/raster/13/429'))).toEqual([]);
  expect(strangers).toEqual([]);

  // Viewed tiles are cached: not requested again online, and available offline.
  const seen = new Set(tiles.asked);
  tiles.asked.length = 0;
  await page.reload();
  await map.isShown();
  expect(tiles.asked.filter((path) => seen.has(path))).toEqual([]);
  await context.setOffline(true);
  await network.close();
  tiles.asked.length = 0;
  await page.reload();
  await map.isShown();
  await expect(map.credit).toBeVisible();
  expect(tiles.asked).toEqual([]);
});

test('HTML and scripts from text are blocked', async ({ phone, backstage }) => {
  const { page } = await phone();
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

  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  await expect(map.credit).toBeVisible();
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

test('the map moves under a finger', async ({ phone, backstage, tiles }) => {
  const { page } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  const before = new Set(tiles.asked);
  await page.mouse.move(200, 300);
  await page.mouse.down();
  await page.mouse.move(200, 120, { steps: 6 });
  await page.mouse.move(200, 100);
  await page.mouse.up();
  await expect.poll(() => tiles.asked.some((path) => !before.has(path))).toBe(true);
  await page.getByRole('button', { name: 'Open menu' }).click();
  await expect(page.getByRole('dialog', { name: 'Menu' })).toBeVisible();
  await expect(map.layer).toHaveAttribute('inert', '');
});

test('the position is the centre of the map @long', async ({ phone, backstage, tiles }) => {
  const { page, context } = await phone();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 11.9, longitude: 8.5 });
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  await expect(map.popup).toBeVisible();
  const marker = map.layer.getByRole('img', { name: 'Your Current Location' });
  const [dot, popup] = [await marker.boundingBox(), await map.popup.boundingBox()];
  if (!dot || !popup) throw new Error('The marker or its popup has no place.');
  expect(popup.y + popup.height).toBeLessThanOrEqual(dot.y);
  expect(Math.abs(dot.x + dot.width / 2 - 206)).toBeLessThan(3);
  await expect.poll(() => tiles.asked).toContain('/raster/13/4289/3823.png');
  expect(tiles.asked.filter((path) => !path.startsWith('/raster/13/'))).toEqual([]);
});

test('a denied position leaves one console line @long', async ({ phone, backstage }) => {
  const { page } = await phone();
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  await expect.poll(() => lines).toContain('log: Could not retrieve location');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(map.popup).toHaveCount(0);
});

test('a new user is not asked for their position @long', async ({ phone }) => {
  const { page } = await phone();
  await page.addInitScript(() => {
    navigator.geolocation.getCurrentPosition = () => {
      document.title = 'asked';
    };
  });
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.goto('/auth');
  await new MapPage(page).isShown();
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible();
  await expect(page).not.toHaveTitle('asked');
});
