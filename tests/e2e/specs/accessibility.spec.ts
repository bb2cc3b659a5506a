/**
 * Every screen and state of scripts/screenshots under axe: WCAG 2 A and AA and its best practices,
 * light and dark. In dark mode only the colour rules run again: the rest of the page is the same.
 */
import AxeBuilder from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { roles, type Scene } from '#scripts/screenshots/scene.ts';
import { scenes } from '#scripts/screenshots/scenes.ts';
import { openStage, type Phone, type Stage } from '#scripts/screenshots/stage.ts';
import { longUnless } from '#tests/e2e/kaya.ts';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const test = base.extend<object, { stage: Stage }>({
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
    async ({}, use) => {
      const stage = await openStage('');
      await use(stage);
      await stage.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});

// One stage for all: setting it up costs more than the checks.
test.describe.configure({ mode: 'default' });

/** One line per violation, with location and reason. */
async function complaintsOf(page: Page, tags: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).withTags(tags);
  // Otherwise every check would open and close a page of its own.
  const { violations } = await axe.setLegacyMode(true).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => {
      const [, ...why] = failureSummary.split('\n');
      return `${id} at ${target.join(' ')}: ${why.join(' ').trim()}`;
    }),
  );
}

async function look({ page, helpers, settle }: Phone, scene: Scene): Promise<string[]> {
  try {
    await page.emulateMedia({ colorScheme: 'light' });
    await scene.before?.(helpers, page);
    const place = typeof scene.path === 'string' ? scene.path : await scene.path(helpers);
    await page.goto(place);
    await scene.reach(page, helpers);
    const light = await complaintsOf(page, standards);
    await page.emulateMedia({ colorScheme: 'dark' });
    // Mid-transition button colours belong to neither state.
    await page.evaluate(() =>
      Promise.allSettled(
        document
          .getAnimations()
          .filter((each) => each instanceof CSSTransition)
          .map(({ finished }) => finished),
      ).then(() => null),
    );
    const dark = await complaintsOf(page, ['cat.color']);
    return [...light, ...dark.map((line) => `in the dark: ${line}`)];
  } catch (error) {
    // The following scenes are still checked.
    return [`was not reached: ${(error as Error).message}`];
  } finally {
    await settle();
  }
}

for (const role of roles) {
  const own = scenes.filter(({ as }) => as === role);
  test(
    `axe finds no violation: ${role}`,
    longUnless(role === 'courier' || role === 'dispatcher'),
    async ({ stage }) => {
      test.setTimeout(30_000 + own.length * 10_000);
      expect(own.length).toBeGreaterThan(0);
      const phone = await stage.phoneOf(role);
      for (const scene of own) {
        await test.step(scene.name, async () => {
          expect.soft(await look(phone, scene), scene.name).toEqual([]);
        });
      }
    },
  );
}
