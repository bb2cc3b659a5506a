import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('the supply chain', () => {
  const manifest: Record<string, Record<string, string>> = JSON.parse(
    readFileSync('package.json', 'utf8'),
  );
  const lock: { packages: Record<string, { integrity?: string }> } = JSON.parse(
    readFileSync('package-lock.json', 'utf8'),
  );

  it('has exact versions', () => {
    const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.keys(wanted).length).toBeGreaterThan(20);
    for (const [name, version] of Object.entries(wanted)) {
      expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+$/)]);
    }
  });

  it('has a hash for every download', () => {
    const fetched = Object.entries(lock.packages).filter(([name]) => name !== '');
    expect(fetched.length).toBeGreaterThan(100);
    for (const [name, { integrity = '' }] of fetched) {
      expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
    }
  });
});
