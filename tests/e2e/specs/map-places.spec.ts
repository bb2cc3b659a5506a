import { expect, MapPage, test } from '#tests/e2e/map-stage.ts';
import { LocationPicker } from '#tests/e2e/pages/location-picker.ts';

/** In the middle of the initially visible map, clear of the sheet. */
const kano = { lat: 12.0022, lng: 8.5919 };

test('only a sender’s own package is a marker @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const other = await backstage.sender('Ladi');
  const made = await backstage.package(sender, { pickupLocation: kano });
  await backstage.packages(other, [{ deliveryLocation: kano }]);
  const { page } = await phone();
  const map = new MapPage(page);
  await map.enter(sender);
  const marker = map.layer.getByRole('button', { name: `${made.packageId}, pickup: 12 Kofar` });
  await expect(marker).toBeVisible();
  await expect(map.layer.getByRole('button')).toHaveCount(1);
  await marker.click();
  await expect(page).toHaveURL(`/package-detail/${made._id}`);
  await expect(page.getByRole('heading', { name: 'Package Details' })).toBeFocused();
  // Elsewhere there are none: a covered map is not updated.
  await expect(map.layer.getByRole('button')).toHaveCount(0);
  await page.goBack();
  await expect(marker).toBeVisible();
});

test('a pin is dropped, moved by keys and confirmed', async ({ phone, backstage, tiles }) => {
  const { page } = await phone();
  const map = new MapPage(page);
  await map.enter(await backstage.sender());
  await page.goto('/new-package');
  const picker = await LocationPicker.open(page, 'Pickup Pin');
  const chart = picker.dialog.getByRole('region', { name: /^Map for Pickup Pin/ });
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
  await expect(page.getByRole('group', { name: 'Pickup Pin' })).not.toContainText('11.97');
  await picker.set.click();
  await expect(page.getByRole('group', { name: 'Pickup Pin' })).toContainText('11.97020, 8.54340');
});
