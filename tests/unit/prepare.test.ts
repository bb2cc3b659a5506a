import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isAsLocked } from '#server/commands/prepare.mjs';

const packagesIn = (file: string) => JSON.parse(readFileSync(file, 'utf8')).packages;

const { platform, arch } = process;
const locked = {
  '': {},
  'node_modules/vite': { integrity: 'vite-8' },
  'node_modules/binding-here': {
    integrity: 'binding-1',
    optional: true,
    os: [platform],
    cpu: [arch],
  },
  'node_modules/binding-elsewhere': { integrity: 'binding-2', optional: true, os: ['plan9'] },
};
const {
  '': _project,
  'node_modules/binding-elsewhere': elsewhere,
  ...installed
} = structuredClone(locked);

describe('whether dependencies need installing', () => {
  it('does not repeat what npm has just done', () => {
    expect(isAsLocked(locked, installed)).toBe(true);
    expect(
      isAsLocked(packagesIn('package-lock.json'), packagesIn('node_modules/.package-lock.json')),
    ).toBe(true);
  });

  it.each([
    ['a package is missing', { 'node_modules/vite': undefined }],
    ['a package is another version', { 'node_modules/vite': { integrity: 'vite-7' } }],
    ['a package is no longer locked', { 'node_modules/left': { integrity: 'left-1' } }],
    ['a binary is for another machine', { 'node_modules/binding-elsewhere': elsewhere }],
  ])('installs if %s', (_, change) => {
    const changed = JSON.parse(JSON.stringify({ ...installed, ...change }));
    expect(isAsLocked(locked, changed)).toBe(false);
  });
});
