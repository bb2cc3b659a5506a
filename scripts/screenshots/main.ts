/**
 * Takes screenshots of every scene in four sizes, light and dark. A scene that is not reached
 * fails the run; the others are still taken.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { type BestPicture, bestPictures, fileOf } from './best.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';
import { openStage, type Phone } from './stage.ts';

const sizes = [
  { width: 360, height: 740 },
  { width: 412, height: 915 },
  { width: 1280, height: 800 },
  { width: 1920, height: 1080 },
];
const schemes = ['light', 'dark'] as const;

interface Options {
  folder: string;
  /** Only scenes whose `role-name` contains this. */
  only: string;
  /** Only this size: '360x740'. */
  size: string;
  /** Only this scheme: 'light' or 'dark'. */
  scheme: string;
  /** Address of a running demo; empty to start one. */
  server: string;
  /** Only the screenshots of best.ts, under their names there. */
  best: boolean;
}

const titleOf = ({ as, name }: Scene) => `${as}-${name}`;

const bestOf = (scene: Scene): BestPicture[] =>
  bestPictures.filter((picture) => picture.scene === titleOf(scene));

/** The screenshot's file name; null: not wanted. */
function wantedFile(scene: Scene, size: string, scheme: string, options: Options): string | null {
  if (options.best) {
    const picture = bestOf(scene).find((best) => best.size === size && best.scheme === scheme);
    return picture ? fileOf(picture) : null;
  }
  if (options.size && options.size !== size) return null;
  if (options.scheme && options.scheme !== scheme) return null;
  return `${titleOf(scene)}-${size}-${scheme}.png`;
}

/** Rail and panes load with the first wide window; the screens without a session have none. */
async function untilDesk(page: Page) {
  const desk = page.locator('html[data-desk]');
  await desk.waitFor({ state: 'attached', timeout: 2_000 }).catch(() => undefined);
}

/** Two frames: content that depends on the size (virtual lists) has rendered by then. */
async function untilRendered(page: Page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** As a phone does when its keyboard opens: the scene was played in a window of another size. */
const revealField = (page: Page) =>
  page.evaluate(() =>
    document.querySelector('input:focus, textarea:focus')?.scrollIntoView({ block: 'nearest' }),
  );

async function takePictures(page: Page, scene: Scene, options: Options) {
  for (const { width, height } of sizes) {
    const size = `${width}x${height}`;
    for (const colorScheme of schemes) {
      const file = wantedFile(scene, size, colorScheme, options);
      if (file === null) continue;
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      if (width >= 900 && scene.as !== 'visitor') await untilDesk(page);
      await untilRendered(page);
      await revealField(page);
      if (scene.isFoot) {
        await page.locator('main').evaluate((main) => main.scrollTo(0, main.scrollHeight));
        await untilRendered(page);
      }
      await page.screenshot({
        path: path.join(options.folder, file),
        // Ended, the splash's would show what comes after twelve seconds.
        animations: (await page.locator('.boot').count()) > 0 ? 'allow' : 'disabled',
        scale: width < 1000 && !options.best ? 'device' : 'css',
      });
    }
  }
}

async function play(phone: Phone, scene: Scene, options: Options) {
  const { page, helpers } = phone;
  try {
    await page.setViewportSize({ width: 412, height: 915 });
    await page.emulateMedia({ colorScheme: 'light' });
    await phone.begin(scene);
    const place = typeof scene.path === 'string' ? scene.path : await scene.path(helpers);
    await page.goto(place);
    await scene.reach(page, helpers);
    await takePictures(page, scene, options);
  } catch (error) {
    // Shows what was on screen instead.
    await page.screenshot({
      path: path.join(options.folder, `missed-${titleOf(scene)}.png`),
    });
    throw error;
  }
}

/** Resolves with whether every scene was reached. */
export async function main(options: Options): Promise<boolean> {
  await mkdir(options.folder, { recursive: true });
  const wanted = scenes.filter((scene) =>
    options.best ? bestOf(scene).length > 0 : titleOf(scene).includes(options.only),
  );
  const stage = await openStage(options.server);
  let missed = 0;
  try {
    for (const scene of wanted) {
      const title = titleOf(scene);
      try {
        await play(await stage.phoneOf(scene.as), scene, options);
        process.stdout.write(`${title}\n`);
      } catch (error) {
        missed += 1;
        process.stdout.write(`${title}: NOT REACHED, ${(error as Error).message.split('\n')[0]}\n`);
      }
    }
  } finally {
    await stage.close();
  }
  process.stdout.write(
    `${wanted.length - missed} of ${wanted.length} scenes in ${options.folder}\n`,
  );
  return missed === 0;
}
