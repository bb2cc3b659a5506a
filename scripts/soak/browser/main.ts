/** The soak test's entry point: starts a server, proxy and browser. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { findBrowser } from '#tests/browser.mjs';
import { createBackstage } from '#tests/e2e/backstage.ts';
import { startFaultProxy } from '#tests/fakes/fault-proxy.ts';
import { startServer } from '#tests/fakes/server-process.ts';
import { soak } from './run.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

/** False: something was lost, duplicated or differs. */
export async function main({ forMs, seed }: { forMs: number; seed: number }): Promise<boolean> {
  const executablePath = process.env.CHROMIUM_PATH ?? findBrowser();
  if (!executablePath) throw new Error('No Chromium found; run `npm test`, which installs one.');
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kaya-soak-'));
  const server = await startServer({
    isLongLived: true,
    env: { DATA_DIR: dataDir, RATE_LIMIT: 'off' },
  });
  const network = await startFaultProxy(server.url);
  const browser = await chromium.launch({
    executablePath,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    say(`Seed ${seed}, ${Math.round(forMs / 1_000)} s of faults, four tabs of two users.`);
    const backstage = createBackstage(server.url);
    const { complaints } = await soak({ browser, backstage, network, seed, forMs, say });
    for (const complaint of complaints) say(`✗ ${complaint}`);
    if (complaints.length === 0) say('Nothing lost, nothing duplicated, all views equal.');
    return complaints.length === 0;
  } finally {
    await browser.close();
    await network.close();
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}
