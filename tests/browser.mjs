// @ts-check
// Chromium for the browser tests: the 'headless shell', which takes two thirds of the processor
// time, or the full browser. Uses an installed one, then Debian's, then Playwright's.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { installFromDebian } from './debian.mjs';

const headlessShell = '/usr/bin/chromium-headless-shell';

const wholeBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  chromium.executablePath(),
];

/** Chromium's sandbox refuses root, which CI often uses. */
export const browserArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** The first that runs, or null. @param {(string | undefined)[]} candidates @returns {string | null} */
function firstOf(candidates) {
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue;
    if (spawnSync(candidate, ['--version'], { stdio: 'ignore' }).status === 0) return candidate;
  }
  return null;
}

/** The path of a Chromium that runs, or null. @returns {string | null} */
export function findBrowser() {
  return firstOf([process.env.CHROMIUM_PATH, headlessShell, ...wholeBrowsers]);
}

/**
 * The full browser, for features the headless shell lacks, such as installing and notifications.
 * @returns {string | null}
 */
export function findWholeBrowser() {
  return firstOf(wholeBrowsers);
}

/** Finds or installs one; throws with instructions if neither works. @returns {string} */
export function ensureBrowser() {
  const found = firstOf([process.env.CHROMIUM_PATH, headlessShell]);
  if (found) return found;
  console.error('Installing a headless Chromium for the real-browser tests, where Debian has one…');
  installFromDebian(['chromium-headless-shell', 'fonts-liberation']);
  if (!findBrowser()) {
    spawnSync('npx', ['--no-install', 'playwright', 'install', 'chromium'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
  }
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'No Chromium could be found or installed. Install one and set CHROMIUM_PATH to its executable.',
  );
}
