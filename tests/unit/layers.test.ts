/** The layer table of the README is law: an import against it is a lint error (biome.json). */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

/** A copy of the table in an empty project, so that no probe ever lies in the real rooms. */
const project = mkdtempSync(path.join(tmpdir(), 'kaya-layers-'));
const configuration = JSON.parse(readFileSync('biome.json', 'utf8'));
const { $schema: _, vcs: __, ...table } = configuration;
writeFileSync(path.join(project, 'biome.json'), JSON.stringify(table));
afterAll(() => rmSync(project, { recursive: true }));

function isRefused(file: string, specifier: string): boolean {
  const place = path.join(project, file);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, `import * as x from '${specifier}';\n\nexport const y = x;\n`);
  const { stdout, stderr } = spawnSync(path.resolve('node_modules/.bin/biome'), ['lint', file], {
    cwd: project,
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toContain('Checked 1 file');
  return `${stdout}${stderr}`.includes('noRestrictedImports');
}

describe('an import against the layer table', () => {
  it.each([
    ['src/contract/x.ts', '#domain/policy.ts'],
    ['src/domain/x.ts', '#db/queries.ts'],
    ['src/domain/x.ts', 'react'],
    ['src/db/x.ts', '#sync/engine.ts'],
    ['src/api/x.ts', '#db/queries.ts'],
    ['src/api/x.ts', 'react-hot-toast'],
    ['src/sync/x.ts', '#features/auth/x.tsx'],
    ['src/live/x.ts', '#features/auth/x.tsx'],
    ['src/state/x.ts', '#db/queries.ts'],
    ['src/ui/x.tsx', '#domain/policy.ts'],
    ['src/features/auth/x.tsx', '#features/packages/x.tsx'],
    ['src/features/auth/x.tsx', '#db/queries.ts'],
    ['src/features/auth/x.tsx', '#app/main.tsx'],
    ['src/app/x.tsx', '#server/app.ts'],
    ['sw/x.ts', '#ui/button.tsx'],
    ['server/x.ts', '#db/queries.ts'],
    ['server/x.ts', '../src/db/queries.ts'],
    ['src/domain/x.ts', '../contract/errors.ts'],
  ])('%s may not import %s', (file, specifier) => {
    expect(isRefused(file, specifier)).toBe(true);
  });

  it.each([
    ['src/domain/x.ts', '#contract/errors.ts'],
    ['src/domain/x.ts', './money.ts'],
    ['src/features/auth/x.tsx', '#live/services.ts'],
    ['src/features/auth/x.tsx', 'react'],
    ['src/app/x.tsx', '#features/auth/x.tsx'],
    ['server/x.ts', '#domain/policy.ts'],
    ['server/x.ts', 'node:fs'],
  ])('%s may import %s', (file, specifier) => {
    expect(isRefused(file, specifier)).toBe(false);
  });
});

describe('the README', () => {
  it('names every room of the table', () => {
    const { imports } = JSON.parse(readFileSync('package.json', 'utf8'));
    const readme = readFileSync('README.md', 'utf8');
    for (const target of Object.values<string>(imports)) {
      const room = target.replace(/^\.\/|\/\*$/g, '');
      expect(readme, room).toContain(`\`${room}\``);
    }
  });
});
