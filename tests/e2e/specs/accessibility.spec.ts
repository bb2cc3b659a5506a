/**
 * Every screen and state of scripts/screenshots under axe: WCAG 2 A and AA and its best practices,
 * light, and dark by the rules for colours: the rest of the page is the same. `npm test` leaves the
 * colours of the dark to tests/unit/contrast.test.ts.
 */
import { test as base, expect } from '@playwright/test';
import { roles, type Scene } from '#scripts/screenshots/scene.ts';
import { scenes } from '#scripts/screenshots/scenes.ts';
import { openStage, type Phone, type Stage } from '#scripts/screenshots/stage.ts';
import { longUnless } from '#tests/e2e/kaya.ts';
import { axeComplaints } from '#tests/e2e/layout.ts';

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

async function look({ page, helpers, begin }: Phone, scene: Scene, tags: string[]) {
  try {
    await begin(scene);
    const place = typeof scene.path === 'string' ? scene.path : await scene.path(helpers);
    await page.goto(place);
    await scene.reach(page, helpers);
    return await axeComplaints(page, tags);
  } catch (error) {
    // The following scenes are still checked.
    return [`was not reached: ${(error as Error).message}`];
  }
}

for (const role of roles) {
  for (const [colorScheme, tags] of [
    ['light', standards],
    ['dark', ['cat.color']],
  ] as const) {
    const own = scenes.filter(({ as }) => as === role);
    const isUsual = ['courier', 'dispatcher'].includes(role) && colorScheme === 'light';
    test(
      `axe finds no violation: ${role}, ${colorScheme}`,
      longUnless(isUsual),
      async ({ stage }) => {
        test.setTimeout(30_000 + own.length * 10_000);
        expect(own.length).toBeGreaterThan(0);
        const phone = await stage.phoneOf(role);
        await phone.page.emulateMedia({ colorScheme });
        for (const scene of own) {
          await test.step(scene.name, async () => {
            expect.soft(await look(phone, scene, [...tags]), scene.name).toEqual([]);
          });
        }
      },
    );
  }
}
