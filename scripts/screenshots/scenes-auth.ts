import type { Page } from '@playwright/test';
import { type Helpers, type Scene, scene } from './scene.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The splash appears once per session. */
async function toForm(page: Page) {
  const splash = page.getByRole('button', { name: /Tap to continue/ });
  const form = page.getByRole('heading', { name: 'Welcome Back' });
  await splash.or(form).first().waitFor();
  if (await splash.isVisible()) await splash.click();
  await form.waitFor();
}

async function toSignUp(page: Page) {
  await toForm(page);
  await button(page, 'Join Us Today').click();
  await page.getByRole('heading', { name: 'Create Account' }).waitFor();
}

async function fillSignIn(page: Page) {
  await toForm(page);
  await page.getByLabel('Email').fill('amina.bello@kaya.test');
  await page.getByLabel('Password', { exact: true }).fill('not-her-password');
}

/** Not of any mail: the screens ask the server only when they are used. */
const token = 'a-link-that-was-never-mailed'.padEnd(43, '_');

async function askForLink(page: Page) {
  await page.getByRole('heading', { name: 'Forgot Password?' }).waitFor();
  await page.getByLabel('Email').fill('amina.bello@kaya.test');
}

async function sendLink(page: Page) {
  await askForLink(page);
  await button(page, 'Send link').click();
  await page.getByRole('heading', { name: 'Check Your Email' }).waitFor();
}

const newPassword = (page: Page) => page.getByLabel('New Password', { exact: true });

const confirmed = ({ answer }: Helpers) => answer('POST', /\/api\/auth\/confirm-email$/, 200, {});

export const authScenes: Scene[] = [
  {
    name: 'splash',
    as: 'visitor',
    path: '/auth',
    // Withholds the form's chunk, so that the splash stays.
    before: ({ silence }) => silence('GET', /\/auth-screen-[^/]*\.js$/),
    reach: (page) => page.getByText('Your ride to faster deliveries').waitFor(),
  },
  {
    name: 'not-loaded',
    as: 'visitor',
    path: '/auth',
    before: ({ answer }) => answer('GET', /\.js$/, 404, {}),
    reach: (page) => page.getByText('Kaya could not be loaded').waitFor(),
  },
  scene('visitor', 'sign-in', '/auth', toForm),
  scene('visitor', 'sign-in-wrong-email', '/auth', async (page) => {
    await toForm(page);
    await page.getByLabel('Email').fill('amina bello');
    await button(page, 'Sign In').click();
    await page.getByText('Please enter a valid email address.').waitFor();
  }),
  {
    name: 'sign-in-busy',
    as: 'visitor',
    path: '/auth',
    before: ({ silence }) => silence('POST', /\/api\/auth\/login$/),
    reach: async (page) => {
      await fillSignIn(page);
      await button(page, 'Sign In').click();
      await button(page, 'Signing In...').waitFor();
    },
  },
  scene('visitor', 'sign-in-refused', '/auth', async (page) => {
    await fillSignIn(page);
    await button(page, 'Sign In').click();
    await page.getByText('Incorrect password.').waitFor();
  }),
  {
    // The longest toast of the form.
    name: 'sign-in-offline',
    as: 'visitor',
    path: '/auth',
    reach: async (page, { cutOff }) => {
      await fillSignIn(page);
      await cutOff();
      await button(page, 'Sign In').click();
      await page.getByText('You are offline. Connect to the internet to sign in.').waitFor();
    },
  },
  scene('visitor', 'forgot-password', '/forgot-password', askForLink),
  scene('visitor', 'forgot-password-wrong-email', '/forgot-password', async (page) => {
    await askForLink(page);
    await page.getByLabel('Email').fill('amina bello');
    await button(page, 'Send link').click();
    await page.getByText('Please enter a valid email address.').waitFor();
  }),
  {
    name: 'forgot-password-offline',
    as: 'visitor',
    path: '/forgot-password',
    reach: async (page, { cutOff }) => {
      await askForLink(page);
      await cutOff();
      await page.getByText('You are offline.').waitFor();
    },
  },
  scene('visitor', 'forgot-password-sent', '/forgot-password', sendLink),
  scene('visitor', 'reset-password', `/reset-password#token=${token}`, (page) =>
    newPassword(page).waitFor(),
  ),
  scene('visitor', 'reset-password-complaint', `/reset-password#token=${token}`, async (page) => {
    await newPassword(page).fill('short');
    await button(page, 'Set password').click();
    await page.getByText('Password must be at least 8 characters.').waitFor();
  }),
  scene('visitor', 'reset-password-used', `/reset-password#token=${token}`, async (page) => {
    await newPassword(page).fill('a-better-password');
    await button(page, 'Set password').click();
    await page.getByText('This link no longer works').waitFor();
  }),
  {
    name: 'confirm-email',
    as: 'visitor',
    path: `/confirm-email#token=${token}`,
    before: confirmed,
    reach: (page) => page.getByText('Your email is confirmed').waitFor(),
  },
  // Another one: the page of the scene before stays, and has confirmed.
  scene('visitor', 'confirm-email-used', `/confirm-email#token=${token.slice(1)}-`, (page) =>
    page.getByText('This link no longer works').waitFor(),
  ),
  scene('visitor', 'sign-up', '/auth', toSignUp),
  scene('visitor', 'sign-up-complaints', '/auth', async (page) => {
    await toSignUp(page);
    await page.getByLabel('Email').fill('amina.bello@kaya.test');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByLabel('Confirm Password').fill('shorter');
    await button(page, 'Sign Up').click();
    await page.getByText('Password must be at least 8 characters.').waitFor();
  }),
  scene('visitor', 'login-required', '/tracking', async (page) => {
    await toForm(page);
    await page.getByText('Please log in to access this page.').waitFor();
  }),
  {
    name: 'screen-not-loaded',
    as: 'newcomer',
    path: '/personal-info',
    before: ({ answer }) => answer('GET', /\/rest-[^/]*\.js$/, 404, {}),
    reach: (page) => page.getByText('This screen could not be loaded').waitFor(),
  },
  scene('visitor', 'not-found', '/no-such-place', (page) =>
    page.getByText('404 Not Found').waitFor(),
  ),
  {
    name: 'session-expired',
    as: 'lapsed',
    path: '/account',
    before: ({ answer }) =>
      answer('GET', /\/api\/auth\/refresh$/, 401, {
        code: 'session_expired',
        message: 'Your login has expired. Please log in again.',
      }),
    reach: (page) => page.getByRole('heading', { name: 'Session Expired' }).waitFor(),
  },
];
