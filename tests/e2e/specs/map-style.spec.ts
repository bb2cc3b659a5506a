/** A deployment's own style: vector tiles in place of pictures, from the same one setting. */
import { expect, MapPage, mapTest } from '#tests/e2e/map-stage.ts';

const test = mapTest((tiles) => ({ TILE_STYLE_URL: tiles.styleUrl, TILE_ATTRIBUTION: '© Kano' }));

test('a vector style works, offline too @long', async ({ phone, backstage, network, tiles }) => {
  const { page, context } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  await expect(map.layer.getByText('© Kano')).toBeVisible();
  // The style's own credit: its link, and nothing that could touch the page.
  const credit = map.layer.getByRole('link', { name: 'City' });
  await expect(credit).toHaveAttribute('href', 'https://city.example');
  await expect(credit).not.toHaveAttribute('onclick');
  await expect(map.layer.locator('style')).toHaveCount(0);
  // Vector tiles are 512 px: one of zoom 12 shows what four pictures of zoom 13 do.
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

test('a style that does not come leaves the drawing @long', async ({ phone, backstage, tiles }) => {
  tiles.fault = 404;
  const { page } = await phone();
  const map = new MapPage(page);
  await map.signIn(await backstage.sender());
  await expect.poll(() => tiles.asked).toEqual(['/style.json']);
  await expect(map.layer).toHaveCount(0);
});
