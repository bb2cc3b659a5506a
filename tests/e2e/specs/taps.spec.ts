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

/** At most as much as before; a share of it where the screens were made for it. */
type Bound = readonly [before: Effort, share?: number];
type Act = (thumb: Thumb) => Promise<void>;

const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true });

/** A sender with some packages, of which a courier carries the first. */
async function underWay(backstage: Backstage, count = 3) {
  const { sender, courier, packages } = await backstage.offers(count);
  const [first] = packages as [PackageOnServer];
  await backstage.accept(courier, first);
  return { sender, courier, first };
}

/** From Home, as `act` does it: its effort is at most `before`, or that share of it. */
async function measure(page: Page, name: string, [before, share = 1]: Bound, act: Act) {
  await test.step(name, async () => {
    await page.goto('/');
    const thumb = await Thumb.on(page);
    await act(thumb);
    const [taps, scrolls] = before;
    test.info().annotations.push({
      type: `taps and scrolls: ${name}`,
      description: `${thumb.taps} + ${thumb.scrolls}, before ${taps} + ${scrolls}`,
    });
    expect.soft(thumb.taps + thumb.scrolls, name).toBeLessThanOrEqual((taps + scrolls) * share);
  });
}

const searchPackages = (page: Page) => page.getByRole('searchbox', { name: 'Search packages' });

test('a courier @long', async ({ signedIn, backstage }) => {
  // A short list has no search.
  const { courier, first } = await underWay(backstage, 5);
  const { page: free } = await signedIn(await backstage.courier());
  await measure(free, 'accepts', [[2, 0]], async (thumb) => {
    await thumb.tap(tab(free, 'Deliveries'));
    await thumb.tap(free.getByRole('button', { name: 'Accept Delivery' }).first());
    await expect(free.getByText('Delivery accepted!')).toBeVisible();
  });
  const { page } = await signedIn(courier);
  await measure(page, 'calls at the next stop', [[4, 2], 0.5], (thumb) =>
    thumb.reach(page.getByRole('link', { name: /^Call / })),
  );
  await measure(page, 'navigates to the next stop', [[4, 1]], (thumb) =>
    thumb.reach(page.getByRole('link', { name: /^Navigate to / })),
  );
  await measure(page, 'finds a package', [[2, 0]], async (thumb) => {
    await thumb.tap(tab(page, 'Deliveries'));
    await thumb.tap(searchPackages(page));
  });
  await measure(page, 'delivers', [[4, 2], 0.5], async (thumb) => {
    await thumb.tap(page.getByRole('link', { name: /^Next stop/ }));
    await thumb.tap(page.getByRole('button', { name: 'Package Delivered' }));
    await thumb.tap(page.getByRole('button', { name: 'Cash collected' }));
    await expect(page.getByText('Package marked as delivered!')).toBeVisible();
    await expect
      .poll(() => backstage.call(courier, 'GET', `/api/packages/${first._id}`))
      .toMatchObject({ deliveryStatus: 'Delivered', paymentStatus: 'paid' });
  });
});

test('a sender @long', async ({ signedIn, backstage }) => {
  // Home has three rows: the third is for the next package.
  const { sender, first } = await underWay(backstage, 2);
  const { page } = await signedIn(sender);
  const open = (thumb: Thumb) =>
    thumb.tap(page.getByRole('link', { name: first.description }).first());
  await measure(page, 'calls the courier', [[4, 2], 0.5], async (thumb) => {
    await open(thumb);
    await thumb.reach(
      page.locator('[data-actions]').getByRole('link', { name: 'Call Sani Bello' }),
    );
  });
  await measure(page, 'sees where it is', [[3, 0]], async (thumb) => {
    await open(thumb);
    await thumb.see(page.getByText('In Transit').first());
  });
  await measure(page, 'sends the same again', [[13, 0]], async (thumb) => {
    await thumb.tap(page.getByRole('link', { name: /^Send again/ }));
    await thumb.tap(page.getByRole('button', { name: 'Create Package' }));
    await expect(page.getByText('Package created successfully!')).toBeVisible();
  });
  await measure(page, 'confirms the delivery', [[4, 2]], async (thumb) => {
    await open(thumb);
    await thumb.tap(page.getByRole('button', { name: 'Package Delivered' }));
    await thumb.tap(page.getByRole('dialog').getByRole('button').first());
    await expect(page.getByText('Package marked as delivered!')).toBeVisible();
    await expect(page.getByText('Paid in cash', { exact: true })).toBeVisible();
  });
  // A shorter list has no search: its packages are all in sight.
  await backstage.packages(sender, 4);
  await measure(page, 'finds a package', [[2, 0]], async (thumb) => {
    await thumb.tap(tab(page, 'Tracking'));
    await thumb.tap(searchPackages(page));
  });
});

test('a dispatcher @long', async ({ signedIn, backstage }) => {
  // Shorter lists have no search.
  await underWay(backstage, 5);
  const { page } = await signedIn(await backstage.dispatcher());
  await measure(page, 'finds a package', [[2, 0]], async (thumb) => {
    await thumb.tap(tab(page, 'Deliveries'));
    await thumb.tap(searchPackages(page));
  });
  await measure(page, 'sees what nobody carries', [[1, 0]], async (thumb) => {
    await thumb.tap(page.getByRole('link', { name: /Unassigned/ }));
    await thumb.see(page.getByRole('article').first());
  });
  await measure(page, 'calls a courier', [[6, 4], 0.5], async (thumb) => {
    await thumb.tap(page.getByRole('link', { name: /In transit/ }));
    await thumb.tap(page.getByRole('link', { name: 'View Details' }).first());
    await thumb.reach(page.locator('[data-actions]').getByRole('link', { name: /^Call / }));
  });
  await measure(page, 'finds a user', [[3, 0]], async (thumb) => {
    await thumb.tap(tab(page, 'Account'));
    await thumb.tap(page.getByRole('link', { name: 'Users' }));
    await thumb.tap(page.getByRole('searchbox', { name: 'Search users' }));
  });
  await measure(page, 'assigns', [[5, 2]], async (thumb) => {
    await thumb.tap(page.getByRole('link', { name: /Unassigned/ }));
    await thumb.tap(page.getByRole('link', { name: 'View Details' }).first());
    await thumb.tap(page.getByRole('button', { name: 'Assign courier' }));
    const picker = page.getByRole('dialog', { name: 'Assign courier' });
    await thumb.tap(picker.getByRole('radio').first());
    await thumb.tap(picker.getByRole('button', { name: 'Assign courier' }));
    await expect(page.getByText(/^Assigned to /)).toBeVisible();
  });
});
