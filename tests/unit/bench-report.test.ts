/** Verdicts of the bench, which decide its exit code. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { isMissed, isWanting } from '#bench/report.mjs';
import { pageWith, sections } from '#bench/results.mjs';
import { capacityOf, coresFor, costs, costsIn, plotPath, scalingOf } from '#bench/scaling.mjs';

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
    // An unmeasured figure fails.
    [{ kaya: Number.NaN, most: 600 }, true],
    [{ leastRatio: 0.7 }, true],
    [{ least: 1, most: 10 }, true],
  ])('%j is missed: %s', (more, isTooFar) => {
    expect(isMissed({ ...figure, ...more })).toBe(isTooFar);
  });
});

test('a part fails if it errors or misses a bar', () => {
  const good = { ...figure, most: 600 };
  const missed = { ...figure, most: 599 };
  expect(isWanting({ failure: null, figures: [] })).toBe(false);
  expect(isWanting({ failure: null, figures: [good] })).toBe(false);
  expect(isWanting({ failure: null, figures: [good, missed] })).toBe(true);
  expect(isWanting({ failure: '`page` ended with 1', figures: [good] })).toBe(true);
});

const { parts } = JSON.parse(readFileSync('bench/results/latest.json', 'utf8'));

test.each(
  Object.entries(sections),
)('%s has the latest results, and the rest of the page stays', (page, textOf) => {
  const text = readFileSync(page, 'utf8');
  expect(pageWith(text, textOf(parts))).toBe(text);
  expect(() => pageWith('# Performance', 'figures')).toThrow('The page has no');
});

test('the plot is of the latest results', () => {
  const { plot } = scalingOf(parts);
  expect(existsSync(plotPath) ? readFileSync(plotPath, 'utf8') : null).toBe(plot);
});

describe('what a machine carries', () => {
  const figure = (what: string, unit: string, kaya: number) => ({ what, unit, kaya });
  const measured = [
    figure(`${costs.change}, server`, 'ms', 1),
    figure(`${costs.change}, database`, 'ms', 1),
    figure(`${costs.read}, server`, 'ms', 2),
    figure(`${costs.pull}, server`, 'ms', 1),
    figure(`${costs.idleStream}, server`, 'ms/s', 0.01),
    figure(`${costs.batch}, server`, 'µs', 10),
    figure(`${costs.row}, server`, 'µs', 1),
    figure(costs.rowBytes, 'bytes', 500),
    figure(`${costs.elsewhere}, server`, 'µs', 0.1),
    figure(costs.elsewhereRows, 'rows', 0.5),
    figure(costs.elsewhereBytes, 'bytes', 60),
  ];
  const cost = costsIn(measured);

  test('every use of the processor, by hand', () => {
    if (!cost) throw new Error('No costs.');
    // 36,000 packages a day: 12 writes/s, 6 of them of offers, 900 couriers and 720 senders.
    const cores = coresFor(cost, 36_000, { share: 0.5, processes: 2 });
    expect(cores.writes).toBeCloseTo(0.024, 6);
    expect(cores.reads).toBeCloseTo(5 * 2 * 0.002, 6);
    expect(cores.timers).toBeCloseTo(((2 * 1_620) / 60) * 0.001, 6);
    expect(cores.streams).toBeCloseTo(1_620 * 0.00001, 6);
    // Three rows a second and half of three elsewhere, each in a batch; and both parties of a change.
    expect(cores.rows).toBeCloseTo(900 * (4.5 * 0.000011 + 3 * 0.0000001) + 2 * 12 * 0.000011, 6);
  });

  test('the capacity fills the cores, and grows with them and with smaller areas', () => {
    if (!cost) throw new Error('No costs.');
    const capacity = capacityOf(cost, 2, 1);
    const used = (packages: number) =>
      Object.values(coresFor(cost, packages, { share: 1, processes: 2 })).reduce((a, b) => a + b);
    expect(used(capacity)).toBeLessThanOrEqual(2);
    expect(used(capacity + 1)).toBeGreaterThan(2);
    expect(capacityOf(cost, 8, 1)).toBeGreaterThan(capacity);
    expect(capacityOf(cost, 2, 0.05)).toBeGreaterThan(capacity);
  });

  test('is not said before each cost is measured', () => {
    expect(costsIn(measured.slice(1))).not.toBeNull();
    expect(costsIn(measured.slice(0, -1))).toBeNull();
    expect(scalingOf([{ name: 'fanout', figures: measured.slice(3) }]).plot).toBeNull();
    expect(scalingOf([{ name: 'fanout', figures: measured }]).plot).toContain('</svg>');
  });
});
