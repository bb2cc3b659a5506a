/** The README's table of threats names tests that exist, and the supply chain is nailed down. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const readme = readFileSync('README.md', 'utf8');
const section = readme.split('\n## ').find((text) => text.startsWith('Security\n')) ?? '';
const rows = section.split('\n').filter((line) => /^\| (?!asset|---)/.test(line));

describe('the table of threats', () => {
  it('covers every asset', () => {
    const assets = new Set(rows.map((row) => row.split('|')[1]?.trim()));
    for (const asset of [
      ...['accounts', 'sessions', 'tokens', 'money', 'webhook', 'contacts on packages'],
      ...['idempotency keys', 'logs', 'files', 'availability', 'supply chain'],
    ]) {
      expect(assets).toContain(asset);
    }
  });

  it('names in each row a test that is there', () => {
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const files = [...row.matchAll(/`(tests\/[\w/.-]+\.test\.ts)`/g)].map(([, file]) => file);
      expect(files.length, row).toBeGreaterThan(0);
      for (const file of files) expect([file, existsSync(String(file))]).toEqual([file, true]);
    }
  });
});

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

  it('has a hash for everything that is downloaded', () => {
    const fetched = Object.entries(lock.packages).filter(([name]) => name !== '');
    expect(fetched.length).toBeGreaterThan(100);
    for (const [name, { integrity = '' }] of fetched) {
      expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)]);
    }
  });
});
