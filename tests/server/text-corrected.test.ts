import { describe, expect, it } from 'vitest';
import { sendDue } from '#server/modules/texts/sender.ts';
import { FakeTermii, termiiReport } from '#tests/fakes/fake-termii.ts';
import { fileStage } from './stage.ts';
import { type Carried, textStage, withTermii } from './text-stage.ts';

const termii = new FakeTermii();
await termii.open();
const stage = fileStage(withTermii(termii.url));
const { carried, step, tell, taken, needs, round, rows, history, report } = textStage(
  stage,
  termii,
);

it('goes to the number as the sender has corrected it', async () => {
  const one = await carried({ handover: 'code' });
  await step(one, 'picked_up');
  await stage().patch(one.sender, one.package, { recipientPhone: '0809 999 9999' });
  await round();
  expect(termii.phones.map(({ to }) => to)).toEqual(['2348099999999']);
});

it('waits for a step after it that is undone', async () => {
  const one = await carried();
  await step(one, 'picked_up');
  stage().pass(7_000);
  const arrival = await step(one, 'arrived');
  stage().pass(9_000);
  await sendDue(needs());
  expect(termii.phones).toEqual([]);
  await step(one, 'corrected', { corrects: arrival });
  await round();
  expect(termii.phones).toHaveLength(1);
});

describe('a step that is taken back after its message went, and done again', () => {
  /** Resolves with the id of the second one. */
  const twice = async (one: Carried, between: () => unknown = () => undefined) => {
    const first = await step(one, 'picked_up');
    await round();
    stage().pass(60_000);
    await step(one, 'corrected', { corrects: first });
    await between();
    return step(one, 'picked_up');
  };

  it('has that message, and its recipient no second one', async () => {
    const one = await carried();
    const second = await twice(one);
    await round();
    expect(termii.phones).toHaveLength(1);
    expect(await rows(one)).toMatchObject([{ eventId: second, status: 'sent' }]);
    await report(termiiReport(taken(), 'DELIVERED'));
    expect(await history(one.sender, one)).toMatchObject([
      { type: 'picked_up', status: 'delivered' },
    ]);
    await step(one, 'corrected', { corrects: second });
    const third = await step(one, 'picked_up');
    await round();
    expect(termii.phones).toHaveLength(1);
    expect(await rows(one)).toMatchObject([{ eventId: third }]);
  });

  it.each<[string, (one: Carried) => unknown]>([
    ['ten minutes later', () => stage().pass(10 * 60_000)],
    [
      'with another number',
      ({ sender, package: made }) =>
        stage().patch(sender, made, { recipientPhone: '0809 999 9999' }),
    ],
    [
      'when the first could not be sent',
      async (one) => {
        await report(termiiReport(taken(), 'Message Failed'));
        expect(await rows(one)).toMatchObject([{ status: 'failed' }]);
      },
    ],
  ])('has a message of its own %s', async (_, between) => {
    const one = await carried();
    await twice(one, () => between(one));
    await round();
    expect(termii.phones).toHaveLength(2);
    expect((await rows(one)).map(({ status }) => status).at(-1)).toBe('sent');
  });

  it('is another one where it was not taken back: the courier is there again', async () => {
    const one = await carried();
    const failed = { reason: 'closed' } as const;
    await tell(one, ['picked_up'], ['arrived'], ['attempt_failed', failed], ['arrived']);
    expect(termii.phones).toHaveLength(4);
  });
});

it('that the courier is there is not said half an hour later', async () => {
  const one = await carried();
  await tell(one, ['picked_up']);
  await step(one, 'arrived');
  stage().pass(31 * 60_000);
  await round();
  expect(termii.phones).toHaveLength(1);
});
