import { type Helpers, type Scene, scene } from './scene.ts';

async function ownId({ call }: Helpers): Promise<string> {
  const [self] = (await call('GET', '/api/users')) as { _id: string }[];
  return self?._id ?? '';
}

/** The demo's courier is seen; resolves with the id of a package they carry. */
async function shareOfCourier({ callsOf }: Helpers): Promise<string> {
  const call = await callsOf('courier');
  await call('PUT', '/api/position', { lat: 12.0022, lng: 8.5919, accuracy: 20 });
  const rows = (await call('GET', '/api/packages')) as { _id: string; deliveryStatus: string }[];
  return rows.find(({ deliveryStatus }) => deliveryStatus === 'In Transit')?._id ?? '';
}

const account = (as: Scene['as']): Scene =>
  scene(as, 'account', '/account', (page) => page.getByText('Account Name').waitFor());

export const accountScenes: Scene[] = [
  account('sender'),
  account('courier'),
  account('dispatcher'),
  scene('courier', 'account-sharing', '/account', async (page) => {
    await page.getByRole('checkbox', { name: 'Share my position' }).check();
    await page.getByRole('link', { name: /^Sharing your position/ }).waitFor();
    await page.getByText('Recipients of what you carry').scrollIntoViewIfNeeded();
  }),
  scene(
    'dispatcher',
    'users-seen',
    async (helpers) => {
      await shareOfCourier(helpers);
      return '/users-list';
    },
    async (page) => {
      await page.getByRole('searchbox', { name: 'Search users' }).fill('Abubakar');
      await page
        .getByText(/^Seen /)
        .first()
        .waitFor();
    },
  ),
  scene(
    'dispatcher',
    'detail-seen',
    async (helpers) => `/package-detail/${await shareOfCourier(helpers)}`,
    (page) => page.getByRole('link', { name: 'Show on a map' }).scrollIntoViewIfNeeded(),
  ),
  scene('sender', 'personal-info', '/personal-info', (page) =>
    page.getByRole('link', { name: 'Edit Profile' }).waitFor(),
  ),
  scene('courier', 'notifications', '/notifications', (page) =>
    page.getByRole('heading', { name: 'Notifications' }).waitFor(),
  ),
  scene('newcomer', 'account-unconfirmed', '/account', (page) =>
    page.getByRole('button', { name: 'Send link' }).scrollIntoViewIfNeeded(),
  ),
  scene('newcomer', 'account-link-sent', '/account', async (page) => {
    await page.getByRole('button', { name: 'Send link' }).click();
    await page.getByText('A link is on its way').scrollIntoViewIfNeeded();
  }),
  scene('sender', 'security', '/security', (page) => page.getByText('This device').waitFor()),
  {
    name: 'security-devices-question',
    as: 'sender',
    path: '/security',
    reach: async (page) => {
      await page
        .getByRole('button', { name: /^Log out / })
        .first()
        .click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'security-devices-offline',
    as: 'sender',
    path: '/security',
    before: ({ answer }) =>
      answer('GET', /\/api\/auth\/sessions$/, 503, { code: 'unavailable', message: '' }),
    reach: (page) => page.getByText('Your devices can’t be shown').waitFor(),
  },
  scene('sender', 'security-complaints', '/security', async (page) => {
    await page.getByRole('button', { name: 'Change Password' }).click();
    await page.getByLabel('New Password').fill('abc');
    await page.getByRole('button', { name: 'Save Password' }).click();
    await page.getByText('Password must be at least 6 characters').waitFor();
  }),
  scene(
    'sender',
    'edit-user',
    async (helpers) => `/edit-user/${await ownId(helpers)}`,
    (page) => page.getByLabel('First Name').waitFor(),
  ),
  scene(
    'newcomer',
    'edit-user-complaints',
    async (helpers) => `/edit-user/${await ownId(helpers)}`,
    async (page) => {
      await page.getByLabel('First Name').waitFor();
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  ),
];
