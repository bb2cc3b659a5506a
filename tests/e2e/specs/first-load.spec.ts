/** A first load that fails, with nothing on the phone yet: a sentence and Retry in place of outlines. */
import { admin } from '#tests/e2e/backstage.ts';
import { answerInstead, comeBack, enter, stopTime } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

const lists = /^\/api\/(users|packages)/;
const sentence = 'The server is not well.';

const profileFails = 'Failed to load your profile.';

/** What each says, and shows once it has loaded; `message`: the server's. */
const screens: { path: string; says: string; shows: string; message?: string }[] = [
  { path: '/tracking', says: 'Failed to load packages.', shows: 'Kola nuts' },
  {
    path: '/package-detail/:package',
    says: 'Error: Failed to load package details',
    shows: 'Kola nuts',
    message: '',
  },
  { path: '/edit-package/:package', says: `Error: ${sentence}`, shows: 'Save Changes' },
  { path: '/personal-info', says: sentence, shows: 'Edit Profile' },
  { path: '/users-list', says: 'An error occurred', shows: 'users', message: '' },
  { path: '/new-package', says: profileFails, shows: 'Enter Locations' },
  { path: '/', says: profileFails, shows: 'Enter Locations' },
];

for (const { path, says, shows, message = sentence } of screens) {
  test(
    `${path}: a first load that fails says so, and Retry asks for it again`,
    longUnless(message === ''),
    async ({ backstage, network, sender, page }) => {
      const made = await backstage.package(sender, { description: 'Kola nuts' });
      answerInstead(network, 'GET', lists, { status: 500, code: 'internal', message });
      await page.clock.install();
      const who = path === '/users-list' ? admin : sender;
      await enter(page, who, path.replace(':package', made._id));
      if (path === '/') await new HomePage(page).openSheet();
      const failure = page.getByText(says, { exact: true });
      await expect(failure).toBeVisible();
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
      // While the page's time stands, nothing is tried again but by the button.
      await stopTime(page);
      const asked = page.waitForRequest((request) => lists.test(new URL(request.url()).pathname));
      await page.getByRole('button', { name: 'Retry' }).click();
      await (await asked).response();
      // Lifted before the press, an earlier try that is still on its way would take the button away.
      network.setFaults(null);
      await page.clock.resume();
      await comeBack(page);
      await expect(page.getByText(shows).first()).toBeVisible();
      await expect(failure).toHaveCount(0);
    },
  );
}

test('a forbidden list is retried only by the user', async ({ network, sender, page }) => {
  answerInstead(network, 'GET', /^\/api\/packages\?/, { status: 403, code: 'forbidden' });
  const asked = () => network.received.filter((line) => line.startsWith('GET /api/packages?'));
  await page.clock.install();
  await enter(page, sender, '/tracking');
  await expect(page.getByText('Failed to load packages.')).toBeVisible();
  await expect.poll(() => network.received).toContain('GET /api/events?rows=1');
  // What woke the page during its first try has one of its own; each asks again behind a refresh.
  let before = 0;
  const isAtRest = async () => {
    before = asked().length;
    await page.clock.runFor(1000);
    return before > 0 && before % 2 === 0 && asked().length === before;
  };
  await expect.poll(isAtRest).toBe(true);
  // Second by second, so that what is asked for can be answered.
  for (let second = 0; second < 25; second += 1) await page.clock.runFor(1000);
  expect(asked()).toHaveLength(before);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => asked().length).toBe(before + 2);
});
