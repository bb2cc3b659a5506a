import type { Page } from '@playwright/test';
import { type Helpers, type Scene, scene } from './scene.ts';

const listed = (page: Page) => page.getByRole('link', { name: /^Edit/ }).first().waitFor();

/** A user the dispatcher manages. */
async function courierId({ call }: Helpers): Promise<string> {
  const people = (await call('GET', '/api/users')) as { _id: string; email: string }[];
  return people.find(({ email }) => email === 'sani.abubakar@kaya.test')?._id ?? '';
}

export const userScenes: Scene[] = [
  scene('dispatcher', 'users', '/users-list', listed),
  scene('dispatcher', 'users-none-found', '/users-list', async (page) => {
    await listed(page);
    await page.getByLabel('Search users').fill('nobody of this name');
    await page.getByRole('link', { name: /^Edit/ }).first().waitFor({ state: 'detached' });
  }),
  scene(
    'dispatcher',
    'edit-courier',
    async (helpers) => `/edit-user/${await courierId(helpers)}`,
    (page) => page.getByLabel('First Name').waitFor(),
  ),
  {
    name: 'edit-courier-foot',
    as: 'dispatcher',
    path: async (helpers) => `/edit-user/${await courierId(helpers)}`,
    isFoot: true,
    reach: (page) => page.getByLabel('First Name').waitFor(),
  },
  scene('dispatcher', 'new-user', '/users-list', async (page) => {
    await listed(page);
    await page.getByRole('link', { name: 'Add User' }).click();
    await page.getByLabel('Email').waitFor();
  }),
];
