import type { Page } from '@playwright/test';
import type { Helpers, Scene } from './scene.ts';

const listed = (page: Page) => page.getByRole('link', { name: /^Edit/ }).first().waitFor();

/** A user the dispatcher manages. */
async function courierId({ call }: Helpers): Promise<string> {
  const people = (await call('GET', '/api/users')) as { _id: string; email: string }[];
  return people.find(({ email }) => email === 'sani.abubakar@kaya.test')?._id ?? '';
}

export const userScenes: Scene[] = [
  { name: 'users', as: 'dispatcher', path: '/users-list', reach: listed },
  {
    name: 'users-none-found',
    as: 'dispatcher',
    path: '/users-list',
    reach: async (page) => {
      await listed(page);
      await page.getByLabel('Search users').fill('nobody of this name');
      await page.getByRole('link', { name: /^Edit/ }).first().waitFor({ state: 'detached' });
    },
  },
  {
    name: 'edit-courier',
    as: 'dispatcher',
    path: async (helpers) => `/edit-user/${await courierId(helpers)}`,
    reach: (page) => page.getByLabel('First Name').waitFor(),
  },
  {
    name: 'edit-courier-foot',
    as: 'dispatcher',
    path: async (helpers) => `/edit-user/${await courierId(helpers)}`,
    isFoot: true,
    reach: (page) => page.getByLabel('First Name').waitFor(),
  },
  {
    name: 'new-user',
    as: 'dispatcher',
    path: '/users-list',
    reach: async (page) => {
      await listed(page);
      await page.getByRole('link', { name: 'Add User' }).click();
      await page.getByLabel('Email').waitFor();
    },
  },
];
