// @ts-check
// The browser of the real-browser tests: one that is there, else Debian's, else Playwright's own.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';

const candidates = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  chromium.executablePath(),
];

/** The path of a Chromium that runs, or null. @returns {string | null} */
export function findBrowser() {
  for (const candidate of candidates) {
    if (!candidate || !existsSync(candidate)) continue;
    if (spawnSync(candidate, ['--version'], { stdio: 'ignore' }).status === 0) return candidate;
  }
  return null;
}

/** @param {string} command @param {string[]} args */
function tried(command, args) {
  return spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
}

function installFromDebian() {
  if (!existsSync('/usr/bin/apt-get')) return false;
  const isRoot = process.getuid?.() === 0;
  const [command, ...before] = isRoot ? ['apt-get'] : ['sudo', '-n', 'apt-get'];
  if (!command) return false;
  const packages = ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation'];
  return (
    tried(command, [...before, 'update', '-qq']) && tried(command, [...before, '-qq', ...packages])
  );
}

/** Finds or installs one; throws with what to do where neither goes. @returns {string} */
export function ensureBrowser() {
  const found = findBrowser();
  if (found) return found;
  console.error('No Chromium here; installing one for the real-browser tests…');
  if (!installFromDebian()) tried('npx', ['--no-install', 'playwright', 'install', 'chromium']);
  const installed = findBrowser();
  if (installed) return installed;
  throw new Error(
    'No Chromium could be found or installed. Install one and set CHROMIUM_PATH to its executable.',
  );
}
