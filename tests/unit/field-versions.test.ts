/** Which edits conflict: the server's rule, over all possible earlier writes. */
import { describe, expect, it } from 'vitest';
import { parseWriter, type Writer, writerText } from '#contract/writer.ts';
import { staleFields, touch, type Versioned } from '#server/database/field-versions.ts';

const outbox = (digit: string, order: number): Writer => ({
  outboxId: `${digit.repeat(8)}-0000-4000-8000-000000000000`,
  order,
});
const [first, second, third] = [outbox('a', 1), outbox('a', 2), outbox('a', 3)];
const other = outbox('b', 2);

/** As created, without edits. */
const start: Versioned = { version: 1, fieldVersions: {}, fieldWriters: {} };

/** The writers of the notes, in order; undefined: a client that names none. */
const written = (writers: readonly (Writer | undefined)[]) =>
  writers.reduce<Versioned>((row, writer) => touch(row, ['notes'], writer), start);

describe('an edit of the notes, made on version 1', () => {
  it.each<[string, Versioned, Writer | undefined, boolean]>([
    ['never edited before', start, second, false],
    ['after an earlier one of its outbox', written([first]), second, false],
    ['after several of its outbox', written([first, second]), third, false],
    ['after another’s', written([other]), second, true],
    ['after another’s, replaced by its outbox', written([other, first]), second, false],
    ['after its outbox’s, replaced by another', written([first, other]), second, true],
    ['after a later one of its outbox', written([third]), second, true],
    ['after one without a writer', written([undefined]), second, true],
    ['after its outbox’s, then one without a writer', written([first, undefined]), second, true],
    ['without a writer, after one with', written([first]), undefined, true],
    ['without a writer, after one without', written([undefined]), undefined, true],
  ])('%s', (_, row, writer, isStale) => {
    expect(staleFields(row, ['notes'], { baseVersion: 1, writer })).toEqual(
      isStale ? ['notes'] : [],
    );
    expect(staleFields(row, ['description'], { baseVersion: 1, writer })).toEqual([]);
    expect(staleFields(row, ['notes'], { baseVersion: row.version, writer })).toEqual([]);
    expect(staleFields(row, ['notes'], { writer })).toEqual([]);
  });
});

describe('a writer in a header', () => {
  it('is parsed unchanged', () => {
    expect(parseWriter(writerText(second))).toEqual(second);
  });

  const id = first.outboxId;
  it.each([
    '',
    'a',
    id,
    `${id}:`,
    `${id}:-1`,
    `${id}:1.5`,
    `${id}:1 `,
    `x${id}:1`,
    `${id}:${'9'.repeat(16)}`,
  ])('is invalid: %j', (text) => {
    expect(parseWriter(text)).toBeNull();
  });
});
