/** The faults of scripts/faults apply to the current source. */
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('each hand-picked fault finds its place exactly once', () => {
  const { stdout } = spawnSync(process.execPath, ['scripts/faults/run.mjs', '--check'], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
});
