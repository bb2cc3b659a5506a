/** From 900 px: rail, panes and tables; and what phones do not download for them. */
import type { Locator, Page } from '@playwright/test';
import { type Account, type Backstage, unique } from '#tests/e2e/backstage.ts';
import { keepSession } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { axeComplaints } from '#tests/e2e/layout.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';
import { WizardPage } from '#tests/e2e/pages/wizard-page.ts';

test.use({ hasServiceWorker: false });

const small = { width: 960, height: 640 };
const laptop = { width: 1280, height: 800 };

async function atDesk(page: Page, who: Account, path: string, size = laptop) {
  await page.setViewportSize(size);
  await keepSession(page, who);
  await page.goto(path);
}

const none = { x: 0, y: 0, width: 0, height: 0 };

const list = (page: Page) => page.getByRole('region', { name: 'List' });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const rowLink = (page: Page, nth: number) => page.getByRole('row').getByRole('link').nth(nth);

const withoutMap = (page: Page) =>
  page.addInitScript(() => {
    // No WebGL.
    HTMLCanvasElement.prototype.getContext = () => null;
  });

async function manyPackages(backstage: Backstage, sender: Account) {
  const offers = [500, 2500, 1500, 4500, 3500];
  return backstage.packages(
    sender,
    offers.map((priceOffer, at) => ({ priceOffer, description: `Bale ${at + 1}.` })),
  );
}

async function expectCardsInRows(page: Page) {
  await page.setViewportSize(laptop);
  await page.goto('/tracking');
  const boxOf = async (text: string) =>
    (await page.getByRole('listitem').filter({ hasText: text }).boundingBox()) ?? none;
  await expect(page.getByRole('listitem')).toHaveCount(5);
  const boxes = [await boxOf('Bale 5.'), await boxOf('Bale 4.'), await boxOf('Bale 3.')];
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  expect(new Set(boxes.map(({ x }) => x)).size).toBe(3);
  expect((await boxOf('Bale 2.')).y).toBeGreaterThan(boxes[0]?.y ?? 0);
  expect(await axeComplaints(page)).toEqual([]);
}

test.describe('with a service worker', () => {
  test.use({ hasServiceWorker: true });

  test('from 900 px, tabs are a rail and a detail opens beside its list', async ({
    page,
    backstage,
    network,
    sender,
  }) => {
    const [first, second] = await manyPackages(backstage, sender);
    await atDesk(page, sender, '/tracking', small);
    const rail = page.getByRole('navigation', { name: 'Main' });
    const card = (text: string) => page.getByRole('article').filter({ hasText: text });
    await expect(card('Bale 1.')).toBeVisible();
    const { width, height } = (await rail.boundingBox()) ?? none;
    expect(height).toBeGreaterThan(width);
    await expect(page.getByRole('main')).toHaveCount(1);
    await expect(page).toHaveTitle('Tracking · Kaya');

    await card('Bale 1.').getByRole('link', { name: 'View Details' }).click();
    await expect(page).toHaveURL(`/package-detail/${first?._id}`);
    await expect(page.getByRole('heading', { name: 'Package Details' })).toBeFocused();
    await expect(page).toHaveTitle('Package Details · Kaya');
    await expect(list(page).getByRole('article')).toHaveCount(5);
    await expect(list(page).locator('[data-row][aria-current]')).toContainText('Bale 1.');

    await test.step('another takes its place, so that Back closes it', async () => {
      await card('Bale 2.').getByRole('link', { name: 'View Details' }).click();
      await expect(page).toHaveURL(`/package-detail/${second?._id}`);
      await expect(page.getByRole('main').getByText('Bale 2.').first()).toBeVisible();
      await page.goBack();
      await expect(page).toHaveURL('/tracking');
      await expect(page).toHaveTitle('Tracking · Kaya');
      await expect(page.getByRole('heading', { name: 'Package Details' })).toHaveCount(0);
      await expect(card('Bale 2.').getByRole('link', { name: 'View Details' })).toBeFocused();
    });

    await test.step('Escape closes it, too', async () => {
      await page.keyboard.press('Enter');
      await expect(page.getByRole('heading', { name: 'Package Details' })).toBeFocused();
      await page.keyboard.press('Escape');
      await expect(page).toHaveURL('/tracking');
    });

    await test.step('at Home the sheet is a panel, which is not dragged', async () => {
      await page.setViewportSize(laptop);
      await page.goto('/');
      await page.getByRole('button', { name: 'Where to?' }).click();
      await expect(page.getByRole('heading', { name: 'Add package' })).toBeFocused();
      const panel = await page.getByRole('main').boundingBox();
      expect(panel?.width).toBeLessThan(laptop.width / 2);
      await expect(rail).toBeVisible();
      const home = new HomePage(page);
      const before = await home.boxOf(home.sheet);
      await home.drag(300);
      await home.drag(-200);
      await expect(home.fullSheet).toBeVisible();
      expect(await home.boxOf(home.sheet)).toEqual(before);
      await expect(home.fullSheet).toHaveCSS('cursor', 'auto');
      await page.keyboard.press('Escape');
      await expect(page.getByRole('button', { name: 'Where to?' })).toBeFocused();
    });

    await test.step('a form has the window to itself', async () => {
      await page.goto(`/edit-package/${first?._id}`);
      await expect(page.getByRole('heading', { level: 1, name: 'Edit Package' })).toBeVisible();
      await expect(list(page)).toHaveCount(0);
      await expect(rail).toBeVisible();
    });

    await test.step('the width of the window is used for cards', () => expectCardsInRows(page));

    await test.step('people and money stand beside what happens', async () => {
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const partOf = async (name: string) =>
        (await page.getByRole('main').getByRole('heading', { name, exact: true }).boundingBox()) ??
        none;
      await expect(page.getByRole('heading', { name: 'Recipient', exact: true })).toBeVisible();
      expect((await partOf('Recipient')).x).toBeGreaterThan((await partOf('Shipment')).x + 200);
      // In one column, the open card stays in view.
      await expect(list(page).locator('[data-row][aria-current]')).toBeInViewport();
    });

    await test.step('a form shows what it has come to', async () => {
      await page.goto('/new-package');
      const summary = page.getByRole('complementary', { name: 'Summary' });
      await page.getByLabel('Pickup Address').fill('5 Lamido Crescent');
      await expect(summary).toContainText('5 Lamido Crescent');
      await expect(summary).toContainText('No price yet');
      expect(await axeComplaints(page)).toEqual([]);
    });

    await test.step('its last step is checked there, without a second summary', async () => {
      await new WizardPage(page).fill();
      await expect(page.getByRole('heading', { name: 'Check and send' })).toHaveCount(0);
      const summary = page.getByRole('complementary', { name: 'Summary' });
      expect(await axeComplaints(page)).toEqual([]);
      await summary.getByRole('button', { name: 'Edit recipient' }).click();
      await expect(page.getByRole('heading', { name: 'Recipient Details' })).toBeFocused();
      await expect(summary.getByRole('button')).toHaveCount(0);
    });

    await test.step('offline it opens as one', async () => {
      const isStored = () =>
        page.evaluate(async () => {
          const cache = await caches.open('kaya-parts');
          return (await cache.keys()).filter(({ url }) => url.includes('/assets/desk-')).length;
        });
      await expect.poll(isStored, { timeout: 30_000 }).toBeGreaterThan(0);
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      network.setFaults(() => ({ kind: 'dropped before' }));
      await page.goto('/tracking');
      await expect(page.locator('html[data-desk=list]')).toHaveCount(1);
      await expect(page.getByRole('heading', { level: 1, name: 'Tracking' })).toBeVisible();
    });
  });
});

test('the list beside a detail shows which one is open, however it was opened @long', async ({
  page,
  backstage,
  sender,
}) => {
  const packages = await backstage.packages(sender, 14);
  for (const { _id } of packages) {
    await backstage.call(sender, 'PATCH', `/api/packages/${_id}`, { deliveryStatus: 'cancelled' });
  }
  const open = list(page).locator('[data-row][aria-current]');
  const [oldest] = packages;
  const newest = packages.at(-1);
  await atDesk(page, sender, `/package-detail/${oldest?._id}`);
  await expect(page.getByRole('heading', { name: 'Package Details' })).toBeFocused();
  await expect(open).toContainText(oldest?.packageId ?? '');
  await expect(open).toBeInViewport({ ratio: 1 });
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/^[^?]*\/tracking/);
  await expect(page).toHaveTitle('Tracking · Kaya');

  // What is known now before the list is built, of which this is the other end.
  await page.goto(`/package-detail/${newest?._id}`);
  await expect(open).toBeInViewport({ ratio: 1 });
  await page.goto(`/package-detail/${oldest?._id}`);
  await expect(open).toContainText(oldest?.packageId ?? '');
  await expect(open).toBeInViewport({ ratio: 1 });
});

test('the account’s menu stays beside its screens @long', async ({ page, sender }) => {
  await atDesk(page, sender, '/account');
  const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const main = page.getByRole('main');
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Account');
  await expect(page).toHaveTitle('Account · Kaya');
  await expect(heading('Personal Info')).toBeVisible();
  const menu = page.getByRole('navigation', { name: 'Account menu' });
  await menu.getByRole('link', { name: 'Login & Security' }).click();
  await expect(main.getByRole('heading', { level: 1 })).toHaveText('Login & Security');
  await expect(menu.locator('[aria-current=page]')).toHaveText('Login & Security');
  expect(await axeComplaints(page)).toEqual([]);

  await test.step('another screen takes its place, so that Back leads to the menu', async () => {
    await menu.getByRole('link', { name: 'Payment' }).click();
    await expect(heading('Payment')).toBeFocused();
    await main.getByRole('link', { name: 'Add funds' }).click();
    await expect(menu.locator('[aria-current=page]')).toHaveText('Payment');
    await main.getByRole('button', { name: 'Back' }).click();
    await expect(heading('Payment')).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL('/account');
  });
});

test('questions and forms keep their place and width @long', async ({
  page,
  backstage,
  sender,
}) => {
  const { _id: id } = await backstage.package(sender);
  await atDesk(page, sender, `/package-detail/${id}`);
  const middleOf = async (part: Locator) => {
    const { x, width } = (await part.boundingBox()) ?? none;
    return x + width / 2;
  };
  const isOverPane = async (question: Locator) => {
    const middle = await middleOf(question);
    expect(Math.abs(middle - (await middleOf(page.getByRole('main'))))).toBeLessThanOrEqual(1);
  };
  await page.getByRole('button', { name: 'Mark as paid' }).click();
  await isOverPane(page.getByRole('dialog', { name: 'Mark as paid?' }));
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete Package' }).click();
  await isOverPane(page.getByRole('alertdialog', { name: 'Delete Package' }));

  await test.step('on the widest window a form’s button is as wide as its words', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto(`/edit-package/${id}`);
    const save = page.getByRole('button', { name: 'Save Changes' });
    await expect(save).toBeVisible();
    const box = (await save.boundingBox()) ?? none;
    expect(box.height).toBeLessThan(64);
    expect(box.width).toBeGreaterThan(160);
    // It ends where the fields end.
    const field = (await page.getByLabel('Description').boundingBox()) ?? none;
    expect(Math.abs(box.x + box.width - field.x - field.width)).toBeLessThanOrEqual(1);
  });

  await test.step('an edit goes on while the window becomes a phone’s', async () => {
    await page.setViewportSize(laptop);
    await page.goto(`/edit-user/${sender.id}`);
    const field = page.getByLabel('First Name');
    await field.fill('Maryam');
    await page.setViewportSize({ width: 412, height: 915 });
    await expect(field).toHaveValue('Maryam');
    await page.setViewportSize({ width: 915, height: 412 });
    await expect(page.locator('html[data-desk]')).toHaveCount(0);
    await expect(field).toHaveValue('Maryam');
  });

  await test.step('without a map Home has the width of the window', async () => {
    await withoutMap(page);
    await page.setViewportSize(laptop);
    await page.goto('/');
    const home = new HomePage(page);
    await expect.poll(async () => (await home.boxOf(home.sheet)).width).toBeGreaterThan(1000);
    await page.getByRole('button', { name: 'Where to?' }).click();
    // Beside the form stands what it has come to.
    await expect.poll(async () => (await home.boxOf(home.fullSheet)).width).toBeLessThan(640);
  });
});

test('a table fills a tall window before it is scrolled @long', async ({
  page,
  backstage,
  sender,
}) => {
  const bales = Array.from({ length: 45 }, (_, at) => ({ description: `Bale ${at + 1}.` }));
  await backstage.packages(sender, bales);
  await atDesk(page, await backstage.dispatcher(), '/delivery/all');
  const rows = page.getByRole('row');
  const end = async () => {
    const last = (await rows.last().boundingBox()) ?? none;
    return last.y + last.height;
  };
  for (const height of [800, 1600]) {
    await page.setViewportSize({ width: 1280, height });
    await expect.poll(end).toBeGreaterThan(height);
  }
});

test('Home scrolls where less than a row is too much @long', async ({ page, backstage }) => {
  const { courier, packages } = await backstage.offers(12);
  const [next] = packages;
  if (!next) throw new Error('Twelve were asked for.');
  await backstage.accept(courier, next);
  await withoutMap(page);
  await atDesk(page, courier, '/', { width: 1280, height: 2000 });
  const summary = page.locator('[data-scrolls]');
  await expect(page.getByRole('heading', { name: /offers$/ })).toBeVisible();
  await expect(summary).toHaveAttribute('data-scrolls', 'false');
  // Some 30 px less than it needs, and still a desk.
  await page.setViewportSize({ width: 1280, height: 530 });
  await expect(summary).toHaveAttribute('data-scrolls', 'true');
  // The scrollable area must not be mistaken for free space.
  const seen = await summary.evaluate(async (box) => {
    const states: (string | null)[] = [];
    for (let frame = 0; frame < 10; frame += 1) {
      await new Promise((done) => requestAnimationFrame(done));
      states.push(box.getAttribute('data-scrolls'));
    }
    return states;
  });
  expect(new Set(seen)).toEqual(new Set(['true']));
});

test('at Home what is next comes first, and each list below its heading', async ({
  page,
  signedIn,
  backstage,
  sender,
  courier,
}) => {
  const packages = await backstage.packages(sender, [{}, {}, {}, {}]);
  const [next] = packages;
  if (!next) throw new Error('Four were asked for.');
  await backstage.accept(courier, next);
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN;

  await test.step('a courier’s next stop, then Deliver', async () => {
    const { page: other } = await signedIn(courier);
    await other.setViewportSize(laptop);
    const stop = other.getByRole('link', { name: /^Next stop/ });
    await expect(stop).toBeVisible();
    expect(await topOf(stop)).toBeLessThan(await topOf(new HomePage(other).deliver));
  });

  await test.step('a sender’s next package', async () => {
    await withoutMap(page);
    await atDesk(page, sender, '/');
    const heading = page.getByRole('heading', { name: 'Under way' });
    await expect(heading).toBeVisible();
    expect(await topOf(page.getByRole('link', { name: /^Send again/ }))).toBeLessThan(
      await topOf(heading),
    );
    // Not the reminder above them.
    const rows = page
      .locator('a[href^="/package-detail/"]')
      .filter({ hasNotText: 'Send the link' });
    await expect(rows).toHaveCount(packages.length);
    const tops = await Promise.all((await rows.all()).map(topOf));
    expect(Math.min(...tops)).toBeGreaterThan(await topOf(heading));
    expect(new Set(tops).size).toBeLessThan(tops.length);
  });
});

test('a dispatcher’s Home has a column for each number, and the couriers', async ({
  page,
  backstage,
  sender,
  courier,
}) => {
  // Before all others.
  const early = { pickupDate: '2019-01-15T09:00', pickupAddress: unique('Gate') };
  const [late] = await backstage.packages(sender, [early]);
  if (!late) throw new Error('One was asked for.');
  await backstage.accept(courier, late);
  await withoutMap(page);
  await atDesk(page, await backstage.dispatcher(), '/');
  const heads = ['Late', 'Unassigned', 'In transit', 'Couriers'].map((name) =>
    page.getByRole('heading', { name: new RegExp(`^\\d+ ${name}$`) }),
  );
  for (const head of heads) await expect(head).toBeVisible();
  const boxes = await Promise.all(heads.map(async (head) => (await head.boundingBox()) ?? none));
  expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
  expect(new Set(boxes.map(({ x }) => x)).size).toBe(heads.length);
  // As late, and not again as under way.
  const rows = page.getByRole('link', { name: new RegExp(`^${late.pickupAddress}.*Late.*Sani$`) });
  await expect(rows).toHaveCount(1);
  await expect(page.getByRole('link', { name: /active deliver/ }).first()).toBeVisible();
  expect(await axeComplaints(page)).toEqual([]);
});

test('a dispatcher’s packages are a table that sorts, filters and opens by keys @long', async ({
  page,
  backstage,
  sender,
}) => {
  const made = await manyPackages(backstage, sender);
  const [first] = made;
  await backstage.accept(await backstage.courier(), first as (typeof made)[number]);
  const dispatcher = await backstage.dispatcher();
  await atDesk(page, dispatcher, '/delivery/all');
  const table = page.getByRole('table', { name: 'Packages' });
  await expect(table).toBeVisible();
  const search = page.getByRole('searchbox', { name: 'Search packages' });

  await test.step('/ searches, and letters are typed there', async () => {
    await page.keyboard.press('/');
    await expect(search).toBeFocused();
    await page.keyboard.type('jk Bale');
    await expect(search).toHaveValue('jk Bale');
    await search.fill(first?.packageId ?? '');
    await expect(row(page, first?.packageId ?? '')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(search).toHaveValue('');
    await expect(search).not.toBeFocused();
  });

  await test.step('a header sorts up, down and not', async () => {
    const header = page.getByRole('columnheader', { name: 'Price' });
    const prices = async () =>
      (await page.getByRole('cell', { name: /^₦/ }).allTextContents()).map((text) =>
        Number(text.replace(/\D/g, '')),
      );
    await expect(header).toHaveAttribute('aria-sort', 'none');
    await header.getByRole('button').click();
    await expect(header).toHaveAttribute('aria-sort', 'ascending');
    await expect.poll(prices).toEqual((await prices()).toSorted((a, b) => a - b));
    await header.getByRole('button').click();
    await expect(header).toHaveAttribute('aria-sort', 'descending');
    await expect.poll(prices).toEqual((await prices()).toSorted((a, b) => b - a));
    await header.getByRole('button').click();
    await expect(header).toHaveAttribute('aria-sort', 'none');
  });

  await test.step('a chip filters to as many rows as it says', async () => {
    const chip = page.getByRole('group', { name: 'Status' }).getByRole('button', {
      name: /^In Transit/,
    });
    const count = Number((await chip.textContent())?.replace(/\D/g, ''));
    expect(count).toBeGreaterThan(0);
    await chip.click();
    await expect(chip).toHaveAttribute('aria-pressed', 'true');
    await expect(table).toHaveAttribute('aria-rowcount', String(count + 1));
    await expect(row(page, first?.packageId ?? '')).toContainText('In Transit');
    await page.getByRole('button', { name: /^All \d/ }).click();
    await expect(row(page, made.at(-1)?.packageId ?? '')).toBeVisible();
  });

  await test.step('j and k move, Enter opens beside the table', async () => {
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await expect(rowLink(page, 1)).toBeFocused();
    await page.keyboard.press('k');
    await expect(rowLink(page, 0)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'Package Details' })).toBeFocused();
    await expect(page.getByRole('row').nth(1)).toHaveAttribute('aria-current', 'true');
    expect(await axeComplaints(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await expect(rowLink(page, 0)).toBeFocused();
  });

  await test.step('a whole row is a link of 44 px', async () => {
    // Without a courier, so among the first rows.
    const last = made.at(-1);
    const { x, y, width, height } = (await row(page, last?.packageId ?? '').boundingBox()) ?? none;
    expect(height).toBeGreaterThanOrEqual(44);
    await page.mouse.click(x + width - 20, y + 4);
    await expect(page).toHaveURL(`/package-detail/${last?._id}`);
  });

  await test.step('users are one, too', async () => {
    await page.goto('/users-list');
    await page.keyboard.press('/');
    await page.keyboard.type(sender.email);
    await row(page, sender.email).click();
    await expect(page).toHaveURL(`/edit-user/${sender.id}`);
    await expect(page.getByRole('main').getByLabel('First Name')).toHaveValue(sender.firstName);
    await expect(list(page).getByRole('table', { name: 'Users' })).toBeVisible();
    expect(await axeComplaints(page)).toEqual([]);
  });

  await test.step('on the widest window a new user’s fields are in pairs', async () => {
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.goto('/new-user');
    const topOf = async (label: string) => (await page.getByLabel(label).boundingBox())?.y;
    await expect(page.getByLabel('First Name')).toBeVisible();
    expect(await topOf('First Name')).toBe(await topOf('Last Name'));
    expect(await topOf('Email')).toBe(await topOf('Phone Number'));
  });
});
