import { describe, expect, it } from 'vitest';
import type { Operation } from '#domain/operation.ts';
import { advanceOfPull, rebased } from '#sync/rebase.ts';
import { aPackage, ids, operationBase } from '#tests/builders/package.ts';

const edit = (changes: object) =>
  ({
    ...operationBase(),
    name: 'editPackage',
    targetId: ids.package,
    args: { changes, baseVersion: 1 },
  }) as Operation;

const withheld = { recipientPhone: null, recipientEmail: null };

describe('a queued edit and a row of which the contacts are withheld', () => {
  const advance = advanceOfPull(
    aPackage({ version: 1, ...withheld }),
    aPackage({ version: 3, ...withheld, notes: 'Ring twice' }),
    [],
  );

  it('does not pass by a contact that may have changed unseen', () => {
    expect(rebased(edit({ recipientPhone: '0805 111 2222' }), advance, advance.steps)).toBeNull();
    expect(rebased(edit({ recipientEmail: 'musa@kaya.test' }), advance, advance.steps)).toBeNull();
  });

  it('moves on where it sets other fields that nobody changed', () => {
    const moved = rebased(edit({ description: 'A crate' }), advance, advance.steps);
    expect(moved?.args).toMatchObject({ baseVersion: 3 });
  });
});

describe('a queued edit and a row that has no e-mail', () => {
  it('moves on: an absent e-mail in both is one that nobody changed', () => {
    const advance = advanceOfPull(
      aPackage({ version: 1, recipientEmail: null }),
      aPackage({ version: 2, recipientEmail: null, notes: 'Ring twice' }),
      [],
    );
    expect(
      rebased(edit({ recipientEmail: 'musa@kaya.test' }), advance, advance.steps)?.args,
    ).toMatchObject({
      baseVersion: 2,
    });
  });
});
