/** A first load that fails, with nothing on the phone yet: a sentence and Retry in place of outlines. */
import { admin } from '#tests/e2e/backstage.ts';
import { answerInstead, comeBack, enter, stopTime } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

const lists = /^\/api\/(users|packages)/;
const sentence = 'The server is not well.';

interface Screen {
  path: string;
  as?: 'admin';
  /** What has to be pressed first. */
  behind?: string;
  says: string;
  /** Of the server; a sentence by default. */
  message?: string;
  /** Seen once it has loaded. */
  shows: string;
}

const screens: Record<string, Screen> = {
  'the list of packages': {
    path: '/tracking',
    says: 'Failed to load packages.',
    shows: 'Kola nuts',
  },
  'a package': { path: '/package-detail/:package', says: `Error: ${sentence}`, shows: 'Kola nuts' },
  'a package to edit': {
    path: '/edit-package/:package',
    says: `Error: ${sentence}`,
    shows: 'Save Changes',
  },
  'one’s own profile': { path: '/personal-info', says: sentence, shows: 'Edit Profile' },
  'the list of users': {
    path: '/users-list',
    as: 'admin',
    message: '',
    says: 'An error occurred',
    shows: 'users',
  },
  'a new package': {
    path: '/new-package',
    says: 'Failed to load your profile.',
    shows: 'Enter Locations',
  },
  'Home’s form': {
    path: '/',
    behind: 'Where to?',
    says: 'Failed to load your profile.',
    shows: 'Enter Locations',
  },
};

for (const [name, { path, as, behind, message = sentence, says, shows }] of Object.entries(
  screens,
)) {
  test(
    `${name}: a first load that fails says so, and Retry asks for it again`,
    longUnless(name === 'a package' || name === 'the list of users'),
    async ({ phone, backstage, network }) => {
      const sender = await backstage.sender();
      const made = await backstage.package(sender, { description: 'Kola nuts' });
      const { page } = await phone();
      answerInstead(network, 'GET', lists, { status: 500, code: 'internal', message });
      await page.clock.install();
      await enter(page, as === 'admin' ? admin : sender, path.replace(':package', made._id));
      if (behind) await page.getByRole('button', { name: behind }).click();
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

test('a forbidden list is retried only by the user', async ({ phone, backstage, network }) => {
  const sender = await backstage.sender();
  const { page } = await phone();
  answerInstead(network, 'GET', /^\/api\/packages\?/, { status: 403, code: 'forbidden' });
  const asked = () => network.received.filter((line) => line.startsWith('GET /api/packages?'));
  await page.clock.install();
  await enter(page, sender, '/tracking');
  await expect(page.getByText('Failed to load packages.')).toBeVisible();
  await expect.poll(() => network.received).toContain('GET /api/events');
  // Second by second, so that what is asked for can be answered.
  for (let second = 0; second < 25; second += 1) await page.clock.runFor(1000);
  expect(asked()).toHaveLength(2);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => asked().length).toBe(4);
});
