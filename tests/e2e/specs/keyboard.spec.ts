/**
 * The whole main job by keyboard: after every step focus is on a sensible element, and toasts are
 * in a live region. Sheet and sidebar: home.spec.ts; the courier picker: dispatch.spec.ts.
 */
import type { Page } from '@playwright/test';
import { spoken } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { Keyboard } from '#tests/e2e/keyboard.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';

test.use({ hasServiceWorker: false });

const partsOf = (page: Page) => ({
  label: (name: string) => page.getByLabel(name),
  button: (name: string) => page.getByRole('button', { name, exact: true }),
  heading: (name: string) => page.getByRole('heading', { name, exact: true }),
});

test('a sender does everything by keyboard @long', async ({ sender, page }) => {
  const keys = new Keyboard(page);
  const { label, button, heading } = partsOf(page);

  await test.step('the splash and sign-in', async () => {
    await page.goto('/auth');
    await expect(page.getByText('Your ride to faster deliveries')).toBeVisible();
    await page.keyboard.press('Space');
    await expect(heading('Welcome Back')).toBeFocused();
    await keys.type(label('Email'), sender.email);
    await keys.type(page.getByLabel('Password', { exact: true }), sender.password);
    await keys.use(label('Trust This Device'), 'Space');
    await expect(label('Trust This Device')).toBeChecked();
    await keys.use(button('Sign In'));
    const success = 'Login successful! Redirecting to dashboard...';
    await expect(spoken(page, 'status', success)).toBeVisible();
    await expect(heading('Home')).toBeFocused();
  });

  await test.step('four steps, each with its error first', async () => {
    const { deliver, fullSheet } = new HomePage(page);
    await keys.use(deliver);
    await expect(fullSheet).toBeFocused();
    await keys.use(button('Next'));
    await expect(label('Pickup Address')).toBeFocused();
    await keys.type(label('Pickup Address'), '12 Kofar Mata Road, Kano');
    await keys.type(label('Delivery Address'), '4 Zoo Road, Kano');
    await page.keyboard.press('Enter');
    await expect(heading('Recipient Details')).toBeFocused();
    await keys.type(label('Recipient Name'), 'Musa Ibrahim');
    await page.keyboard.press('Enter');
    await expect(label('Recipient Phone')).toBeFocused();
    await keys.type(label('Recipient Phone'), '0805 765 4321');
    await page.keyboard.press('Enter');
    await expect(heading('Product Information')).toBeFocused();

    await keys.type(label('Description'), 'A drum of palm oil');
    await keys.reach(label('Pickup Date'));
    // Works for both orders of day and month; the year field takes more than four digits.
    for (const part of ['01', '01', '2027', 'ArrowRight', '09', '00']) {
      if (part === 'ArrowRight') await page.keyboard.press(part);
      else await page.keyboard.type(part);
    }
    await page.keyboard.type('A');
    await expect(label('Pickup Date')).toHaveValue('2027-01-01T09:00');
    await keys.use(button('Next'));
    await expect(heading('Pricing and Payment')).toBeFocused();
    await keys.use(button('Previous'));
    await expect(heading('Product Information')).toBeFocused();
    await keys.use(button('Next'));
    await keys.type(label('Price Offer'), '1500');
    const cash = page.getByRole('radio', { name: 'Cash on Delivery' });
    await keys.reach(cash);
    await page.keyboard.press('Space');
    await expect(cash).toBeChecked();
    await keys.use(button('Create Package'));
    await expect(spoken(page, 'status', 'Package created successfully!')).toBeVisible();
    await expect(page).toHaveURL(/\/tracking$/);
    await expect(heading('Tracking')).toBeFocused();
  });

  await test.step('edited', async () => {
    await keys.use(page.getByRole('link', { name: 'View Details' }));
    await expect(heading('Package Details')).toBeFocused();
    await keys.use(page.getByRole('link', { name: 'Edit shipment' }));
    await expect(heading('Edit Package')).toBeFocused();
    await keys.type(label('Recipient Name'), '');
    await page.keyboard.press('Enter');
    await expect(label('Recipient Name')).toBeFocused();
    await expect(label('Recipient Name')).toHaveAttribute('aria-invalid', 'true');
    await keys.type(label('Recipient Name'), 'Zainab Sule');
    await keys.use(button('Save Changes'));
    await expect(spoken(page, 'status', 'Package updated successfully!')).toBeVisible();
    await expect(heading('Package Details')).toBeFocused();
  });

  await test.step('deleted', async () => {
    await keys.use(button('Delete Package'));
    await expect(button('Cancel')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(button('Delete Package')).toBeFocused();
    await page.keyboard.press('Enter');
    await keys.use(page.getByRole('button', { name: 'Delete', exact: true }));
    await expect(page).toHaveURL(/\/tracking$/);
    await expect(spoken(page, 'status', 'Package deleted successfully')).toBeVisible();
    await keys.expectSomewhere();
  });
});

test('a courier does everything by keyboard', async ({ signedIn, backstage }) => {
  const { courier, packages } = await backstage.offers(1);
  const [pkg] = packages;
  const { page } = await signedIn(courier);
  const keys = new Keyboard(page);
  const { button, heading } = partsOf(page);
  const card = page.getByRole('article').filter({ hasText: pkg?.description ?? '' });

  const accept = async () => {
    await keys.use(card.getByRole('button', { name: 'Accept Delivery' }));
    await expect(spoken(page, 'status', 'Delivery accepted!')).toBeVisible();
    await expect(page).toHaveURL(/\/delivery\/in-transit$/);
    await keys.expectSomewhere();
  };
  const openDetail = async () => {
    await keys.use(card.getByRole('link', { name: 'View Details' }));
    await expect(heading('Package Details')).toBeFocused();
  };

  await keys.use(page.getByRole('navigation').getByRole('link', { name: 'Deliveries' }));
  await expect(heading('Deliveries')).toBeFocused();
  await accept();
  await openDetail();

  await test.step('the question takes the focus and returns it', async () => {
    await keys.use(button('Reject Delivery'));
    await expect(button('Cancel')).toBeFocused();
    await page.keyboard.press('Tab');
    await expect(button('Confirm')).toBeFocused();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('alertdialog')).toBeHidden();
    await expect(button('Reject Delivery')).toBeFocused();
  });

  await test.step('rejecting goes back to the list', async () => {
    await page.keyboard.press('Space');
    await expect(button('Cancel')).toBeFocused();
    await keys.use(button('Confirm'), 'Space');
    await expect(spoken(page, 'status', 'Delivery rejected successfully')).toBeVisible();
    await expect(page).toHaveURL(/\/delivery\/in-transit$/);
    await keys.expectSomewhere();
  });

  await test.step('accepted again and delivered: the focus is on the new status', async () => {
    await keys.use(page.getByRole('link', { name: 'Pending', exact: true }), 'Enter');
    await accept();
    await openDetail();
    await keys.reach(button('Package Delivered'));
    await page.keyboard.press('Enter');
    await expect(button('Cash collected')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(spoken(page, 'status', 'Package marked as delivered!')).toBeVisible();
    await expect(button('Package Delivered')).toBeHidden();
    await keys.expectSomewhere();
  });

  await test.step('a click on the background drops the focus for good', async () => {
    await page.goto('/account');
    await expect(heading('Account')).toBeFocused();
    await page.clock.install();
    await page.mouse.click(2, 400);
    await expect(heading('Account')).not.toBeFocused();
    await page.evaluate(() => document.body.append(document.createElement('i')));
    await page.clock.runFor(1000);
    await expect(heading('Account')).not.toBeFocused();
  });
});

test('focus survives a vanishing button @long', async ({
  signedIn,
  backstage,
  network,
  sender,
}) => {
  const [pkg] = await backstage.packages(sender, 6);
  const id = pkg?._id ?? '';
  const { page } = await signedIn(sender, '/tracking');
  const keys = new Keyboard(page);
  const { heading } = partsOf(page);

  await test.step('a search without results is cleared', async () => {
    const list = new PackageListPage(page);
    await keys.type(list.search, 'zzzz');
    await page.keyboard.press('Enter');
    await expect(heading('Tracking')).toBeFocused();
    await keys.use(page.getByRole('main').getByRole('button', { name: 'Clear all' }).last());
    await expect(list.cards).toHaveCount(6);
    await expect(heading('Tracking')).toBeFocused();
  });

  await test.step('a draft is discarded', async () => {
    await page.goto(`/edit-package/${id}`);
    await keys.type(page.getByLabel('Description'), 'Three bolts');
    await page.reload();
    await keys.use(page.getByRole('button', { name: 'Start over' }));
    await expect(heading('Edit Package')).toBeFocused();
  });

  await test.step('payments fail to load', async () => {
    const again = page.getByRole('button', { name: 'Try again' });
    network.setFaults((_, path) =>
      path.startsWith('/api/payments') ? { kind: 'status', status: 503 } : null,
    );
    await page.goto('/payment');
    await expect(again).toBeVisible();
    network.setFaults(null);
    await keys.use(again);
    await expect(again).toBeHidden();
    await keys.expectSomewhere();
  });

  await test.step('another user deletes the package', async () => {
    await page.goto(`/package-detail/${id}`);
    await keys.reach(page.getByRole('link', { name: 'Edit shipment' }));
    await backstage.call(sender, 'DELETE', `/api/packages/${id}`);
    await expect(page.getByRole('link', { name: 'Edit shipment' })).toBeHidden();
    await keys.expectSomewhere();
  });
});
