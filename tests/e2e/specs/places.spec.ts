/** Pins on packages: set offline by the sender, sorted by distance for the courier. */
import { enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { EditPackagePage } from '#tests/e2e/pages/edit-package-page.ts';
import { LocationPicker } from '#tests/e2e/pages/location-picker.ts';
import { PackageDetailPage } from '#tests/e2e/pages/package-detail-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

const here = { latitude: 12.0022, longitude: 8.5919 };

test('pins set offline are kept and sent later @long', async ({ installed, backstage, sender }) => {
  const packages = () => backstage.call(sender, 'GET', '/api/packages') as Promise<unknown>;
  const { page, context } = await installed(sender);
  const wizard = await WizardPage.open(page);
  await wizard.fillAddresses();
  await context.setOffline(true);

  const pickup = await LocationPicker.open(page, 'Exact Pickup Place');
  await pickup.set.click();
  await expect(pickup.dialog.getByRole('alert')).toHaveText(/^Use your position/);
  // An invalid place is reported at the field.
  await pickup.latitude.fill('91');
  await pickup.longitude.fill('8.5');
  await pickup.set.click();
  await expect(pickup.latitude).toHaveAccessibleDescription(/^Enter degrees such as/);
  // It stays in sight while it is corrected.
  await pickup.latitude.press('Control+a');
  await pickup.latitude.pressSequentially('12.0022');
  await expect(pickup.latitude).toHaveValue('12.0022');
  await expect(pickup.latitude).toBeFocused();
  await pickup.place('11.9954, 8.5124');
  const pickupPin = page.getByRole('group', { name: 'Exact Pickup Place' });
  await expect(pickupPin).toContainText('Exact place set');
  await expect(pickupPin.getByRole('button')).toBeFocused();

  // The other phone's position.
  await context.setGeolocation({ ...here, accuracy: 20 });
  await context.grantPermissions(['geolocation']);
  const delivery = await LocationPicker.open(page, 'Exact Delivery Place');
  await delivery.mine.click();
  await expect(delivery.latitude).toHaveValue('12.0022');
  await expect(delivery.dialog).toContainText('Your position, accurate to 20 m.');
  await delivery.set.click();
  await expect(page.getByRole('group', { name: 'Exact Delivery Place' })).toContainText(
    'Exact place set',
  );

  await page.reload();
  await expect(pickupPin).toContainText('Exact place set');
  await wizard.fillRest();
  await wizard.submit();
  await expect(page.getByText('Waiting to send').first()).toBeVisible();
  expect(await packages()).toEqual([]);

  await context.setOffline(false);
  await expect.poll(packages, { timeout: 30_000 }).toMatchObject([
    {
      pickupLocation: { lat: 11.9954, lng: 8.5124 },
      deliveryLocation: { lat: 12.0022, lng: 8.5919 },
    },
  ]);
});

test('packages are sorted by distance @long', async ({
  network,
  backstage,
  courier,
  page,
  context,
}) => {
  // Newest first would be the opposite: two, none, one.
  const at = (lng: number) => ({ pickupLocation: { lat: 12.0022, lng } });
  await backstage.packages(await backstage.sender('Zainab'), [
    { description: 'Qibla one', ...at(8.6) },
    { description: 'Qibla none' },
    { description: 'Qibla two', ...at(8.63) },
    // A list of three has no search and no order.
    { description: 'Anything else' },
  ]);
  await context.setGeolocation({ ...here, accuracy: 20 });
  await page.addInitScript(() => {
    const { geolocation } = navigator;
    const ask = geolocation.getCurrentPosition.bind(geolocation);
    geolocation.getCurrentPosition = (...given) => {
      Object.assign(window, { hasAsked: true });
      ask(...given);
    };
  });
  const deliveries = await (await enter(page, courier)).openDeliveries();
  await expect(deliveries.card('Qibla two')).toBeVisible();
  expect(await page.evaluate(() => 'hasAsked' in window)).toBe(false);

  // Denied: the list keeps its order and gives the reason.
  await context.clearPermissions();
  await deliveries.arrange({ 'Sort by': 'Nearest pickup' });
  await expect(page.getByText(/^(Location access is off|Couldn’t find)/)).toBeVisible();
  await expect(page.getByLabel('Sort by')).toHaveValue('');
  await expect(deliveries.tools).toContainText('Newest');
  await expect(page.getByText(/ away$/)).toHaveCount(0);

  await context.grantPermissions(['geolocation']);
  await deliveries.arrange({ 'Sort by': 'Nearest pickup' });
  await expect(deliveries.tools).toContainText('Nearest');
  await deliveries.search.fill('Qibla');
  await expect(deliveries.cards).toContainText([
    /Qibla one.*880 m away/s,
    /Qibla two.*4\.1 km away/s,
    /Qibla none/,
  ]);
  await expect(deliveries.card('Qibla none')).not.toContainText('away');
  // Once allowed, opening the list suffices.
  await page.reload();
  await expect(deliveries.card('Qibla one')).toContainText('880 m away');
  const said = [...network.received, ...network.bodies];
  expect(said.filter((text) => /12\.0022|8\.5919/.test(text))).toEqual([]);
});

test('one of two places with one pin brings its own address, and a double tap goes no further @long', async ({
  signedIn,
  backstage,
  sender,
}) => {
  const pickupLocation = { lat: 11.9954, lng: 8.5124 };
  await backstage.packages(sender, [
    { pickupAddress: 'Shop 1, Sabon Gari', pickupLocation },
    { pickupAddress: 'Shop 2, Sabon Gari', pickupLocation },
  ]);
  const { page } = await signedIn(sender);
  await WizardPage.open(page);
  await page.getByLabel('Delivery Address').fill('33 Hadejia Road');
  const picker = await LocationPicker.open(page, 'Exact Pickup Place');
  await picker.dialog.getByRole('button', { name: 'Shop 1' }).click();
  await picker.set.dblclick();
  await expect(page.getByLabel('Pickup Address')).toHaveValue('Shop 1, Sabon Gari');
  await expect(picker.dialog).toHaveCount(0);
  await expect(page.getByLabel('Delivery Address')).toBeVisible();

  // The other phone's position, which takes its time: the place is set once it is there.
  await page.evaluate(
    (coords) => {
      navigator.geolocation.getCurrentPosition = (onFound) => {
        const find = () => onFound({ coords, timestamp: Date.now() } as GeolocationPosition);
        Object.assign(window, { find });
      };
    },
    { ...here, accuracy: 20 },
  );
  const delivery = await LocationPicker.open(page, 'Exact Delivery Place');
  await delivery.mine.click();
  await delivery.set.click();
  await expect(delivery.dialog.getByRole('alert')).toHaveCount(0);
  await expect(delivery.set).toBeHidden();
  await page.evaluate(() => (window as unknown as { find(): void }).find());
  await expect(delivery.dialog).toHaveCount(0);
  await expect(page.getByRole('group', { name: 'Exact Delivery Place' })).toContainText(
    'Exact place set',
  );
});

test('pins are moved and removed in the form @long', async ({ signedIn, backstage, sender }) => {
  const { _id: id } = await backstage.package(sender, {
    pickupLocation: { lat: 11.9954, lng: 8.5124 },
    deliveryLocation: { lat: 11.9702, lng: 8.5434 },
  });
  const { page } = await signedIn(sender);
  const shipment = (await PackageDetailPage.open(page, id)).card('Shipment');
  const mapOf = (label: string) =>
    shipment.getByRole('link', { name: `Open ${label} in the map app` });
  await expect(mapOf('Pickup Address')).toHaveAttribute('href', /query=11\.9954%2C8\.5124$/);

  const edit = await EditPackagePage.open(page, id);
  await (await LocationPicker.open(page, 'Exact Pickup Place')).place('12.0003 8.5252');
  await (await LocationPicker.open(page, 'Exact Delivery Place')).clear.click();
  // The unsaved input is kept like any other.
  await page.reload();
  await expect(page.getByRole('group', { name: 'Exact Delivery Place' })).toContainText(
    'Set exact place',
  );
  await edit.save.click();
  await expect(page).toHaveURL(/\/package-detail\//);
  await expect(mapOf('Pickup Address')).toHaveAttribute('href', /query=12\.0003%2C8\.5252$/);
  await expect(mapOf('Delivery Address')).toHaveAttribute('href', /query=4%20Zoo%20Road/);
  await expect
    .poll(() => backstage.call(sender, 'GET', `/api/packages/${id}`))
    .toMatchObject({ pickupLocation: { lat: 12.0003, lng: 8.5252 }, deliveryLocation: null });
});
