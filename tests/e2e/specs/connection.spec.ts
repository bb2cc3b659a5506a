import { comeBack, enter } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

test('an unreachable server is not called offline, and old data names its day', async ({
  network,
  sender,
  page,
  context,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.clock.install();
  await enter(page, sender, '/tracking');
  // Shown only once a list has loaded.
  await expect(page.getByText("You haven't sent any packages yet")).toBeVisible();
  const line = page.getByRole('button', { name: 'Try again' });
  await expect(line).toHaveCount(0);

  network.setFaults(() => ({ kind: 'dropped before' }));
  await comeBack(page);
  await expect(line).toHaveText(/^Server unreachable · updated \d\d:\d\d/);
  await context.setOffline(true);
  await expect(line).toHaveText(/^Offline · updated/);
  await context.setOffline(false);
  await expect(line).toHaveText(/^Server unreachable/);

  await test.step('on a small phone, too', async () => {
    // It is on the screen already, so only the passing of time can add the day.
    await page.clock.fastForward(72 * 3_600_000);
    await expect(line).toHaveText(/ · updated \d{1,2} [A-Z][a-z]{2}, \d\d:\d\d/);
    // Nothing is cut off; it wraps to a second line.
    const [text, room] = await line.evaluate(({ scrollWidth, clientWidth, children }) => {
      const widest = Math.max(...[...children].map((child) => child.getBoundingClientRect().right));
      return [Math.max(scrollWidth, widest), clientWidth];
    });
    expect(text).toBeLessThanOrEqual(room ?? 0);
    expect((await line.boundingBox())?.height).toBeLessThan(60);
  });

  // Held before it is reachable again: it finds the server without the press, too.
  const reply = network.holdNextReply((_, path) => path.startsWith('/api/users'));
  network.setFaults(null);
  await line.click();
  await expect(line).toHaveText(/^Trying again…/);
  reply.release();
  await expect(line).toHaveCount(0);
});
