/**
 * Thousands of random lives of packages and top-ups, compared with a model: in any order and with
 * concurrent duplicates, every kobo is where the model says and the audit finds nothing.
 */
import { sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { rounds } from '#tests/size.ts';
import { shareOf } from './databases.ts';
import { type Command, command, kobo, Life } from './money-life.ts';
import { fileStage } from './stage.ts';

const stage = fileStage();
const runs = rounds(80, shareOf(2_000, 1 / 8));

/** The triggers keep the ledger from being emptied; a small one is audited quickly. */
async function emptyDatabase(): Promise<void> {
  await stage().db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`truncate entries, transfers, top_ups, wallets, assignments, package_events, packages, proofs, push_news, texts`,
    );
  });
}

/** A sender with some money, perhaps enough for their package. */
function beginnings(price: number, purse: number, handover: 'none' | 'code'): Command[] {
  return [
    { do: 'topUp' as const, nth: 0, kobo: purse },
    { do: 'settle' as const, nth: 0, says: 'success', ways: ['webhook'] },
    { do: 'create' as const, nth: 0, kobo: price, method: 'app' as const, handover },
  ];
}

const at = { nth: 0, isTwice: false } as const;
const accepted: Command = { do: 'accept', ...at };
const unchanged = { price: undefined, method: undefined, wanted: undefined };
const opened: Command = { do: 'administer', ...at, ...unchanged, status: 'pending' };
const delivered: Command = { do: 'deliver', ...at };
const cameBack: Command = {
  ...{ do: 'comeBack', reason: 'refused', isBySender: false, isEnded: true },
  ...at,
};
const claimed: Command = { ...cameBack, isBySender: true };
const proven: Command = { do: 'prove', isEarly: true, ...at };
const bySender: Command = { do: 'dispute', nth: 0, bySender: true };
const aDay: Command = { do: 'wait', hours: 24, isTwice: false };

/** How far the package has come before chance takes over: its ends are many steps away. */
const begun: readonly Command[][] = [
  [],
  [accepted],
  [accepted, delivered],
  [accepted, delivered, { do: 'takeBack', ...at }],
  [accepted, delivered, bySender],
  [accepted, { do: 'confirm', ...at }],
  [accepted, { do: 'confirm', ...at }, { do: 'takeBack', ...at }],
  [accepted, cameBack],
  [accepted, cameBack, opened, accepted],
  [accepted, cameBack, bySender],
  [accepted, claimed],
  [accepted, claimed, aDay],
  [accepted, claimed, { do: 'word', isByAdmin: false, ...at }],
  [accepted, claimed, bySender, { ...bySender, bySender: false }],
  [accepted, claimed, proven],
  [accepted, claimed, { ...bySender, bySender: false }, proven],
  [accepted, claimed, { ...proven, isEarly: false }],
  [accepted, claimed, aDay, proven],
  [accepted, { ...claimed, isEnded: false }, proven],
  [accepted, { ...cameBack, isEnded: false }, proven],
  [accepted, { do: 'show', nth: 0 }],
  [accepted, { do: 'show', nth: 0 }, { do: 'picture', nth: 0 }],
  [accepted, { do: 'show', nth: 0 }, aDay],
  [accepted, { do: 'confirm', ...at }, bySender],
  [accepted, { do: 'confirm', ...at }, opened, { do: 'pay', ...at }, accepted],
];
const journeys = fc.constantFrom(...begun);
const needsCode = (journey: readonly Command[]) =>
  journey.some((command) => command.do === 'prove') ? 'code' : 'none';
const entriesOf = (seen: Life['seen']) => Object.entries(seen) as [keyof Life['seen'], number][];

it(`money matches the model through ${runs} random lives`, { timeout: 1_800_000 }, async () => {
  let count = 0;
  const seen = { paidOut: 0, held: 0, credited: 0, refused: 0 };
  const rare = {
    ...{ divided: 0, onTheirWay: 0, disputes: 0, takenBack: 0 },
    ...{ claims: 0, pictures: 0, settled: 0 },
    ...{ answered: 0, proven: 0, tooLate: 0, waited: 0 },
  };
  const life = fc.array(command, { minLength: 2, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(kobo, kobo, journeys, life, async (price, purse, journey, commands) => {
      count += 1;
      if (count % 20 === 0) await emptyDatabase();
      const life = await Life.begin(stage());
      const begins = beginnings(price, purse * 2, needsCode(journey));
      for (const one of [...begins, ...journey, ...commands]) await life.run(one);
      await life.end();
      await life.hold();
      seen.paidOut += life.model.packages.filter(({ paidOut }) => paidOut).length;
      const { packages } = life.model;
      rare.divided += packages.filter(
        ({ paidOut, price }) => paidOut && paidOut.amount < price,
      ).length;
      rare.onTheirWay += packages.filter(({ releaseAt }) => releaseAt !== null).length;
      for (const [name, times] of entriesOf(life.seen)) rare[name] += times;
      seen.held += life.model.packages.filter(({ held }) => held > 0).length;
      seen.credited += life.model.topUps.filter(({ isCredited }) => isCredited).length;
      seen.refused += life.shortOrPaidOut;
    }),
    { numRuns: runs },
  );
  expect(count).toBeGreaterThanOrEqual(runs);
  // Guard: the lives must be rich and long enough to be meaningful.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(runs / 20);
  for (const times of Object.values(rare))
    expect(times, JSON.stringify(rare)).toBeGreaterThan(runs / 200);
});
