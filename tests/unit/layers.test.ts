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
const rows = [...page.matchAll(/^\| `(src\/[\w-]+|sw|server)` \| .* \| (.+) \|$/gm)];
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
  const { staticImports, staticExports } = parseSync(file, text).module;
  const reexported = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  // `await import('…')` and `typeof import('…')`.
  const called = [...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(
    ([, specifier = '']) => specifier,
  );
  return [...staticImports.map((one) => one.moduleRequest.value), ...reexported, ...called];
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|mjs)$/.test(name))
    .map((name) => path.posix.join(folder, name));
}

/** '#domain/policy.ts' → 'src/domain/policy.ts' */
function fileOf(importer: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(importer), specifier);
  const [alias = '', ...rest] = specifier.slice(1).split('/');
  return [all.includes(`src/${alias}`) ? `src/${alias}` : alias, ...rest].join('/');
}

it('no imports form a cycle, types included', () => {
  const imported = new Map(
    ['src', 'sw', 'server'].flatMap(filesOf).map((file) => [file, importsOf(file)]),
  );
  const finished = new Set<string>();
  const cycles: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) cycles.push([...way.slice(way.indexOf(file)), file].join(' → '));
    if (way.includes(file) || finished.has(file)) return;
    for (const one of imported.get(file) ?? []) visit(fileOf(file, one), [...way, file]);
    finished.add(file);
  };
  for (const file of imported.keys()) visit(file, []);
  expect(cycles).toEqual([]);
});

it('intents are submitted only where a second tap is ignored', () => {
  const calls = ['features', 'package-ui'].flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .flatMap((name) => {
        const text = readFileSync(path.join('src', room, name), 'utf8');
        return (text.match(/\buseSubmitIntent\(/g) ?? []).map(() => `${room}/${name}`);
      }),
  );
  expect(calls.sort()).toEqual([
    'features/account/screens/edit-user-screen.tsx',
    'features/outbox/components/conflict-choice.tsx',
    'features/package-form/components/create-wizard.tsx',
    'features/package-form/hooks/use-save-package.ts',
    'package-ui/use-package-actions.ts',
  ]);
});

/** Who may read the phone's clock, right or wrong; all others decide and show by the server's. */
const phoneClockReaders: Readonly<Record<string, string>> = {
  'src/app/background/operation-toasts.ts': 'how long ago this phone stored an operation',
  'src/app/background/sync-triggers.ts': 'whether the page stood still',
  'src/app/pwa/service-worker.ts': 'pauses between two looks for a version',
  'src/track/follow.ts': 'pauses; its times are corrected where they are told',
  'src/track/live.ts': 'the recipient’s page has a server’s time of its own',
};

it('only the clock itself reads the clock of the phone', () => {
  const rooms = [
    'features',
    'package-ui',
    'domain',
    'ui',
    'state',
    'data',
    'app',
    'messages',
    'track',
  ];
  const found = rooms.flatMap((room) =>
    readdirSync(`src/${room}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => path.posix.join('src', room, name))
      .filter((file) => /\bDate\.now\b|\bnew Date\(\)|\bDate\(\)/.test(readFileSync(file, 'utf8'))),
  );
  expect(found.sort()).toEqual(Object.keys(phoneClockReaders));
});

it('the table of layers has every folder of the product', () => {
  const rooms = readdirSync('src', { withFileTypes: true }).filter((one) => one.isDirectory());
  const folders = [...rooms.map(({ name }) => `src/${name}`), 'server', 'sw'];
  expect([...layers.keys()].sort()).toEqual(folders.sort());
});

it.each([...layers.keys()])('the table of layers holds for every import of %s', (folder) => {
  const found = filesOf(folder).flatMap((file) => importsOf(file).map((one) => ({ file, one })));
  expect(found).not.toEqual([]);
  const forbidden = found.filter(({ file, one }) => isForbidden(folder, file, one));
  expect(forbidden).toEqual([]);
});
