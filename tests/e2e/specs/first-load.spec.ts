/** A first load that fails, with nothing on the phone yet: a sentence and Retry in place of outlines. */
import { admin } from '#tests/e2e/backstage.ts';
import { answerInstead, enter, stopTime } from '#tests/e2e/inside.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';
import { makePackages } from '#tests/e2e/package-stage.ts';
import { keepSession } from '#tests/e2e/signed-in.ts';

test.use({ hasServiceWorker: false });

const lists = /^\/api\/(users|packages)/;
const isPull = (line: string) => line.startsWith('GET /api/users');
const message = 'The server is not well.';

interface Screen {
  path: string;
  as?: 'admin';
  says: string;
  /** Seen once it has loaded. */
  shows: string;
}

const screens: Record<string, Screen> = {
  'the list of packages': {
    path: '/tracking',
    says: 'Failed to load packages.',
    shows: 'Kola nuts',
  },
  'a package': { path: '/package-detail/:package', says: `Error: ${message}`, shows: 'Kola nuts' },
  'a package to edit': {
    path: '/edit-package/:package',
    says: `Error: ${message}`,
    shows: 'Save Changes',
  },
  'one’s own profile': { path: '/personal-info', says: message, shows: 'Edit Profile' },
  'the list of users': { path: '/users-list', as: 'admin', says: message, shows: 'users' },
  'a new package': {
    path: '/new-package',
    says: 'Failed to load your profile.',
    shows: 'Enter Locations',
  },
};

for (const [name, { path, as, says, shows }] of Object.entries(screens)) {
  test(
    `${name}: a first load that fails says so, and Retry loads it`,
    longUnless(name === 'a package' || name === 'the list of users'),
    async ({ phone, backstage, network }) => {
      const sender = await backstage.account('Customer', 'Amina');
      const [made] = await makePackages(backstage.serverUrl, sender, [
        { description: 'Kola nuts' },
      ]);
      const { page } = await phone();
      answerInstead(network, 'GET', lists, { status: 500, code: 'internal', message });
      await page.clock.install();
      await enter(page, as === 'admin' ? admin : sender, path.replace(':package', made?._id ?? ''));
      await expect(page.getByText(says, { exact: true })).toBeVisible();
      await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
      // While the page's time stands, nothing is tried again but by the button.
      await stopTime(page);
      network.setFaults(null);
      const before = network.received.length;
      await page.getByRole('button', { name: 'Retry' }).click();
      await expect.poll(() => network.received.slice(before).filter(isPull)).not.toEqual([]);
      await page.clock.resume();
      await expect(page.getByText(shows).first()).toBeVisible();
      await expect(page.getByText(says, { exact: true })).toHaveCount(0);
    },
  );
}

test('Home’s form: a first load that fails says so, and Retry loads it', { tag: '@long' }, async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
  const { page } = await phone();
  network.setFaults((_, path) => (lists.test(path) ? { kind: 'dropped before' } : null));
  const asked = page.waitForEvent('requestfailed', (request) =>
    lists.test(new URL(request.url()).pathname),
  );
  await keepSession(page, sender);
  await page.goto('/');
  await asked;
  await page.getByRole('button', { name: 'Where to?' }).click();
  await expect(page.getByText('Failed to load your profile.')).toBeVisible();
  network.setFaults(null);
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { name: 'Enter Locations' })).toBeVisible();
});

test('what the server forbids is asked for once more after a refresh, and then only by a person', async ({
  phone,
  backstage,
  network,
}) => {
  const sender = await backstage.account('Customer', 'Amina');
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
