/**
 * What each role does most, counted in taps and scrolls on a small phone, from Home. `before` was
 * measured by the same thumb, on a larger phone, before the screens led (docs/design.md).
 */
import type { Locator, Page } from '@playwright/test';
import type { Backstage, PackageOnServer } from '#tests/e2e/backstage.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

/** Counts as a person does: a tap each, and a swipe of most of a screen until the target shows. */
class Thumb {
  taps = 0;
  scrolls = 0;

  private constructor(private readonly page: Page) {}

  /** On a small phone. */
  static async on(page: Page): Promise<Thumb> {
    await page.setViewportSize({ width: 360, height: 740 });
    return new Thumb(page);
  }

  async see(target: Locator): Promise<void> {
    await target.waitFor({ state: 'attached' });
    for (;;) {
      const away = await target.evaluate((element) => {
        const { top, bottom } = element.getBoundingClientRect();
        const height = window.innerHeight;
        // Behind a bar or the tabs it cannot be pressed.
        const y = (top + bottom) / 2;
        const above = document.elementFromPoint(element.getBoundingClientRect().left + 8, y);
        if (y < 0) return -1;
        if (y > height || !above) return 1;
        return element.contains(above) || above.contains(element) ? 0 : y > height / 2 ? 1 : -1;
      });
      if (away === 0) return;
      this.scrolls += 1;
      if (this.scrolls > 20) throw new Error('Never came into view.');
      // Where the thumb is: on Home, over the sheet and not the map.
      await this.page.mouse.move(180, 600);
      await this.page.mouse.wheel(0, away * 450);
      await this.page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    }
  }

  async tap(target: Locator): Promise<void> {
    await this.see(target);
    this.taps += 1;
    await target.click();
  }

  /** A tap that leaves the app, as to the dialler: counted, not made. */
  async reach(target: Locator): Promise<void> {
    await this.see(target);
    this.taps += 1;
    await expect(target).toHaveAttribute('href', /./);
  }
}

type Effort = readonly [taps: number, scrolls: number];

/** At most as much as before; half of it where the screens were made for it. */
function expectAtMost(thumb: Thumb, before: Effort, share = 1) {
  const [taps, scrolls] = before;
  test.info().annotations.push({
    type: 'taps and scrolls',
    description: `${thumb.taps} + ${thumb.scrolls}, before ${taps} + ${scrolls}`,
  });
  expect(thumb.taps + thumb.scrolls).toBeLessThanOrEqual((taps + scrolls) * share);
}

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

/** A sender with some packages, of which a courier carries the first. */
async function underWay(backstage: Backstage, count = 3) {
  const { sender, courier, packages } = await backstage.offers(count);
  const [first] = packages as [PackageOnServer];
  await backstage.accept(courier, first);
  return { sender, courier, first };
}

test.describe('a courier @long', () => {
  test('accepts', async ({ signedIn, backstage }) => {
    const { courier } = await backstage.offers(1);
    const { page } = await signedIn(courier);
    const thumb = await Thumb.on(page);
    await thumb.tap(tab(page, 'Deliveries'));
    await thumb.tap(page.getByRole('button', { name: 'Accept Delivery' }).first());
    await expect(page.getByText('Delivery accepted!')).toBeVisible();
    expectAtMost(thumb, [2, 0]);
  });

  test('delivers', async ({ signedIn, backstage }) => {
    const { courier, first } = await underWay(backstage);
    const { page } = await signedIn(courier);
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: /^Next stop/ }));
    await thumb.tap(page.getByRole('button', { name: 'Package Delivered' }));
    await thumb.tap(page.getByRole('button', { name: 'Cash collected' }));
    await expect(page.getByText('Package marked as delivered!')).toBeVisible();
    await expect
      .poll(() => backstage.call(courier, 'GET', `/api/packages/${first._id}`))
      .toMatchObject({ deliveryStatus: 'Delivered', paymentStatus: 'paid' });
    expectAtMost(thumb, [4, 2], 0.5);
  });

  test('calls at the next stop', async ({ signedIn, backstage }) => {
    const { page } = await signedIn((await underWay(backstage)).courier);
    const thumb = await Thumb.on(page);
    await thumb.reach(page.getByRole('link', { name: /^Call / }));
    expectAtMost(thumb, [4, 2], 0.5);
  });

  test('navigates to the next stop', async ({ signedIn, backstage }) => {
    const { page } = await signedIn((await underWay(backstage)).courier);
    const thumb = await Thumb.on(page);
    await thumb.reach(page.getByRole('link', { name: /^Navigate to / }));
    expectAtMost(thumb, [4, 1]);
  });

  test('finds a package', async ({ signedIn, backstage }) => {
    // A short list has no search.
    const { page } = await signedIn((await underWay(backstage, 5)).courier);
    const thumb = await Thumb.on(page);
    await thumb.tap(tab(page, 'Deliveries'));
    await thumb.tap(page.getByRole('searchbox', { name: 'Search packages' }));
    expectAtMost(thumb, [2, 0]);
  });
});

test.describe('a sender @long', () => {
  test('sends the same again', async ({ signedIn, backstage }) => {
    // Home has three rows: the third is for the next package.
    const { page } = await signedIn((await underWay(backstage, 2)).sender);
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: /^Send again/ }));
    await thumb.tap(page.getByRole('button', { name: 'Create Package' }));
    await expect(page.getByText('Package created successfully!')).toBeVisible();
    expectAtMost(thumb, [13, 0]);
  });

  test('calls the courier', async ({ signedIn, backstage }) => {
    const { sender, first } = await underWay(backstage);
    const { page } = await signedIn(sender);
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: first.description }).first());
    await thumb.reach(
      page.locator('[data-actions]').getByRole('link', { name: 'Call Sani Bello' }),
    );
    expectAtMost(thumb, [4, 2], 0.5);
  });

  test('sees where it is', async ({ signedIn, backstage }) => {
    const { sender, first } = await underWay(backstage);
    const { page } = await signedIn(sender);
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: first.description }).first());
    await thumb.see(page.getByText('In Transit').first());
    expectAtMost(thumb, [3, 0]);
  });

  test('confirms the delivery', async ({ signedIn, backstage }) => {
    const { sender, first } = await underWay(backstage);
    const { page } = await signedIn(sender);
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: first.description }).first());
    await thumb.tap(page.getByRole('button', { name: 'Package Delivered' }));
    await thumb.tap(page.getByRole('dialog').getByRole('button').first());
    await expect(page.getByText('Package marked as delivered!')).toBeVisible();
    expectAtMost(thumb, [4, 2]);
  });

  test('finds a package', async ({ signedIn, backstage }) => {
    // A shorter list has no search: its packages are all in sight.
    const { page } = await signedIn((await backstage.offers(4)).sender);
    const thumb = await Thumb.on(page);
    await thumb.tap(tab(page, 'Tracking'));
    await thumb.tap(page.getByRole('searchbox', { name: 'Search packages' }));
    expectAtMost(thumb, [2, 0]);
  });
});

test.describe('a dispatcher @long', () => {
  test('assigns', async ({ signedIn, backstage }) => {
    await underWay(backstage);
    const { page } = await signedIn(await backstage.dispatcher());
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: /Unassigned/ }));
    await thumb.tap(page.getByRole('link', { name: 'View Details' }).first());
    await thumb.tap(page.getByRole('button', { name: 'Assign courier' }));
    const picker = page.getByRole('dialog', { name: 'Assign courier' });
    await thumb.tap(picker.getByRole('radio').first());
    await thumb.tap(picker.getByRole('button', { name: 'Assign courier' }));
    await expect(page.getByText(/^Assigned to /)).toBeVisible();
    expectAtMost(thumb, [5, 2]);
  });

  test('sees what nobody carries', async ({ signedIn, backstage }) => {
    await underWay(backstage);
    const { page } = await signedIn(await backstage.dispatcher());
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: /Unassigned/ }));
    await thumb.see(page.getByRole('article').first());
    expectAtMost(thumb, [1, 0]);
  });

  test('calls a courier', async ({ signedIn, backstage }) => {
    await underWay(backstage);
    const { page } = await signedIn(await backstage.dispatcher());
    const thumb = await Thumb.on(page);
    await thumb.tap(page.getByRole('link', { name: /In transit/ }));
    await thumb.tap(page.getByRole('link', { name: 'View Details' }).first());
    await thumb.reach(page.locator('[data-actions]').getByRole('link', { name: /^Call / }));
    expectAtMost(thumb, [6, 4], 0.5);
  });

  test('finds a package', async ({ signedIn, backstage }) => {
    // Shorter lists have no search.
    await backstage.offers(4);
    const { page } = await signedIn(await backstage.dispatcher());
    const thumb = await Thumb.on(page);
    await thumb.tap(tab(page, 'Deliveries'));
    await thumb.tap(page.getByRole('searchbox', { name: 'Search packages' }));
    expectAtMost(thumb, [2, 0]);
  });

  test('finds a user', async ({ signedIn, backstage }) => {
    const { page } = await signedIn(await backstage.dispatcher());
    const thumb = await Thumb.on(page);
    await thumb.tap(tab(page, 'Account'));
    await thumb.tap(page.getByRole('link', { name: 'Users' }));
    await thumb.tap(page.getByRole('searchbox', { name: 'Search users' }));
    expectAtMost(thumb, [3, 0]);
  });
});
