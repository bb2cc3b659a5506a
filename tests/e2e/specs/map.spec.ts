/** The background map: SPEC.md section 2, DESIGN.md section 9. */
import { expect, MapPage, test } from '#tests/e2e/map-stage.ts';

test('the map comes to Home with its credit, and asks nobody else for anything', async ({
  phone,
  backstage,
  tiles,
  network,
}) => {
  const { page, context } = await phone();
  const strangers: string[] = [];
  context.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    const isOurs = [network.url, tiles.origin].includes(origin);
    if (protocol.startsWith('http') && !isOurs) strangers.push(request.url());
  });
  const map = new MapPage(page);
  await map.enter(await backstage.account('Customer', 'Amina'));
  // Visible, and under nothing: a trial press would say what is in its way.
  await map.credit.click({ trial: true });
  await expect(map.layer.getByRole('link', { name: /OpenStreetMap/ })).toHaveAttribute(
    'href',
    'https://www.openstreetmap.org/copyright',
  );
  await expect(map.layer.getByRole('button')).toHaveCount(0);
  // The map's zoom 13 counts tiles of 512 px, of which four of these make one; 12.0022, 8.5919.
  expect(tiles.asked).toContain('/raster/14/8583/7641.png');
  expect(tiles.asked.every((path) => path.startsWith('/raster/14/858'))).toBe(true);
  expect(strangers).toEqual([]);
});

test('the map moves under a finger, and leaves the sheet and the menu theirs', async ({
  phone,
  backstage,
  tiles,
}) => {
  const { page } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.account('Customer', 'Amina'));
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

test('the position that the browser gives is the middle, with its marker and words', async ({
  phone,
  backstage,
  tiles,
}) => {
  const { page, context } = await phone();
  await context.grantPermissions(['geolocation']);
  await context.setGeolocation({ latitude: 11.9, longitude: 8.5 });
  const map = new MapPage(page);
  await map.enter(await backstage.account('Customer', 'Amina'));
  await expect(map.popup).toBeVisible();
  const marker = map.layer.getByRole('img', { name: 'Your Current Location' });
  const [dot, popup] = [await marker.boundingBox(), await map.popup.boundingBox()];
  if (!dot || !popup) throw new Error('The marker or its popup has no place.');
  expect(popup.y + popup.height).toBeLessThanOrEqual(dot.y);
  expect(Math.abs(dot.x + dot.width / 2 - 206)).toBeLessThan(3);
  await expect.poll(() => tiles.asked).toContain('/raster/14/8578/7646.png');
});

test('a position that is denied leaves one line in the console and nothing else', async ({
  phone,
  backstage,
}) => {
  const { page } = await phone();
  const lines: string[] = [];
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`));
  const map = new MapPage(page);
  await map.enter(await backstage.account('Customer', 'Amina'));
  await expect.poll(() => lines).toContain('log: Could not retrieve location');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await expect(map.popup).toHaveCount(0);
});

test('nobody who has just arrived is asked where they are', async ({ phone }) => {
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

test('after one visit the map opens without a network at the tiles that were seen', async ({
  phone,
  backstage,
  tiles,
  network,
}) => {
  const { page, context } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.account('Customer', 'Amina'));
  const seen = new Set(tiles.asked);
  tiles.asked.length = 0;
  // Online once more: what is kept is not asked for.
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
