/** Sharing where a courier is: their switch, what it sends, and what dispatchers see of it. */
import type { BrowserContext, Page } from '@playwright/test';
import type { CourierPosition } from '#contract/position.ts';
import { type Account, admin, type Backstage } from '#tests/e2e/backstage.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const here = { latitude: 12.0022, longitude: 8.5919, accuracy: 20 };

const switchOf = (page: Page) => page.getByRole('checkbox', { name: 'Share my position' });
const sharing = (page: Page) => page.getByRole('link', { name: /^Sharing your position/ });

async function placeOf(backstage: Backstage, { id }: Account) {
  const all = await backstage.call<CourierPosition[]>(admin, 'GET', '/api/positions');
  const found = all.find(({ courierId }) => courierId === id);
  return found ? { lat: found.lat, lng: found.lng, accuracy: found.accuracy } : null;
}

async function allow(context: BrowserContext): Promise<void> {
  await context.setGeolocation(here);
  await context.grantPermissions(['geolocation']);
}

/** Notes whether a page watches its position, before it opens. */
async function noteWatches(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const { geolocation } = navigator;
    const watch = geolocation.watchPosition.bind(geolocation);
    const clear = geolocation.clearWatch.bind(geolocation);
    const note = (isWatching: boolean) => Object.assign(window, { isWatching });
    geolocation.watchPosition = (...given) => {
      note(true);
      return watch(...given);
    };
    geolocation.clearWatch = (id) => {
      note(false);
      clear(id);
    };
  });
}
const isWatching = (page: Page) =>
  page.evaluate(() => 'isWatching' in window && window.isWatching === true);

test('a courier shares where they are, and ends it', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  await backstage.accept(courier, packages[0]);
  const { page, context } = await signedIn(courier, '/account');
  await context.clearPermissions();
  await switchOf(page).click();
  await expect(
    page.getByText(/^(Location access is off|Couldn’t find your location)/),
  ).toBeVisible();
  await expect(switchOf(page)).not.toBeChecked();
  await allow(context);
  await expect(switchOf(page)).toHaveAccessibleDescription(
    'Recipients of what you carry and dispatchers see where you are while Kaya is open. Only while you carry something, and it’s forgotten after 10 minutes.',
  );
  expect(await placeOf(backstage, courier)).toBeNull();

  await switchOf(page).check();
  await expect(sharing(page)).toBeVisible();
  const first = { lat: here.latitude, lng: here.longitude, accuracy: here.accuracy };
  await expect.poll(() => placeOf(backstage, courier)).toEqual(first);

  // It stands on every screen.
  await page.goto('/delivery/in-transit');
  await sharing(page).click();
  await switchOf(page).uncheck();
  await expect(sharing(page)).toHaveCount(0);
  await expect.poll(() => placeOf(backstage, courier)).toBeNull();
});

test('a position is read of its own courier while something is carried, in all tabs @long', async ({
  signedIn,
  backstage,
}) => {
  const { courier, sender, packages } = await backstage.offers(1);
  await backstage.accept(courier, packages[0]);
  const { page, context } = await signedIn(courier, '/account');
  await noteWatches(context);
  await allow(context);
  await page.reload();
  await switchOf(page).check();
  await expect.poll(() => placeOf(backstage, courier)).not.toBeNull();
  expect(await isWatching(page)).toBe(true);

  const other = await context.newPage();
  await other.goto('/account');
  await expect(sharing(other)).toBeVisible();
  await switchOf(other).uncheck();
  await expect(sharing(page)).toHaveCount(0);
  await expect(switchOf(page)).not.toBeChecked();
  await expect.poll(() => placeOf(backstage, courier)).toBeNull();
  await other.close();
  await switchOf(page).check();
  await expect.poll(() => placeOf(backstage, courier)).not.toBeNull();

  const body = { deliveryStatus: 'Delivered' };
  await backstage.call(sender, 'PATCH', `/api/packages/${packages[0]._id}`, body);
  expect(await placeOf(backstage, courier)).toBeNull();
  await comeBack(page);
  await expect(page.getByText('Position on, not shared now')).toBeVisible();
  await expect.poll(() => isWatching(page)).toBe(false);
  await expect(switchOf(page)).toBeChecked();

  // What another courier chose on this phone.
  await page.evaluate(() => localStorage.setItem('positionSharer', 'another'));
  await page.reload();
  await expect(switchOf(page)).not.toBeChecked();
  await expect(
    page.getByText(/position/i).filter({ hasText: /^(Sharing|Position on)/ }),
  ).toHaveCount(0);
});
