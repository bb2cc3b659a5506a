/** What changes between a step and its text message. */
import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { texts } from '#server/database/recipient-schema.ts';
import { packages } from '#server/database/schema.ts';
import { sendDue } from '#server/modules/texts/sender.ts';
import { FakeTermii } from '#tests/fakes/fake-termii.ts';
import { acceptance, fileStage, patchPackage } from './stage.ts';
import { textStage, withTermii } from './text-stage.ts';

const termii = new FakeTermii();
await termii.open();
const stage = fileStage(withTermii(termii.url));
afterAll(() => termii.close());
const { carried, step, round, needs } = textStage(stage, () => termii);
const hourMs = 3_600_000;

beforeEach(async () => {
  // Ten in the morning in Lagos, an hour before UTC.
  const passed = (stage().now().getTime() + hourMs) % (24 * hourMs);
  stage().pass((10 * hourMs - passed + 24 * hourMs) % (24 * hourMs));
  await stage().database.db.delete(texts);
  termii.phones.length = 0;
});

it('goes to the number as the sender has corrected it', async () => {
  const one = await carried({ handover: 'code' });
  await step(one, 'picked_up');
  await patchPackage(stage(), one.sender, one.package, { recipientPhone: '0809 999 9999' });
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

it('that the courier is there is not said half an hour later', async () => {
  const one = await carried();
  await step(one, 'picked_up');
  await round();
  await step(one, 'arrived');
  stage().pass(31 * 60_000);
  await round();
  expect(termii.phones).toHaveLength(1);
});

it('has a link also where the package had ended before there were links', async () => {
  const one = await carried();
  const admin = await stage().admin();
  await patchPackage(stage(), admin, one.package, { deliveryStatus: 'Cancelled' });
  await stage()
    .database.db.update(packages)
    .set({ trackingToken: null })
    .where(eq(packages.id, one.id));
  const opened = { deliveryStatus: 'Pending', deliveryPersonId: null };
  const { body } = await patchPackage(stage(), admin, one.package, opened);
  expect(body).toMatchObject({ trackingPath: expect.stringMatching(/^\/t\/[\w-]{22}$/) });
  await patchPackage(stage(), one.courier, one.package, acceptance(one.courier));
  await step(one, 'picked_up');
  await round();
  expect(termii.phones).toHaveLength(1);
});
