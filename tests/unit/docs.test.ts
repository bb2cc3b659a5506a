/** Links, anchors and file paths in the documentation exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const pages = readdirSync('docs', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .concat('README.md', 'CONTRIBUTING.md');
/** As GitHub names a heading's anchor. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    anchorOf(String(heading)),
  );

it.each(pages)('%s has valid links', (page) => {
  const text = readFileSync(page, 'utf8');
  for (const [, link, source] of text.matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)) {
    const [target = '', anchor] = String(link ?? source).split('#');
    if (/^[a-z]+:/.test(target)) continue;
    const file = target === '' ? page : path.join(path.dirname(page), target);
    expect([file, existsSync(file)]).toEqual([file, true]);
    if (anchor !== undefined) expect(anchorsOf(file), link).toContain(anchor);
  }
});

/** Decisions are history: files they name may have moved since. */
const current = pages.filter((page) => !page.startsWith('docs/decisions/'));

it.each(current)('%s names files that exist', (page) => {
  const text = readFileSync(page, 'utf8');
  const named = text.matchAll(/`((?:src|sw|server|tests|public)\/[\w@./-]*[\w/])`/g);
  for (const [, file] of named) expect([file, existsSync(String(file))]).toEqual([file, true]);
});

it('the functions on the ways through it are where docs/architecture.md says', () => {
  const rows = readFileSync('docs/architecture.md', 'utf8').matchAll(
    /^\|[^|]*\| `([^`]+)` \|(.*)\|$/gm,
  );
  for (const [, file = '', cells = ''] of rows) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    for (const [, name] of cells.matchAll(/`(\w+)`/g)) {
      expect(text, `${name} in ${file}`).toMatch(new RegExp(`\\b${name}\\b`));
    }
  }
});
