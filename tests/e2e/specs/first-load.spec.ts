/** A first load that fails, with nothing on the phone yet: a sentence and Retry in place of outlines. */
import { answerInstead, comeBack, enter, stopTime } from '#tests/e2e/inside.ts';
import { expect, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

const lists = /^\/api\/(users|packages)/;
const sentence = 'The server is not well.';

const profileFails = 'Failed to load your profile.';

/** What each says; `message`: the server's. */
const screens: { path: string; says: string; message?: string }[] = [
  {
    path: '/package-detail/:package',
    says: 'Error: Failed to load package details',
    message: '',
  },
  { path: '/edit-package/:package', says: `Error: ${sentence}` },
  { path: '/personal-info', says: sentence },
  { path: '/new-package', says: profileFails },
  { path: '/', says: profileFails },
  { path: '/tracking', says: 'Failed to load packages.' },
];

test('a first load that fails says so on each screen, and Retry asks for it again', async ({
  backstage,
  network,
  sender,
  page,
}) => {
  const made = await backstage.package(sender, { description: 'Kola nuts' });
  const failWith = (message: string) =>
    answerInstead(network, 'GET', lists, { status: 500, code: 'internal', message });
  failWith(sentence);
  await page.clock.install();
  await enter(page, sender, '/account');
  const retry = page.getByRole('button', { name: 'Retry' });
  const failed = (says: string) => page.getByText(says, { exact: true });
  for (const { path, says, message = sentence } of screens) {
    await test.step(path, async () => {
      failWith(message);
      await page.clock.resume();
      await page.goto(path.replace(':package', made._id));
      if (path === '/') await new HomePage(page).openSheet();
      await expect(failed(says)).toBeVisible();
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
      // While the page's time stands, nothing is tried again but by the button.
      await stopTime(page);
      const asked = page.waitForRequest((request) => lists.test(new URL(request.url()).pathname));
      await retry.click();
      await (await asked).response();
    });
  }
  // Lifted before the press, an earlier try that is still on its way would take the button away.
  network.setFaults(null);
  await page.clock.resume();
  await comeBack(page);
  await expect(page.getByText('Kola nuts')).toBeVisible();
  await expect(failed('Failed to load packages.')).toHaveCount(0);
});
