import type { Page } from '@playwright/test';
import { type Scene, scene } from './scene.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function openSheet(page: Page) {
  await page.getByRole('button', { name: /^Deliver/ }).click();
  await page.getByRole('heading', { name: 'Add package' }).waitFor();
}

async function lowerSheet(page: Page) {
  await button(page, 'Collapse').click();
  await button(page, 'Collapse').waitFor({ state: 'detached' });
}

async function openSidebar(page: Page) {
  await button(page, 'Open menu').click();
  await page.getByRole('dialog', { name: 'Menu' }).waitFor();
}

async function choosePlace(page: Page) {
  await button(page, 'Set exact place: Exact Pickup Place').click();
  // The fields below it suggest recent places too.
  const places = page.getByRole('dialog').getByRole('group', { name: 'Recent places' });
  await places.getByRole('button').first().click();
}

async function setPlace(page: Page) {
  await page.getByLabel('Pickup Address').fill('Kantin Kwari Textile Market, Line 4');
  await choosePlace(page);
  await button(page, 'Set place').click();
  await button(page, 'Change: Exact Pickup Place').waitFor();
}

async function fillLocations(page: Page) {
  await page.getByLabel('Pickup Address').fill('Kantin Kwari Textile Market, Line 4');
  await page.getByLabel('Delivery Address').fill('12 Kofar Mata Road, Dala');
  await button(page, 'Next').click();
  await page.getByRole('heading', { name: 'Recipient Details' }).waitFor();
}

async function fillRecipient(page: Page) {
  await page.getByLabel('Recipient Name').fill('Zainab Sule');
  await page.getByLabel('Recipient Phone').fill('0803 555 0142');
  await button(page, 'Next').click();
  await page.getByRole('heading', { name: 'Product Information' }).waitFor();
}

async function fillProduct(page: Page) {
  await page.getByLabel('Description').fill('Two bales of Ankara, wrapped in nylon');
  await page.getByLabel('Pickup Date').fill('2026-11-21T08:30');
  await button(page, 'Next').click();
  await page.getByRole('heading', { name: 'Pricing and Payment' }).waitFor();
}

/** Removes another scene's draft. */
async function forgetDraft(page: Page) {
  await page.evaluate(() => localStorage.removeItem('packageDraft'));
}

const wizard = (name: string, fill: (page: Page) => Promise<unknown>): Scene => ({
  name,
  as: 'sender',
  path: '/new-package',
  before: async (_, page) => forgetDraft(page),
  reach: async (page) => {
    await page.getByRole('heading', { name: 'Enter Locations' }).waitFor();
    await fill(page);
  },
});

const placeholder = (name: string, path: string): Scene =>
  scene('sender', name, path, (page) => page.getByText('Coming Soon ...').waitFor());

/** Once the summary below the cards has loaded. */
const home = (as: Scene['as'], said: string): Scene =>
  scene(as, 'home', '/', (page) => page.getByText(said).waitFor());

const lowered = (as: Scene['as']): Scene =>
  scene(as, 'home-sheet-collapsed', '/', async (page) => {
    await lowerSheet(page);
    await page.locator('[data-scrolls] a').first().waitFor({ state: 'attached' });
  });

export const homeScenes: Scene[] = [
  home('sender', 'Under way'),
  home('courier', 'Next stop:'),
  home('dispatcher', 'Unassigned'),
  lowered('sender'),
  lowered('courier'),
  lowered('dispatcher'),
  {
    name: 'home-sheet-full',
    as: 'sender',
    path: '/',
    before: async (_, page) => forgetDraft(page),
    reach: async (page) => {
      await openSheet(page);
      await page.getByLabel('Pickup Address').waitFor();
    },
  },
  scene('courier', 'home-sheet-full', '/', async (page) => {
    await openSheet(page);
    await page.getByText('Later stops').waitFor();
  }),
  scene('newcomer', 'home-profile-incomplete', '/', async (page) => {
    await openSheet(page);
    await page.getByText('Profile Incomplete').waitFor();
  }),
  scene('sender', 'sidebar', '/', openSidebar),
  scene('courier', 'sidebar', '/', openSidebar),
  scene('sender', 'home-offline', '/', async (page, { loadDesk, cutOff }) => {
    await page.getByText('Under way').waitFor();
    await loadDesk();
    await cutOff();
    await page.getByText(/^Offline/).waitFor();
  }),
  wizard('wizard-1-locations', async () => undefined),
  wizard('wizard-1-complaints', async (page) => {
    await button(page, 'Next').click();
    await page.getByText('Please fill in both pickup and delivery addresses.').first().waitFor();
  }),
  wizard('wizard-1-place', choosePlace),
  wizard('wizard-1-place-set', setPlace),
  wizard('wizard-2-recipient', fillLocations),
  wizard('wizard-3-product', async (page) => {
    await fillLocations(page);
    await fillRecipient(page);
  }),
  wizard('wizard-4-pricing', async (page) => {
    await fillLocations(page);
    await fillRecipient(page);
    await fillProduct(page);
    await page.getByLabel('Price Offer').fill('2500');
    await page.getByRole('radio', { name: 'Pay with App' }).check();
  }),
  placeholder('support', '/support'),
  placeholder('promotion', '/promotion'),
  placeholder('about', '/about'),
];
