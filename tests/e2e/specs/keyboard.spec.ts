/**
 * The whole main job by keyboard: after every step focus is on a sensible element, and toasts are
 * in a live region. Sheet and sidebar are tested in their own specs, the courier picker in
 * dispatch.spec.ts.
 */
import { spoken } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { Keyboard } from '#tests/e2e/keyboard.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

test('a sender does everything by keyboard @long', async ({ phone, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  const keys = new Keyboard(page);
  const button = (name: string | RegExp) => page.getByRole('button', { name });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });

  await test.step('the splash and sign-in', async () => {
    await page.goto('/auth');
    await expect(page.getByText('Your ride to faster deliveries')).toBeVisible();
    await page.keyboard.press('Space');
    await expect(heading('Welcome Back')).toBeFocused();
    await keys.type(page.getByLabel('Email'), sender.email);
    await keys.type(page.getByLabel('Password', { exact: true }), sender.password);
    await keys.use(page.getByLabel('Trust This Device'), 'Space');
    await expect(page.getByLabel('Trust This Device')).toBeChecked();
    await keys.use(page.getByRole('button', { name: 'Sign In', exact: true }));
    await expect(
      spoken(page, 'status', 'Login successful! Redirecting to dashboard...'),
    ).toBeVisible();
    await expect(heading('Home')).toBeFocused();
  });

  const home = new HomePage(page);
  await test.step('the sheet', async () => {
    await keys.use(button(/^Deliver/));
    await expect(home.fullSheet).toBeFocused();
  });

  const description = 'A drum of palm oil';
  await test.step('four steps, each with its error first', async () => {
    await keys.use(button('Next'));
    await expect(page.getByLabel('Pickup Address')).toBeFocused();
    await keys.type(page.getByLabel('Pickup Address'), '12 Kofar Mata Road, Kano');
    await keys.type(page.getByLabel('Delivery Address'), '4 Zoo Road, Kano');
    await page.keyboard.press('Enter');
    await expect(heading('Recipient Details')).toBeFocused();

    await keys.type(page.getByLabel('Recipient Name'), 'Musa Ibrahim');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Recipient Phone')).toBeFocused();
    await keys.type(page.getByLabel('Recipient Phone'), '0805 765 4321');
    await page.keyboard.press('Enter');
    await expect(heading('Product Information')).toBeFocused();

    await keys.type(page.getByLabel('Description'), description);
    await keys.reach(page.getByLabel('Pickup Date'));
    // Works for both orders of day and month; the year field takes more than four digits.
    for (const part of ['01', '01', '2027', 'ArrowRight', '09', '00']) {
      if (part === 'ArrowRight') await page.keyboard.press(part);
      else await page.keyboard.type(part);
    }
    await page.keyboard.type('A');
    await expect(page.getByLabel('Pickup Date')).toHaveValue('2027-01-01T09:00');
    await keys.use(button('Next'));
    await expect(heading('Pricing and Payment')).toBeFocused();

    await keys.use(button('Previous'), 'Enter', 'Tab');
    await expect(heading('Product Information')).toBeFocused();
    await keys.use(button('Next'));
    await keys.type(page.getByLabel('Price Offer'), '1500');
    await keys.reach(page.getByLabel('Payment Method'));
    await page.keyboard.press('ArrowDown');
    await expect(page.getByLabel('Payment Method')).toHaveValue('cash');
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
    await keys.type(page.getByLabel('Recipient Name'), '');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Recipient Name')).toBeFocused();
    await expect(page.getByLabel('Recipient Name')).toHaveAttribute('aria-invalid', 'true');
    await keys.type(page.getByLabel('Recipient Name'), 'Zainab Sule');
    await keys.use(button('Save Changes'));
    await expect(spoken(page, 'status', 'Package updated successfully!')).toBeVisible();
    await expect(heading('Package Details')).toBeFocused();
    await expect(page.getByText('Zainab Sule').first()).toBeVisible();
  });

  await test.step('deleted', async () => {
    await keys.use(button('Delete Package'));
    await expect(button('Cancel')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(button('Delete Package')).toBeFocused();
    await page.keyboard.press('Enter');
    await keys.use(button('Confirm'));
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
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const heading = (name: string) => page.getByRole('heading', { name, exact: true });
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
    await expect(spoken(page, 'status', 'Package marked as delivered!')).toBeVisible();
    await expect(button('Package Delivered')).toBeHidden();
    await keys.expectSomewhere();
  });
});
