/** Outbox failures across real tabs, by the numbers of tests/sync/one-effect.test.ts. */
import { comeBack } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import {
  acceptEach,
  fireSync,
  freeze,
  isPatch,
  openTab,
  packagesOf,
  patchesOf,
  readOutboxes,
  untilSent,
} from '#tests/e2e/outbox-stage.ts';

const noneAssigned = 'No packages are currently assigned to you';

test('2: a killed tab sends once, from the next', async ({ signedIn, backstage, network }) => {
  const { sender, courier, packages } = await backstage.offers(1);
  const { page, context } = await signedIn(courier);
  const reply = network.holdNextReply((method, path) => isPatch(method, path));
  await acceptEach(page, packages);
  await reply.answered;
  await page.close();

  const next = await openTab(context, '/delivery/in-transit');
  await untilSent(next);
  await expect(next.getByRole('article')).not.toContainText('Waiting to send');
  reply.release();
  for (const each of packages) expect(patchesOf(network, each)).toBe(2);
  expect(await packagesOf(backstage, sender)).toMatchObject([
    { deliveryStatus: 'In Transit', version: 2, deliveryPersonId: { firstName: 'Sani' } },
  ]);
});

test('5: two tabs back online send once', async ({ installed, backstage, network }) => {
  const { courier, packages } = await backstage.offers(3);
  const { page, context } = await installed(courier);
  const other = await openTab(context, '/delivery/in-transit');
  await expect(other.getByText(noneAssigned)).toBeVisible();
  await context.setOffline(true);
  await acceptEach(page, packages);
  await expect(other.getByRole('article')).toHaveCount(3);
  await expect(other.getByText('Waiting to send')).toHaveCount(3);

  await context.setOffline(false);
  await Promise.all(
    [page, other].map((tab) =>
      tab.evaluate(() => {
        for (let times = 0; times < 5; times += 1) window.dispatchEvent(new Event('focus'));
      }),
    ),
  );
  await untilSent(page);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('article')).toHaveCount(3);
    await expect(tab.getByText('Waiting to send')).toHaveCount(0);
  }
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
});

test('6: three tabs starting at once send once @long', async ({
  installed,
  backstage,
  network,
}) => {
  const { courier, packages } = await backstage.offers(3);
  const { page, context } = await installed(courier);
  await context.setOffline(true);
  await acceptEach(page, packages);
  await page.close();
  // No answer until all three have started, so that each has reason to send.
  const replies = packages.map(() => network.holdNextReply(isPatch));
  await context.setOffline(false);

  const tabs = await Promise.all([1, 2, 3].map(() => openTab(context, '/delivery/in-transit')));
  for (const tab of tabs) await expect(tab.getByRole('article')).toHaveCount(3);
  await Promise.all(replies.map(({ answered }) => answered));
  for (const { release } of replies) release();
  for (const tab of tabs) {
    await untilSent(tab);
    await expect(tab.getByText('Waiting to send')).toHaveCount(0);
  }
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
});

test('8: a frozen tab is taken over in 45 s @long', async ({ signedIn, backstage, network }) => {
  test.setTimeout(150_000);
  const { sender, courier, packages } = await backstage.offers(2);
  const [first, second] = packages;
  if (!first || !second) throw new Error('Two packages were asked for.');
  const { page, context } = await signedIn(courier);
  const other = await openTab(context, '/delivery/in-transit');
  await expect(other.getByText(noneAssigned)).toBeVisible();

  const reply = network.holdNextReply((method, path) => isPatch(method, path));
  await acceptEach(page, [first]);
  await reply.answered;
  const thaw = await freeze(page);
  const frozenAt = Date.now();
  await acceptEach(other, [second]);
  // The other one has taken over once it sends what the frozen one got no answer to.
  await expect.poll(() => patchesOf(network, first), { timeout: 60_000, intervals: [50] }).toBe(2);
  const takenOverMs = Date.now() - frozenAt;
  test.info().annotations.push({ type: 'taken over after', description: `${takenOverMs} ms` });
  expect(takenOverMs).toBeLessThanOrEqual(45_000);
  await untilSent(other, 60_000);

  reply.release();
  await thaw();
  await comeBack(page);
  for (const tab of [page, other]) {
    await expect(tab.getByRole('article')).toHaveCount(2);
    await expect(tab.getByText('Waiting to send')).toHaveCount(0);
  }
  expect(await readOutboxes(other)).toEqual([]);
  const onServer = await packagesOf(backstage, sender);
  expect(onServer.map(({ version }) => version)).toEqual([2, 2]);
});

test('9: worker, tabs and timers send once @long', async ({ installed, backstage, network }) => {
  const { courier, packages } = await backstage.offers(3);
  const { page, context } = await installed(courier);
  const other = await openTab(context, '/delivery/in-transit');
  await context.setOffline(true);
  await acceptEach(page, packages);
  await expect(other.getByText('Waiting to send')).toHaveCount(3);

  await context.setOffline(false);
  await Promise.all([
    fireSync(page),
    ...[page, other].map((tab) =>
      tab.evaluate(() => {
        window.dispatchEvent(new Event('online'));
        window.dispatchEvent(new Event('focus'));
      }),
    ),
  ]);
  await untilSent(page);
  expect(packages.map((each) => patchesOf(network, each))).toEqual([1, 1, 1]);
});
