/** The import layers: one table, checked against every import of the product. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';

interface Layer {
  folder: string;
  /** Other rooms; importing another room's folder by '../' is forbidden (biome.json). */
  rooms: readonly string[];
  /** A trailing '*' matches anything; undefined: every package. */
  packages?: readonly string[];
}

const layers: Readonly<Record<string, Layer>> = {
  contract: { folder: 'src/contract', rooms: [], packages: ['valibot'] },
  domain: { folder: 'src/domain', rooms: ['contract'], packages: ['valibot'] },
  db: { folder: 'src/db', rooms: ['contract', 'domain'], packages: ['dexie'] },
  api: { folder: 'src/api', rooms: ['contract', 'domain'], packages: ['ky', 'valibot'] },
  sync: {
    folder: 'src/sync',
    rooms: ['contract', 'domain', 'db', 'api'],
    packages: ['dexie', 'valibot'],
  },
  messages: { folder: 'src/messages', rooms: ['contract', 'domain'], packages: [] },
  state: { folder: 'src/state', rooms: ['contract', 'domain'], packages: ['jotai*'] },
  data: {
    folder: 'src/data',
    rooms: ['contract', 'domain', 'db', 'api', 'sync', 'state', 'messages'],
    packages: ['react', 'dexie-react-hooks', 'jotai'],
  },
  ui: {
    folder: 'src/ui',
    rooms: [],
    packages: [
      'react',
      'react-dom',
      'react-router-dom',
      'react-hot-toast/headless',
      'virtua',
      'lucide-react',
    ],
  },
  features: {
    folder: 'src/features',
    rooms: ['contract', 'domain', 'api', 'sync', 'data', 'state', 'messages', 'ui'],
  },
  app: {
    folder: 'src/app',
    rooms: [
      'contract',
      'domain',
      'db',
      'api',
      'sync',
      'data',
      'state',
      'messages',
      'ui',
      'features',
    ],
  },
  sw: {
    folder: 'sw',
    rooms: ['contract', 'domain', 'db', 'api', 'sync', 'messages'],
    packages: ['workbox-*'],
  },
  server: { folder: 'server', rooms: ['contract', 'domain'] },
};

const isUnder = (file: string, folder: string) => file.startsWith(`${folder}/`);

/** Whether `file` may not import `specifier`. Features do not import each other. */
function isForbidden(file: string, specifier: string): boolean {
  const [room, layer] =
    Object.entries(layers).find(([, { folder }]) => isUnder(file, folder)) ?? [];
  if (!layer || specifier.startsWith('./')) return false;
  if (!specifier.startsWith('#')) {
    const isNamed = (name: string) =>
      name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : specifier === name;
    return layer.packages?.some(isNamed) === false;
  }
  const [target = '', feature = ''] = specifier.slice(1).split('/');
  if (target !== room) return !layer.rooms.includes(target);
  return target === 'features' && !isUnder(file, `src/features/${feature}`);
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, text).module;
  const reexported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  const awaited = dynamicImports.map(({ moduleRequest: { start, end } }) =>
    text.slice(start + 1, end - 1),
  );
  return [...staticImports.map((one) => one.moduleRequest.value), ...reexported, ...awaited];
}

describe('the layer table', () => {
  it.each(Object.entries(layers))('holds for every import of %s', (_, { folder }) => {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(tsx?|mjs)$/.test(name))
      .map((name) => path.posix.join(folder, name));
    expect(files).not.toEqual([]);
    const found = files.map((file) => [file, importsOf(file)] as const);
    expect(found.flatMap(([, imports]) => imports)).not.toEqual([]);
    const forbidden = found.flatMap(([file, imports]) =>
      imports.filter((one) => isForbidden(file, one)).map((one) => `${file} imports ${one}`),
    );
    expect(forbidden).toEqual([]);
  });

  it('matches docs/architecture.md', () => {
    const page = readFileSync('docs/architecture.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([\w/]+)` \| .* \| (.+) \|$/gm)];
    const shown = rows.map(([, folder, rooms]) => [folder, rooms]);
    const all = Object.keys(layers).filter((name) => isUnder(layers[name]?.folder ?? '', 'src'));
    for (const { folder, rooms } of Object.values(layers)) {
      const isAll = folder === 'src/app' && rooms.length === all.length - 1;
      const cell = isAll ? 'all of src' : rooms.join(', ') || '–';
      expect(shown).toContainEqual([folder, cell]);
    }
  });
});
