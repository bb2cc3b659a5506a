import type { Helpers, Scene } from './scene.ts';

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

const account = (as: Scene['as']): Scene => ({
  name: 'account',
  as,
  path: '/account',
  reach: (page) => page.getByText('Account Name').waitFor(),
});

export const accountScenes: Scene[] = [
  account('sender'),
  account('courier'),
  account('dispatcher'),
  {
    name: 'account-sharing',
    as: 'courier',
    path: '/account',
    reach: async (page) => {
      await page.getByRole('checkbox', { name: 'Share my position' }).check();
      await page.getByRole('link', { name: /^Sharing your position/ }).waitFor();
      await page.getByText('Recipients of what you carry').scrollIntoViewIfNeeded();
    },
  },
  {
    name: 'users-seen',
    as: 'dispatcher',
    path: async (helpers) => {
      await shareOfCourier(helpers);
      return '/users-list';
    },
    reach: async (page) => {
      await page.getByRole('searchbox', { name: 'Search users' }).fill('Abubakar');
      await page
        .getByText(/^Seen /)
        .first()
        .waitFor();
    },
  },
  {
    name: 'detail-seen',
    as: 'dispatcher',
    path: async (helpers) => `/package-detail/${await shareOfCourier(helpers)}`,
    reach: (page) => page.getByRole('link', { name: 'Show on a map' }).scrollIntoViewIfNeeded(),
  },
  {
    name: 'personal-info',
    as: 'sender',
    path: '/personal-info',
    reach: (page) => page.getByRole('link', { name: 'Edit Profile' }).waitFor(),
  },
  {
    name: 'notifications',
    as: 'courier',
    path: '/notifications',
    reach: (page) => page.getByRole('heading', { name: 'Notifications' }).waitFor(),
  },
  {
    name: 'security',
    as: 'sender',
    path: '/security',
    reach: (page) => page.getByRole('button', { name: 'Change Password' }).waitFor(),
  },
  {
    name: 'security-complaints',
    as: 'sender',
    path: '/security',
    reach: async (page) => {
      await page.getByRole('button', { name: 'Change Password' }).click();
      await page.getByLabel('New Password').fill('abc');
      await page.getByRole('button', { name: 'Save Password' }).click();
      await page.getByText('Password must be at least 6 characters').waitFor();
    },
  },
  {
    name: 'edit-user',
    as: 'sender',
    path: async (helpers) => `/edit-user/${await ownId(helpers)}`,
    reach: (page) => page.getByLabel('First Name').waitFor(),
  },
  {
    name: 'edit-user-complaints',
    as: 'newcomer',
    path: async (helpers) => `/edit-user/${await ownId(helpers)}`,
    reach: async (page) => {
      await page.getByLabel('First Name').waitFor();
      await page.getByRole('button', { name: 'Save Changes' }).click();
      await page.locator('[aria-invalid="true"]').first().waitFor();
    },
  },
];
