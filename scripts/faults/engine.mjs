/** The offline engine, its database and the store that the screens read. */
export const engine = [
  {
    name: 'an acknowledgement is announced before its transaction',
    file: 'src/sync/outbox/push.ts',
    find: `        const next = await acknowledge(context, row, sent.applied);
        context.onHeard(null);
        context.onAnswered({ kind: 'acknowledged', operation: row });`,
    put: `        context.onAnswered({ kind: 'acknowledged', operation: row });
        const next = await acknowledge(context, row, sent.applied);
        context.onHeard(null);`,
    tests: ['tests/sync/one-effect.test.ts'],
  },
  {
    name: 'a repeat goes out under another Idempotency-Key',
    file: 'src/sync/operations.ts',
    find: 'const { id, name, targetId } = operation;',
    put: `const { name, targetId } = operation;
  const id = operation.tries === 0 ? operation.id : crypto.randomUUID();`,
    tests: ['tests/sync/one-effect.test.ts'],
  },
  {
    name: 'an accept does not wait for the profile that it needs',
    file: 'src/sync/outbox/push.ts',
    find: 'const isNeedingProfile = ({ name }: OutboxRow) => operations[name].needsProfile;',
    put: `const isNeedingProfile = ({ name }: OutboxRow) =>
  operations[name].needsProfile && name === 'createPackage';`,
    tests: ['tests/sync/one-effect.test.ts'],
  },
  {
    name: 'what depends on a refused operation is sent without it',
    file: 'src/sync/outbox/outbox.ts',
    find: "if (row.state !== 'waiting' || row.seq < operation.seq) continue;",
    put: "if (row.state !== 'waiting' || row.seq !== operation.seq) continue;",
    tests: ['tests/sync/refusals.test.ts'],
  },
  {
    name: 'a pulled page takes back what was acknowledged since it was asked for',
    file: 'src/sync/pull/mirror.ts',
    find: 'if (before && before.version > row.version && !mayTakeBack(row.id)) continue;',
    put: 'if (before && before.version > row.version && mayTakeBack(row.id)) continue;',
    tests: ['tests/sync/pull.test.ts', 'tests/sync/deltas.test.ts'],
  },
  {
    name: 'the cursor is stored before the rows of its page',
    file: 'src/sync/pull/pull.ts',
    find: '  await fenced(db, fence, rowTables(db), async () => {\n    // Thinned',
    put: '  await db.lists.put(after);\n  await fenced(db, fence, rowTables(db), async () => {\n    // Thinned',
    tests: ['tests/sync/pull.test.ts', 'tests/sync/deltas.test.ts'],
  },
  {
    name: 'a full list drops what was acknowledged while it came',
    file: 'src/sync/pull/mirror.ts',
    find: 'if (isUnderWay) await noteSeen(db, list, row.id);',
    put: 'if (isNamed) await noteSeen(db, list, row.id);',
    tests: ['tests/sync/deltas.test.ts'],
  },
  {
    name: 'the edit behind a mended one overwrites another person without a question',
    file: 'src/sync/outbox/resolution.ts',
    find: 'const moved = isDecided ? await onMirroredVersion(db, row) : inOrder(row);',
    put: 'const moved = isDecided ? inOrder(row) : await onMirroredVersion(db, row);',
    tests: ['tests/sync/choices.test.ts'],
  },
  {
    name: 'a full phone makes no room for what somebody saves',
    file: 'src/sync/room.ts',
    find: 'if (!isFull(cause)) throw cause;',
    put: 'if (isFull(cause)) throw cause;',
    tests: ['tests/sync/storage.test.ts', 'tests/sync/full-phone.test.ts'],
  },
  {
    name: 'two tabs drain at once',
    file: 'src/sync/engine.ts',
    find: 'lockName = `kaya-sync-',
    put: 'lockName = ports.newId() + `kaya-sync-',
    tests: ['tests/sync/one-effect.test.ts', 'tests/sync/lease.test.ts'],
  },
  {
    name: 'a frozen tab that wakes writes over its successor',
    file: 'src/sync/coordination/lease.ts',
    find: 'if (fenceOf(lease) !== fence) throw new FencedError();',
    put: 'if (fenceOf(lease) < fence) throw new FencedError();',
    tests: ['tests/sync/lease.test.ts'],
  },
  {
    name: 'a read that failed leaves the screens as they were for ever',
    file: 'src/data/package-store.ts',
    find: '      dirty.isAll = true;\n      failures += 1;',
    put: '      failures += 1;',
    tests: ['tests/sync/package-store.test.ts'],
  },
];
