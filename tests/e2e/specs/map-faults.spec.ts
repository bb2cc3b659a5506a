import { longUnless } from '#tests/e2e/kaya.ts';
import { expect, MapPage, test } from '#tests/e2e/map-stage.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import type { TileFault } from '#tests/fakes/tile-server.ts';

/** Requests for a view of this size plus margin; more would be a retry loop. */
const mostAsked = 24;

for (const fault of ['no-cors', 404, 429, 'down', 'hangs'] satisfies TileFault[]) {
  test(`tiles: ${fault}`, longUnless(fault === 'down'), async ({ phone, backstage, tiles }) => {
    tiles.fault = fault;
    const { page } = await phone();
    const errors: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    const map = new MapPage(page);
    await map.signIn(await backstage.sender());
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(0);
    if (fault !== 'hangs') await expect(map.layer).toHaveCount(0);
    else await expect(map.layer).toHaveAttribute('data-shown', 'false');
    await new HomePage(page).openSheet();
    await expect(page.getByLabel('Pickup Address')).toBeEditable();
    expect(tiles.asked.length).toBeLessThanOrEqual(mostAsked);
    expect(errors.length).toBeLessThanOrEqual(mostAsked);
    const kept = await page.evaluate(async () => {
      const cache = await caches.open('kaya-tiles');
      return (await cache.keys()).length;
    });
    expect(kept).toBe(0);
  });
}

test('the map returns once its service is back', async ({ phone, backstage, tiles }) => {
  tiles.fault = 'down';
  const { page, context } = await phone();
  const map = new MapPage(page);
  await map.signIn(await backstage.sender());
  await expect.poll(() => tiles.asked.length).toBeGreaterThan(0);
  await expect(map.layer).toHaveCount(0);
  tiles.fault = 'none';
  await context.setOffline(true);
  await context.setOffline(false);
  await map.isShown();
});

test('the tile cache stays within its limit @long', async ({ phone, backstage, tiles }) => {
  const { page } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  const count = () =>
    page.evaluate(async () => (await (await caches.open('kaya-tiles')).keys()).length);
  await page.evaluate(async (template) => {
    for (let x = 0; x < 830; x += 1) {
      const path = template.replace('{z}', '15').replace('{x}', String(x)).replace('{y}', '1');
      await fetch(path);
    }
  }, tiles.template);
  await expect.poll(count).toBe(800);
  // The newest are kept.
  const newest = tiles.template.replace('{z}/{x}/{y}', '15/829/1');
  expect(await page.evaluate(async (url) => (await caches.match(url)) !== undefined, newest)).toBe(
    true,
  );
});
