/** Home: the sheet with its three heights, and the sidebar; closing what lies over a screen. */
import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { unique } from '#tests/e2e/backstage.ts';
import { enter, spoken } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { pressLogOut } from '#tests/e2e/outbox-stage.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import { PackageListPage } from '#tests/e2e/pages/package-list-page.ts';
import { fingerOn } from '#tests/e2e/touch.ts';

test.use({ hasServiceWorker: false });

const raise = (page: Page) => page.getByRole('button', { name: 'Expand' });
const lower = (page: Page) => page.getByRole('button', { name: 'Collapse' });
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Main' });

test('an incomplete profile is asked for first', async ({ backstage, sender, page }) => {
  const bare = { ...sender, email: `bare-${sender.email}` };
  await backstage.signUp(bare);
  await enter(page, bare);
  // Home asks for the profile before the wizard refuses.
  await expect(page.getByRole('link', { name: /^Finish your profile/ })).toBeVisible();
  await new HomePage(page).openSheet();
  for (const text of [
    'Profile Incomplete',
    'Please complete your profile information before creating a package.',
  ]) {
    await expect(page.getByText(text)).toBeVisible();
  }
  await page.getByRole('link', { name: 'Update Profile' }).click();
  await expect(page).toHaveURL(/\/edit-user\/[0-9a-f-]+$/);
});

test('the sheet moves by one height per drag @long', async ({ signedIn, sender }) => {
  const { page } = await signedIn(sender);
  const home = new HomePage(page);
  await home.expectHeight(32);
  for (const [distance, height] of [
    [-100, 32],
    [101, 18],
    [300, 18],
    [-101, 32],
    // However far: one height.
    [-400, 100],
    [101, 32],
  ] as const) {
    await home.drag(distance);
    await home.expectHeight(height);
  }
  await home.drag(101, home.whereTo);
  await home.expectHeight(18);
  await home.drag(-101, home.whereTo);
  await home.expectHeight(32);
  await home.whereTo.click();
  await home.expectHeight(100);
  // A drag in a text field scrolls and selects: only the header moves the sheet.
  await home.drag(150, page.getByLabel('Pickup Address'));
  await home.expectHeight(100);
  // A selected title would be dragged as text instead.
  await home.fullSheet.dblclick({ position: { x: 25, y: 12 } });
  await home.drag(200);
  await expect(home.fullSheet).toBeHidden();
});

test('a finger drags the sheet by its cards @long', async ({ sender, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await enter(page, sender);
  const home = new HomePage(page);
  const drag = await fingerOn(page);
  for (const card of [home.whereTo, home.deliver]) {
    for (const [distance, height] of [
      [120, 18],
      [60, 18],
      [-120, 32],
      [20, 32],
      [0, 100],
    ] as const) {
      await drag(card, distance);
      await home.expectHeight(height);
    }
    await page.keyboard.press('Escape');
    await home.expectHeight(32);
  }
  // Also between and beside them.
  await drag(home.sheet, 120);
  await home.expectHeight(18);
  await drag(raise(page), 0);
  await home.expectHeight(32);
});

test('at its lowest height no card is cut off @long', async ({ signedIn, sender, courier }) => {
  for (const account of [sender, courier]) {
    const { page } = await signedIn(account);
    const home = new HomePage(page);
    await lower(page).click();
    const cards = account.role === 'Employee' ? [home.deliver] : [home.whereTo, home.deliver];
    for (const [width, height] of [
      [360, 640],
      [412, 915],
    ] as const) {
      await page.setViewportSize({ width, height });
      await home.expectHeight(18);
      const bottom = (await home.boxOf(tabs(page))).y;
      for (const card of cards) {
        const box = await home.boxOf(card);
        expect(box.y + box.height, `${width}x${height}`).toBeLessThanOrEqual(bottom);
        const isOverfull = await card.evaluate(
          ({ scrollHeight, clientHeight, scrollWidth, clientWidth }) =>
            scrollHeight > clientHeight || scrollWidth > clientWidth,
        );
        expect(isOverfull, `${width}x${height}`).toBe(false);
      }
    }
  }
});

test('the sheet is moved by keys and keeps the focus; Back closes it, then the screen', async ({
  signedIn,
  sender,
}) => {
  const { page, shell } = await signedIn(sender, '/account');
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  const home = new HomePage(page);
  await lower(page).press('Enter');
  await home.expectHeight(18);
  await expect(lower(page)).toBeHidden();
  await expect(raise(page)).toBeFocused();
  await raise(page).press('Enter');
  await home.expectHeight(32);
  await expect(tabs(page)).toBeVisible();
  await raise(page).press('Enter');
  await home.expectHeight(100);
  await expect(home.fullSheet).toBeFocused();
  await expect(tabs(page)).toBeHidden();
  await home.expectFocusWithin(home.sheet);
  await page.keyboard.press('Escape');
  await home.expectHeight(32);
  await expect(raise(page)).toBeFocused();
  for (const opener of [home.whereTo, home.deliver]) {
    await opener.press('Enter');
    await expect(home.fullSheet).toBeFocused();
    await expect(page.getByLabel('Pickup Address')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(opener).toBeFocused();
  }

  await test.step('Back closes sheet and sidebar, then the screen', async () => {
    await home.openSheet();
    await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road');
    await page.goBack();
    await expect(home.fullSheet).toBeHidden();
    await home.openSidebar();
    await page.goBack();
    await expect(home.sidebar).toBeHidden();
    await expect(home.menu).toBeVisible();

    // Closing another way leaves no history entry: the next Back leaves the screen.
    await home.openSheet();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(home.fullSheet).toBeHidden();
    await expect(tabs(page)).toBeVisible();
    await home.openSidebar();
    await page.keyboard.press('Escape');
    await expect(home.sidebar).toBeHidden();
    await expect(home.menu).toBeFocused();
    await expect.poll(() => page.evaluate(() => history.state?.overlays)).toBeUndefined();
    await page.goBack();
    await expect(page).toHaveURL(/\/account$/);
    await expect(shell.account).toHaveAttribute('aria-current', 'page');
  });
});

test('a package draft survives a restart, not a log-out', async ({ signedIn, sender }) => {
  const { page, context } = await signedIn(sender, '/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road');
  await page.close();

  const again = await context.newPage();
  await again.goto('/new-package');
  await expect(again.getByLabel('Pickup Address')).toHaveValue('12 Kofar Mata Road');
  await again.goto('/account');
  // What another tab has since begun counts, too.
  const profile = await context.newPage();
  await profile.goto(`/edit-user/${sender.id}`);
  await profile.getByLabel('Address').fill('7 Zaria Road, Kano');
  await again.getByRole('button', { name: 'Log Out' }).click();
  const question = again.getByRole('dialog', {
    name: 'Log out and delete 2 forms that weren’t sent?',
  });
  await question.getByRole('button', { name: 'Keep me signed in' }).click();
  await expect(question).toBeHidden();
  expect(await again.evaluate(() => localStorage.getItem('packageDraft'))).toContain('Kofar');

  await again.getByRole('button', { name: 'Log Out' }).click();
  await question.getByRole('button', { name: 'Delete and log out' }).click();
  await expect(again).toHaveURL(/\/auth$/);
  expect(await again.evaluate(() => localStorage.getItem('packageDraft'))).toBeNull();
});

test('the sidebar has its size and links, closes and leads out @long', async ({
  signedIn,
  sender,
  network,
}) => {
  const { page } = await signedIn(sender);
  const home = new HomePage(page);
  const links = {
    'Amina Bello My Account': '/account',
    Payment: '/payment',
    Promotion: '/promotion',
    'My Deliveries': '/delivery',
    Support: '/support',
    About: '/delivery-request',
  };
  for (const [name, path] of Object.entries(links)) {
    await home.openSidebar();
    await home.sidebar.getByRole('link', { name, exact: true }).click();
    await expect(page).toHaveURL((url) => url.pathname === path);
    await expect(home.sidebar).toBeHidden();
    await page.goBack();
    await expect(home.menu).toBeVisible();
    await expect(home.sidebar).toBeHidden();
  }
  await home.openSidebar();
  await expect(home.sidebar.getByRole('navigation').getByRole('link')).toHaveText(
    Object.keys(links).slice(1),
  );
  expect(await home.boxOf(home.sidebar)).toMatchObject({ x: 0, y: 0, width: 300, height: 915 });
  await page.mouse.click(360, 500);
  await expect(home.sidebar).toBeHidden();

  await page.setViewportSize({ width: 320, height: 640 });
  await home.openSidebar();
  expect((await home.boxOf(home.sidebar)).width).toBe(256);
  // Inside it, pressing empty space does not close it.
  await page.mouse.click(120, 500);
  await expect(home.sidebar).toBeVisible();
  await home.expectFocusWithin(home.sidebar);

  const answer = network.holdNextReply((_, path) => path === '/api/auth/logout');
  await home.sidebar.getByRole('button', { name: 'Log Out' }).click();
  await answer.answered;
  await expect(home.sidebar.getByRole('button', { name: 'Logging Out...' })).toBeVisible();
  answer.release();
  await expect(spoken(page, 'status', 'Logged out successfully!')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);
  await expect(page.getByText('Please log in to access this page.')).toBeHidden();
});

test('below the cards, a sender finds what is under way', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const [moving, done] = await backstage.packages(sender, [
    { description: 'Kola nuts' },
    { description: 'Spare parts' },
  ]);
  if (!moving || !done) throw new Error('Two were asked for.');
  for (const pkg of [moving, done]) await backstage.accept(courier, pkg);
  await backstage.call(courier, 'PATCH', `/api/packages/${done._id}`, {
    deliveryStatus: 'Delivered',
  });
  const { page } = await signedIn(sender);
  await expect(
    page.getByRole('link', { name: /Send again New package.*Spare parts/ }),
  ).toBeVisible();
  const row = page.getByRole('link', { name: /Kola nuts .+In Transit/ });
  // Before the rest on a phone on its side, which has room for one.
  const size = page.viewportSize();
  await page.setViewportSize({ width: 568, height: 320 });
  await expect(row).toBeInViewport({ ratio: 0.9 });
  if (size) await page.setViewportSize(size);
  await row.click();
  await expect(page).toHaveURL(new RegExp(`/package-detail/${moving._id}$`));
  await page.goBack();
  await page.getByRole('link', { name: /Send again/ }).click();
  await expect(page).toHaveURL(/\/new-package/);

  await test.step('support leads to a person where one is set', async () => {
    const contact = page.getByRole('link', { name: 'Email us' });
    await page.goto('/support');
    await expect(page.getByText('Coming Soon ...')).toBeVisible();
    await expect(contact).toBeHidden();
    await page.route('**/config.json', async (route) => {
      const reply = await route.fetch();
      await route.fulfill({ json: { ...(await reply.json()), support: 'mailto:help@kaya.test' } });
    });
    await page.reload();
    await expect(contact).toHaveAttribute('href', 'mailto:help@kaya.test');
  });
});

test('below the cards, a courier finds stop, earnings, offers', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const [next, done, offer] = await backstage.packages(sender, [
    {
      description: 'Kola nuts',
      pickupAddress: '12 Kofar Mata Road, second floor above Alhaji Bako’s store, Kano',
    },
    { description: 'Spare parts', priceOffer: 2550 },
    {
      description: 'Cloth',
      priceOffer: 9_999_999,
      pickupAddress: unique('Gate'),
      pickupLocation: { lat: 12.0022, lng: 8.5919 },
      deliveryLocation: { lat: 12.0022, lng: 8.6419 },
    },
  ]);
  if (!next || !done || !offer) throw new Error('Three were asked for.');
  for (const pkg of [next, done]) await backstage.accept(courier, pkg);
  await backstage.call(courier, 'PATCH', `/api/packages/${done._id}`, {
    deliveryStatus: 'Delivered',
    paymentStatus: 'paid',
  });
  const { page } = await signedIn(courier);
  await expect(page.getByRole('link', { name: /Next stop: Pickup .*12 Kofar Mata/ })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Call Amina Bello' })).toBeVisible();
  await expect(page.getByText('Today: 1 delivery · ₦2,550 in cash')).toBeVisible();
  const home = new HomePage(page);
  // Without a position: how long the trip is.
  const best = home.sheet.getByRole('link', {
    name: `₦9,999,999 trip 5.4 km ${offer.pickupAddress}`,
  });
  await expect(best).toBeInViewport({ ratio: 1 });
  // The lowest sheet has one row; neither it nor the offers are shown in part.
  await lower(page).click();
  const first = home.sheet.getByRole('link', { name: /^12 Kofar Mata.*Pickup/ });
  await expect(first).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 360, height: 640 });
  await expect(first).toBeHidden();
  await page.setViewportSize({ width: 360, height: 740 });
  await expect(first).toBeInViewport({ ratio: 1 });
  await raise(page).click();
  await expect(first).toBeHidden();
  await page.setViewportSize({ width: 360, height: 640 });
  await expect(best).toBeHidden();
  await page.setViewportSize({ width: 412, height: 915 });
  await expect(best).toBeInViewport({ ratio: 1 });
  // In the full sheet what is carried comes first, the list's button at the thumb.
  await home.openSheet();
  await expect(page.getByText('Welcome back, Sani Bello!')).toBeVisible();
  await expect(page.getByLabel('Pickup Address')).toBeHidden();
  const available = page.getByRole('link', { name: 'View Available Packages' });
  await expect(available).toBeInViewport({ ratio: 1 });
  const followsNext = await available.evaluate((link) => {
    const next = document.querySelector('[data-next]');
    return next && next.compareDocumentPosition(link) & Node.DOCUMENT_POSITION_FOLLOWING;
  });
  expect(followsNext).toBeTruthy();
  await available.click();
  await expect(page).toHaveURL(/\/delivery\/pending$/);
  // The sheet is not left open in the history: Back shows home at rest.
  await page.getByRole('link', { name: 'Home' }).click();
  await expect(home.fullSheet).toBeHidden();
  await expect(home.menu).toBeVisible();
  await best.click();
  await expect(page).toHaveURL(/\/delivery\/pending$/);
  await expect(page.getByRole('article').filter({ hasText: '₦9,999,999' })).toBeInViewport();

  await test.step('what is next is in sight on its side, and with text of twice the size', async () => {
    await page.goto('/');
    const names = [/^Next stop/, /^Call /, /^Navigate to/];
    const links = names.map((name) => page.getByRole('link', { name }).first());
    for (const [width, height] of [
      [740, 360],
      [844, 390],
      [568, 320],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const link of links) await expect(link).toBeInViewport({ ratio: 0.9 });
    }
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%';
    });
    const handOver = page.getByRole('link', { name: /^Hand over to/ });
    for (const [width, height] of [
      [360, 740],
      [740, 360],
    ] as const) {
      await page.setViewportSize({ width, height });
      for (const link of links.slice(1)) {
        await expect(link).toBeInViewport({ ratio: 1 });
        await link.click({ trial: true });
      }
    }
    for (const type of ['picked_up', 'arrived'] as const) {
      await backstage.record(courier, next, { type });
    }
    await expect(handOver).toBeInViewport({ ratio: 1 });
    await handOver.click({ trial: true });
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(handOver).toBeInViewport({ ratio: 1 });
  });
});

test('without a map, what is next fills its room @long', async ({
  page,
  backstage,
  sender,
  courier,
}) => {
  await page.addInitScript(() => {
    // No WebGL.
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  const [first, second, third] = await backstage.packages(sender, [
    { description: 'Kola nuts', pickupDate: '2025-03-15T09:00' },
    { description: 'Spare parts', pickupAddress: unique('Gate') },
    { description: 'Cloth' },
  ]);
  if (!first || !second || !third) throw new Error('Three were asked for.');
  for (const pkg of [first, second]) await backstage.accept(courier, pkg);
  const home = new HomePage(page);

  await test.step('a sender sees who has it, before what waits', async () => {
    await enter(page, sender);
    const rows = page.locator('h2:has-text("Under way") ~ a');
    await expect(rows).toHaveCount(3);
    await expect(rows.first()).toHaveAccessibleName(/^Kola nuts Late · Pickup .+Sani/);
    await expect(rows.last()).toHaveAccessibleName(/^Cloth Pickup .+Unassigned/);
    const sheet = await home.boxOf(home.sheet);
    const last = await home.boxOf(rows.last());
    expect(last.y + last.height).toBeLessThan(sheet.y);
    // Each once.
    await expect(home.sheet.getByRole('link', { name: 'Kola nuts' })).toBeHidden();
    await pressLogOut(page);
    // What the next sign-in writes would be deleted by this log-out.
    await expect(page.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  });

  await test.step('a courier sees what follows the next stop, and what is there too', async () => {
    await backstage.accept(courier, third);
    await enter(page, courier);
    await expect(page.getByRole('heading', { name: 'Also at the next stop' })).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
    const later = page.getByRole('link', { name: new RegExp(`^${second.pickupAddress} Pickup`) });
    await expect(later).toBeInViewport({ ratio: 1 });
    expect((await home.boxOf(later)).y).toBeLessThan((await home.boxOf(home.sheet)).y);
  });
});

test('a dispatcher’s numbers lead to their lists', async ({
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  // The filters appear from four packages on.
  // Longer than those of other tests on the same server.
  const late = { pickupDate: '2010-01-15T09:00' };
  const [, , , , done] = await backstage.packages(sender, [late, late, late, late, {}]);
  if (!done) throw new Error('Five were asked for.');
  await backstage.accept(courier, done);
  const path = `/api/packages/${done._id}`;
  await backstage.call(courier, 'PATCH', path, { deliveryStatus: 'Delivered' });
  const { page } = await signedIn(await backstage.dispatcher());
  const problem = page.getByRole('link', { name: /^\d+ Problems?$/ });
  await expect(page.getByRole('link', { name: /^\d+ Late$/ })).toBeVisible();
  await expect(problem).toBeHidden();
  await backstage.call(sender, 'POST', `${path}/disputes`, {
    _id: randomUUID(),
    kind: 'damaged',
    text: 'The crate is open.',
  });
  await expect(page.getByRole('link', { name: /Problem reported/ })).toBeVisible();
  await problem.click();
  await expect(page).toHaveURL(/\/delivery\/all$/);
  await expect(page.getByRole('article')).toContainText('Problem reported');
  await page.getByRole('link', { name: 'Home' }).click();
  // Over a map that shows nothing, and in the sheet.
  await expect(page.getByRole('link', { name: /Pickup · Late · 15 Jan 2010.*Assign/ })).toHaveCount(
    4,
  );
  for (const [name, tab, status] of [
    ['Late', 'all', 'late'],
    ['In transit', 'all', 'in-transit'],
    ['Unassigned', 'pending', ''],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(`^\\d+ ${name}$`) }).click();
    await expect(page).toHaveURL(new RegExp(`/delivery/${tab}$`));
    await new PackageListPage(page).arrange({});
    await expect(page.getByLabel('Status', { exact: true })).toHaveValue(status);
    await page.getByRole('link', { name: 'Home' }).click();
  }
});
