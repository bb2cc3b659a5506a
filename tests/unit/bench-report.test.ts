/** What the bench says of a figure: the command ends with 1 by this. */
import { spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { growthTablesOf, isMissed, isWanting, tableOf } from '#bench/report.mjs';
import { type PartResult, pageWith, writeResults } from '#bench/results.mjs';

const figure = { what: 'accept', unit: 'calls/s', kaya: 600 };

describe('a bar', () => {
  test.each([
    [{}, false],
    [{ most: 600 }, false],
    [{ most: 599 }, true],
    [{ least: 601 }, true],
    [{ peer: 800, leastRatio: 0.7 }, false],
    [{ peer: 1200, leastRatio: 0.7 }, true],
    [{ peer: 500, mostRatio: 1.15 }, true],
    // The median of the rounds counts, not the ratio of the medians.
    [{ peer: 800, ratio: 0.69, leastRatio: 0.7 }, true],
    // What was not measured is not reached.
    [{ kaya: Number.NaN, most: 600 }, true],
    [{ leastRatio: 0.7 }, true],
    [{ least: 1, most: 10 }, true],
  ])('%j is missed: %s', (more, isTooFar) => {
    expect(isMissed({ ...figure, ...more })).toBe(isTooFar);
  });
});

test('a part is wanting where it failed or misses a bar', () => {
  const good = { ...figure, most: 600 };
  const missed = { ...figure, most: 599 };
  expect(isWanting({ failure: null, figures: [] })).toBe(false);
  expect(isWanting({ failure: null, figures: [good] })).toBe(false);
  expect(isWanting({ failure: null, figures: [good, missed] })).toBe(true);
  expect(isWanting({ failure: '`page` ended with 1', figures: [good] })).toBe(true);
});

describe('the command ends with 1', () => {
  const bench = (...args: string[]) => {
    const command = ['bench/run.mjs', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test('where a part fails, here for a piece that it does not have', () => {
    const { status, stdout, stderr } = bench('client', 'delta', 'nonsense');
    expect(stderr).toContain(
      "There is no piece 'nonsense' of client: start, enqueue, oneLane, fourLanes, list, delta.\n",
    );
    expect(stdout).toContain('**Not whole: `bench/client/main.mjs` ended with 1.**');
    expect(status).toBe(1);
  });

  test.each([
    [['nonsense'], "There is no part 'nonsense': server, client, page, growth.\n"],
    [
      ['server', 'nonsense'],
      "Only 'client' has pieces; 'server' is measured whole: npm run bench -- server.\n",
    ],
  ])('before it measures anything: %j', (args, stderr) => {
    expect(bench(...args)).toEqual({ status: 1, stdout: '', stderr });
  });
});

test('one table holds all parts, and tells beside which peer and by which bar', () => {
  const peer = { peer: 800, peerName: 'bare server', leastRatio: 0.7 };
  const groups = [
    { name: 'server', figures: [{ ...figure, ...peer }] },
    { name: 'client', figures: [] },
    { name: 'page', figures: [{ what: 'heap', unit: 'MB', kaya: 0.25 }] },
  ];
  expect(tableOf(groups).split('\n').slice(2)).toEqual([
    '| **server** |  |  |  |  |  |  |  |',
    '| accept | calls/s | 600 | 800 | bare server | 0.75 | ≥ 0.7 × | yes |',
    '| **page** |  |  |  |  |  |  |  |',
    '| heap | MB | 0.25 |  |  |  |  |  |',
  ]);
});

test('what grows by different things stands in different tables', () => {
  const ofPackages = { what: 'heap', unit: 'MB', by: 'packages' };
  const ofOperations = { what: 'sent', unit: 'ms', by: 'operations' };
  const text = growthTablesOf([
    { ...ofPackages, steps: [100, 1_000].map((size) => ({ size, figure: size / 50 })) },
    { ...ofOperations, steps: [{ size: 1, figure: 55.5 }] },
    { ...ofPackages, what: 'paint', steps: [{ size: 1_000, figure: 300 }] },
  ]);
  expect(text.split('\n')).toEqual([
    '| packages | unit | 100 | 1,000 |',
    '| --- | --- | ---: | ---: |',
    '| heap | MB | 2.0 | 20.0 |',
    '| paint | MB |  | 300 |',
    '',
    '| operations | unit | 1 |',
    '| --- | --- | ---: |',
    '| sent | ms | 55.5 |',
  ]);
});

describe('the files', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'kaya-bench-report-'));
    mkdirSync(path.join(folder, 'docs'));
    writeFileSync(path.join(folder, page), readFileSync(page, 'utf8'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const page = 'docs/performance.md';
  const names = ['server', 'client', 'page'];
  const part = (name: string, kaya: number): PartResult => ({
    ...{ name, measuredAt: '2026-11-22T12:00:00.000Z', seconds: 90 },
    ...{ machine: '2 × EPYC, 8 GB', node: '20.20.0', browser: 'Chromium 140' },
    ...{ failure: null, figures: [{ ...figure, kaya }], growth: [] },
  });
  const results = (name: string) => readFileSync(path.join(folder, 'bench/results', name), 'utf8');
  const written = () => JSON.parse(results('latest.json')).parts;

  test('a part that is measured anew takes the place of its former run, and leaves the others', () => {
    writeResults(folder, names, [part('page', 1), part('server', 2)]);
    writeResults(folder, names, [part('page', 3)]);
    expect(written()).toEqual([part('server', 2), part('page', 3)]);
  });

  test('a file that is replaced is never there by half: who has the old one keeps all of it', () => {
    writeResults(folder, names, [part('page', 1)]);
    const places = [page, 'bench/results/latest.json', 'bench/results/latest.md'];
    const pairs = places.map((name, index) => {
      const old = path.join(folder, `old-${index}`);
      linkSync(path.join(folder, name), old);
      return { name: path.join(folder, name), old, text: readFileSync(old, 'utf8') };
    });
    writeResults(folder, names, [part('page', 2)]);
    for (const { name, old, text } of pairs) {
      expect(readFileSync(old, 'utf8')).toBe(text);
      expect(readFileSync(name, 'utf8')).not.toBe(text);
    }
  });

  test('where the page has no place for them, nothing is written', () => {
    writeResults(folder, names, [part('page', 1)]);
    writeFileSync(path.join(folder, page), '# Performance');
    expect(() => writeResults(folder, names, [part('page', 2)])).toThrow(`${page} has no`);
    expect(written()).toEqual([part('page', 1)]);
  });

  test('people read when and where, and what is missing', () => {
    const failure = '`page` ended with 1';
    writeResults(folder, names, [{ ...part('page', 1), failure }]);
    for (const text of [results('latest.md'), readFileSync(path.join(folder, page), 'utf8')]) {
      expect(text).toContain(
        '- page: 2026-11-22 12:00 UTC, 1.5 minutes, 2 × EPYC, 8 GB, Node 20.20.0, Chromium 140.',
      );
      expect(text).toContain('**Not whole: `page` ended with 1.**');
      expect(text).not.toContain('- server: ');
    }
  });

  test('the documented figures are the latest results, and the rest of the page stays', () => {
    const text = readFileSync(page, 'utf8');
    const { parts } = JSON.parse(readFileSync('bench/results/latest.json', 'utf8'));
    expect(pageWith(text, parts)).toBe(text);
    expect(() => pageWith('# Performance', parts)).toThrow(`${page} has no`);
  });
});
