/** The table of layers in docs/architecture.md, checked against every import of the product. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, it } from 'vitest';

/** External packages by folder; a trailing '*' matches anything. Absent: every package. */
const packages: Readonly<Record<string, readonly string[]>> = {
  'src/contract': ['valibot'],
  'src/domain': ['valibot'],
  'src/db': ['dexie'],
  'src/api': ['ky', 'valibot'],
  'src/sync': ['dexie', 'valibot'],
  'src/messages': [],
  'src/state': ['jotai*'],
  'src/data': ['react', 'dexie-react-hooks', 'jotai'],
  'src/ui': [
    ...['react', 'react-dom', 'react-router-dom', 'react-hot-toast/headless'],
    ...['virtua', 'lucide-react'],
  ],
  sw: ['workbox-*'],
};

const page = readFileSync('docs/architecture.md', 'utf8');
const rows = [...page.matchAll(/^\| `(src\/\w+|sw|server)` \| .* \| (.+) \|$/gm)];
const nameOf = (folder: string) => folder.replace('src/', '');
const all = rows.map(([, folder = '']) => folder).filter((folder) => folder.startsWith('src/'));

/** The rooms that each folder may import; '–': none. */
const layers = new Map(
  rows.map(([, folder = '', rooms = '']) => [
    folder,
    rooms === 'all of src' ? all.map(nameOf) : rooms.split(', '),
  ]),
);

/** Whether a file of `folder` may not import `specifier`. Features do not import each other. */
function isForbidden(folder: string, file: string, specifier: string): boolean {
  if (specifier.startsWith('./')) return false;
  if (!specifier.startsWith('#')) {
    const isNamed = (name: string) =>
      name.endsWith('*') ? specifier.startsWith(name.slice(0, -1)) : specifier === name;
    return packages[folder]?.some(isNamed) === false;
  }
  const [target = '', feature = ''] = specifier.slice(1).split('/');
  if (target !== nameOf(folder)) return !layers.get(folder)?.includes(target);
  return target === 'features' && !file.startsWith(`src/features/${feature}/`);
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

it('intents are submitted only where a second tap is ignored', () => {
  const calls = readdirSync('src/features', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .flatMap((name) => {
      const text = readFileSync(path.join('src/features', name), 'utf8');
      return (text.match(/\buseSubmitIntent\(/g) ?? []).map(() => name);
    });
  expect(calls.sort()).toEqual([
    'account/screens/edit-user-screen.tsx',
    'outbox/components/conflict-choice.tsx',
    'packages/components/create-wizard.tsx',
    'packages/hooks/use-package-actions.ts',
    'packages/hooks/use-save-package.ts',
  ]);
});

it('the table of layers has every folder of the product', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
  const folders = [...rooms.map(({ name }) => `src/${name}`), 'server', 'sw'];
  expect([...layers.keys()].sort()).toEqual(folders.sort());
});

it.each([...layers.keys()])('the table of layers holds for every import of %s', (folder) => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => path.posix.join(folder, name));
  const found = files.flatMap((file) => importsOf(file).map((one) => ({ file, one })));
  expect(found).not.toEqual([]);
  const forbidden = found.filter(({ file, one }) => isForbidden(folder, file, one));
  expect(forbidden).toEqual([]);
});
