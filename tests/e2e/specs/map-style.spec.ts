/** A deployment's own style: vector tiles instead of raster ones, from the same setting. */
import { expect, MapPage, mapTest } from '#tests/e2e/map-stage.ts';

const test = mapTest((tiles) => ({ TILE_STYLE_URL: tiles.styleUrl, TILE_ATTRIBUTION: '© Kano' }));

test('a vector style works, offline too @long', async ({ phone, backstage, network, tiles }) => {
  const { page, context } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  await expect(map.layer.getByText('© Kano')).toBeVisible();
  // The style's credit: its link, and no other markup.
  const credit = map.layer.getByRole('link', { name: 'City' });
  await expect(credit).toHaveAttribute('href', 'https://city.example');
  await expect(credit).not.toHaveAttribute('onclick');
  await expect(map.layer.locator('style')).toHaveCount(0);
  // Vector tiles are 512 px: one of zoom 12 covers four raster tiles of zoom 13.
  const vector = tiles.asked.filter((path) => path.startsWith('/vector/'));
  expect(vector).toContain('/vector/12/2145/1910.pbf');
  expect(vector.filter((path) => !path.startsWith('/vector/12/'))).toEqual([]);
  expect(tiles.asked.some((path) => path.startsWith('/raster/'))).toBe(false);
  tiles.asked.length = 0;
  await context.setOffline(true);
  await network.close();
  await page.reload();
  await map.isShown();
  expect(tiles.asked).toEqual([]);
});

test('a style that fails to load leaves the drawing @long', async ({ phone, backstage, tiles }) => {
  tiles.fault = 404;
  const { page } = await phone();
  const map = new MapPage(page);
  await map.signIn(await backstage.sender());
  await expect.poll(() => tiles.asked).toEqual(['/style.json']);
  await expect(map.layer).toHaveCount(0);
});
