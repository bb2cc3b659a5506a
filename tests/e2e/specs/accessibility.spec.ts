/**
 * Every screen and state of scripts/screenshots, visited once: on a small phone, upright, on its side
 * and with text of twice the size; and under axe: WCAG 2 A and AA and its best practices, light, and
 * dark by the rules for colours: the rest of the page is the same. All of it in `npm run test:long`; `npm test`
 * has axe in the tests of the screens, and the colours in tests/unit/contrast.test.ts.
 */
import { test as base, expect, type Page } from '@playwright/test';
import { roles, type Scene } from '#scripts/screenshots/scene.ts';
import { scenes } from '#scripts/screenshots/scenes.ts';
import { openStage, type Phone, type Stage } from '#scripts/screenshots/stage.ts';
import { axeComplaints, brokenWords, smallTargets, sticksOut } from '#tests/e2e/layout.ts';

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

const test = base.extend<object, { stage: Stage }>({
  stage: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures off this pattern.
    async ({}, use) => {
      const stage = await openStage('');
      await use(stage);
      await stage.close();
    },
    { scope: 'worker', timeout: 180_000 },
  ],
});

// One stage for all: setting it up costs more than the checks.
test.describe.configure({ mode: 'default' });

type Check = (page: Page) => Promise<string[]>;

async function look({ page, helpers, begin }: Phone, scene: Scene, check: Check) {
  try {
    await page.setViewportSize(usual);
    await page.emulateMedia({ colorScheme: 'light' });
    await begin(scene);
    const place = typeof scene.path === 'string' ? scene.path : await scene.path(helpers);
    await page.goto(place);
    await scene.reach(page, helpers);
    return await check(page);
  } catch (error) {
    // The following scenes are still checked.
    return [`was not reached: ${(error as Error).message}`];
  }
}

const usual = { width: 412, height: 915 };
const upright = { width: 360, height: 740 };
const onItsSide = { width: 740, height: 360 };

/** A virtual list follows the size a frame later. */
async function resize(page: Page, size: typeof upright, text: '' | '200%') {
  await page.setViewportSize(size);
  await page.evaluate(async (fontSize) => {
    // Not a style sheet, which the Content-Security-Policy refuses.
    document.documentElement.style.fontSize = fontSize;
    for (let frame = 0; frame < 3; frame += 1) {
      await new Promise((done) => requestAnimationFrame(done));
    }
  }, text);
}

/** The one action of a screen stays where the thumb is. */
async function hiddenActions(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // A dialog is in front of it.
    if (document.querySelector('dialog[open], [role=dialog]')) return [];
    return [...document.querySelectorAll('[data-actions] > :first-child')]
      .filter((element) => element.checkVisibility())
      .filter((element) => element.getBoundingClientRect().bottom > window.innerHeight + 0.5)
      .map((element) => `below the screen: ${element.outerHTML.slice(0, 100)}`);
  });
}

const onSmallPhone: Check = async (page) => {
  await resize(page, upright, '');
  const complaints = [...(await sticksOut(page)), ...(await smallTargets(page))];
  await resize(page, onItsSide, '');
  complaints.push(...(await sticksOut(page)), ...(await hiddenActions(page)));
  await resize(page, upright, '200%');
  complaints.push(...(await sticksOut(page)), ...(await brokenWords(page)));
  complaints.push(...(await hiddenActions(page)));
  await resize(page, usual, '');
  return complaints;
};

const at = async (place: string, complaints: Promise<string[]>) =>
  (await complaints).map((complaint) => `${place}: ${complaint}`);

/** The quick one first: a toast goes after some seconds. */
const everything: Check = async (page) => {
  const complaints = await at('small phone', onSmallPhone(page));
  for (const [colorScheme, tags] of [
    ['light', standards],
    ['dark', ['cat.color']],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    complaints.push(...(await at(colorScheme, axeComplaints(page, [...tags]))));
  }
  return complaints;
};

for (const role of roles) {
  const own = scenes.filter(({ as }) => as === role);
  test(`axe finds no violation, and a small phone has room: ${role} @long`, async ({ stage }) => {
    test.setTimeout(30_000 + own.length * 20_000);
    expect(own.length).toBeGreaterThan(0);
    const phone = await stage.phoneOf(role);
    for (const scene of own) {
      await test.step(scene.name, async () => {
        expect.soft(await look(phone, scene, everything), scene.name).toEqual([]);
      });
    }
  });
}
