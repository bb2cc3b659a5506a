// @ts-check
// Firefox and WebKitGTK for the engine tests: installed ones, otherwise Debian's. Chromium:
// tests/browser.mjs.
import { spawnSync } from 'node:child_process';
import { installFromDebian } from '#tests/debian.mjs';

/** @param {string} program */
function isThere(program) {
  return spawnSync(program, ['--help'], { stdio: 'ignore' }).error === undefined;
}

/**
 * Returns the first that starts; installs the packages if none does. Throws with `advice` if that
 * fails too.
 * @param {(string | undefined)[]} candidates @param {string[]} packages @param {string} advice
 * @returns {string}
 */
function ensure(candidates, packages, advice) {
  const find = () => candidates.find((candidate) => candidate && isThere(candidate));
  const found = find();
  if (found) return found;
  process.stderr.write(`Installing ${packages.join(' and ')} for the tests of other engines…\n`);
  installFromDebian(packages);
  const installed = find();
  if (installed) return installed;
  throw new Error(advice);
}

/** @returns {string} the executable of a Firefox */
export function ensureFirefox() {
  return ensure(
    [process.env.FIREFOX_PATH, 'firefox-esr', 'firefox'],
    ['firefox-esr'],
    'No Firefox could be found or installed. Install one and set FIREFOX_PATH to its executable.',
  );
}

/** WebKitGTK's driver and a display for it. @returns {{ driver: string, display: string }} */
export function ensureWebKit() {
  const packages = ['webkit2gtk-driver', 'xvfb'];
  const advice = `Debian's packages ${packages.join(' and ')} could not be found or installed.`;
  return {
    driver: ensure(['WebKitWebDriver'], packages, advice),
    display: ensure(['Xvfb'], packages, advice),
  };
}
