import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { sorted } from '#sw/parts.ts';
import { built, filesOf, gzipSize, isOfTheMap, precached, weigh } from '#tests/budgets/built.ts';

describe('the built app', () => {
  // Without the parts that only a dispatcher's phone or a wide window stores.
  const shell = sorted(precached()).shell as string[];
  const map = shell.filter(isOfTheMap);

  it('has at most 14 kB of styles', () => {
    expect(weigh(filesOf('css'))).toBeLessThanOrEqual(14_000);
  });

  it('precaches at most 648 kB, 356 kB without the map', () => {
    expect(map.length).toBeGreaterThan(1);
    expect(weigh(shell)).toBeLessThanOrEqual(648_000);
    expect(weigh(shell.filter((file) => !isOfTheMap(file)))).toBeLessThanOrEqual(356_000);
  });

  it('precaches all its parts except those few phones need', () => {
    const missing = [...filesOf('js'), ...filesOf('css')].filter((file) => !shell.includes(file));
    // A hash may contain a dash.
    const names = new Set(missing.map((file) => file.replace(/-[\w-]{8}\.\w+$/, '')));
    expect([...names].sort()).toEqual([
      'assets/courier-parts',
      'assets/desk',
      'assets/dispatcher-parts',
      'assets/memory-storage',
      'assets/qr-reader',
    ]);
  });

  it('asks for no part that loads behind the first screen before it', () => {
    const page = readFileSync(path.join(built, 'index.html'), 'utf8');
    const { screens } = JSON.parse(/files = (\{.*\})/.exec(page)?.[1] ?? '');
    const [ofLists, ofHome] = screens.map(([, files]: [string, string[]]) => files.join());
    expect(ofLists).toMatch(/lists-/);
    expect(`${ofLists} ${ofHome}`).not.toMatch(/behind-|rest-/);
  });

  it('has at most 5 kB of script for the recipient’s page, which no phone stores', () => {
    expect(gzipSize('track/live.js')).toBeLessThanOrEqual(5_000);
    expect(precached().filter((file) => file.includes('track/'))).toEqual([]);
  });
});
