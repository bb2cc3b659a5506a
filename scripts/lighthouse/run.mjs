// @ts-check
// `npm run lighthouse`: audits the built app with Lighthouse's mobile preset, as on a first visit.
// Exits with 1 if a score is below its bar. `-- N` sets the number of runs; the median counts.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from '@playwright/test';
import { median } from '#bench/figures.mjs';
import { startKaya } from '#bench/page/served.mjs';
import { tableOfRows } from '#bench/report.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  exitOnPrepareError,
  root,
} from '#server/commands/prepare.mjs';
import { ensureBrowser } from '#tests/browser.mjs';

const bars = { performance: 0.95, accessibility: 1, 'best-practices': 1 };
const times = Number(process.argv[2] ?? 3);

await exitOnPrepareError(() => {
  ensureInstalled();
  ensureBuilt();
});
const folder = path.join(root, 'scripts/lighthouse/judge');
if (!existsSync(path.join(folder, 'node_modules'))) {
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' });
  if (status !== 0) throw new Error(`Installing Lighthouse ended with ${status}.`);
}
const entry = path.join(folder, 'node_modules/lighthouse/core/index.js');
const { default: lighthouse } = await import(pathToFileURL(entry).href);

const port = 9_333;
const kaya = await startKaya();
const args = [`--remote-debugging-port=${port}`];
if (process.getuid?.() === 0) args.push('--no-sandbox');
const browser = await chromium.launch({ executablePath: ensureBrowser(), args });

/** @type {Record<string, number[]>} */
const scores = {};
/** @type {Set<string>} */
const complaints = new Set();
try {
  for (let time = 0; time < times; time += 1) {
    const { lhr } = await lighthouse(`${kaya.url}/auth`, {
      port,
      output: 'json',
      logLevel: 'error',
      onlyCategories: Object.keys(bars),
    });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    for (const [name, { score, auditRefs }] of Object.entries(lhr.categories)) {
      scores[name] = [...(scores[name] ?? []), score];
      for (const { id, weight } of auditRefs) {
        const { score: part, title, displayValue = '' } = lhr.audits[id];
        if (weight > 0 && part !== null && part < 0.9) {
          complaints.add(`${name}: ${title} ${displayValue}`.trim());
        }
      }
    }
  }
} finally {
  await browser.close();
  await kaya.stop();
}
const rows = Object.entries(bars).map(([name, bar]) => {
  const score = median(scores[name] ?? []);
  return [name, score.toFixed(2), `≥ ${bar}`, score >= bar ? 'yes' : 'no'];
});
const head = [
  ['/auth, mobile', 'score', 'bar', 'met'],
  ['---', '---:', '---', '---'],
];
const lines = [tableOfRows([...head, ...rows]), ...[...complaints].map((each) => `- ${each}`)];
process.stdout.write(`${lines.join('\n')}\n`);
process.exitCode = rows.every((row) => row.at(-1) === 'yes') ? 0 : 1;
