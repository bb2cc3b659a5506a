// @ts-check
// The main job on two real phones: one creates a package, the other accepts it offline and
// delivers.
import { chromium } from '@playwright/test';
import { ensureBrowser } from '#tests/browser.mjs';
import { insist, until } from './report.mjs';

/**
 * @typedef {import('./site.mjs').Site} Site
 * @typedef {import('@playwright/test').Page} Page
 * @typedef {{ email: string, password: string, role: string, firstName: string, id: string, token: string }} Person
 * @typedef {{ context: import('@playwright/test').BrowserContext, page: Page, faults: string[] }} Phone
 */

const password = 'a-good-password';
/** Limit for a live update; polling alone would take up to 60 s. */
const liveMs = 10_000;

/** @param {{ name: string, spki: string }} site */
export function startBrowser({ name, spki }) {
  return chromium.launch({
    executablePath: ensureBrowser(),
    args: [
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      `--host-resolver-rules=MAP ${name} 127.0.0.1`,
      `--ignore-certificate-errors-spki-list=${spki}`,
    ],
  });
}

/** @param {import('@playwright/test').Browser} browser @param {Site} site @returns {Promise<Phone>} */
export async function newPhone(browser, { origin }) {
  const context = await browser.newContext({
    baseURL: origin,
    viewport: { width: 412, height: 915 },
    locale: 'en-NG',
    timezoneId: 'Africa/Lagos',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  /** @type {string[]} */
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  return { context, page, faults };
}

/** Signs up in the form; completes the profile by API. @param {Phone} phone @param {Site} site
 * @param {'User' | 'Delivery Personnel'} role @param {string} firstName @returns {Promise<Person>} */
export async function signUp({ page }, site, role, firstName) {
  const email = `${firstName.toLowerCase()}@kaya.test`;
  await page.goto('/auth');
  await page.getByText('Your ride to faster deliveries').click();
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor();
  await page.getByRole('button', { name: 'Join Us Today' }).click();
  await page.getByRole('heading', { name: 'Create Account' }).waitFor();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Register As').selectOption({ label: role });
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Confirm Password').fill(password);
  await page.getByRole('button', { name: 'Sign Up' }).click();
  await page.getByRole('heading', { name: 'Welcome Back' }).waitFor();
  const token = await site.signIn({ email, password });
  const users = await site.call('GET', '/api/users', { token });
  const id = users.find((/** @type {any} */ user) => user.email === email)._id;
  const profile = { id, firstName, lastName: 'Bello', email, phoneNumber: '0803 123 4567' };
  await site.call('PATCH', '/api/users', { token, body: profile });
  return { email, password, role, firstName, id, token };
}

/** @param {Phone} phone @param {Person} who @returns {Promise<string>} */
export async function signIn({ page }, { email }) {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByLabel('Trust This Device').check();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Login successful!').waitFor();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  // Not `evaluate`, which never returns without a service worker.
  await page.waitForFunction(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  // The first load, before the service worker: later ones come from its cache.
  return page.evaluate(() => {
    const entries = performance.getEntriesByType('resource');
    const first = entries.find(({ name }) => name.includes('/assets/'));
    return String(first && 'nextHopProtocol' in first ? first.nextHopProtocol : 'none');
  });
}

/** @param {Page} page @param {string} description */
const card = (page, description) => page.getByRole('article').filter({ hasText: description });

/** @param {Page} page @param {string} name */
const openTab = (page, name) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();

/** @param {Page} page @param {string} description @param {string} method */
export async function create(page, description, method) {
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await page.goto('/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road, Kano');
  await page.getByLabel('Delivery Address').fill('4 Zoo Road, Kano');
  await next.click();
  await page.getByLabel('Recipient Name').fill('Musa Ibrahim');
  await page.getByLabel('Recipient Phone').fill('0805 765 4321');
  await next.click();
  await page.getByLabel('Description').fill(description);
  const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString().slice(0, 16);
  await page.getByLabel('Pickup Date').fill(tomorrow);
  await next.click();
  await page.getByLabel('Price Offer').fill('1500');
  await page.getByRole('radio', { name: method }).check();
  await page.getByRole('button', { name: 'Create Package' }).click();
  await page.waitForURL(/\/tracking(\/pending)?$/);
}

/** @param {Site} site @param {Person} who @param {string} description */
export async function packageOf(site, { token }, description) {
  const rows = await site.call('GET', '/api/packages', { token });
  return rows.find((/** @type {any} */ row) => row.description === description);
}

/** @param {{ sender: Phone, courier: Phone, site: Site, amina: Person, sani: Person }} stage */
export async function deliverOne({ sender, courier, site, amina, sani }) {
  const lace = 'Four lengths of Zaria lace';
  await openTab(courier.page, 'Deliveries');
  await courier.page.getByText('Loading packages').waitFor({ state: 'hidden' });
  await create(sender.page, lace, 'Pay with App');
  const createdAt = Date.now();
  // No input on the courier's phone: an event through nginx triggers its pull.
  await card(courier.page, lace).waitFor({ timeout: liveMs });
  const offerMs = Date.now() - createdAt;

  await courier.context.setOffline(true);
  await courier.page.reload();
  await card(courier.page, lace).waitFor();
  await card(courier.page, lace).getByRole('button', { name: 'Accept Delivery' }).click();
  await card(courier.page, lace).getByText('Waiting to send').waitFor();
  await courier.page.reload();
  await card(courier.page, lace).getByText('Waiting to send').waitFor();
  insist(
    'accepted only on the phone',
    (await packageOf(site, amina, lace)).deliveryStatus,
    'Pending',
  );

  await courier.context.setOffline(false);
  await until('the acceptance arrives', async () => {
    return (await packageOf(site, amina, lace)).deliveryStatus === 'In Transit';
  });
  const acceptedAt = Date.now();
  await sender.page.getByRole('link', { name: 'In Transit', exact: true }).click();
  await card(sender.page, lace).waitFor({ timeout: liveMs });
  const seenMs = Date.now() - acceptedAt;

  await card(courier.page, lace).getByRole('link', { name: 'View Details' }).click();
  // Withheld until accepted, so this comes from the server's response.
  await courier.page.getByText('0805 765 4321').waitFor();
  await courier.page.getByRole('button', { name: 'Package Delivered' }).click();
  // Delivery moves money, so it asks for confirmation.
  const question = courier.page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Confirm' }).click();
  await courier.page.getByText('Package marked as delivered!').waitFor();
  const done = await packageOf(site, sani, lace);
  insist(
    'at the end',
    [done.deliveryStatus, done.paymentStatus, done.version],
    ['Delivered', 'paid', 3],
  );
  const { earned } = await site.call('GET', '/api/payments', { token: sani.token });
  insist('what the courier earned', earned, 1500);
  return { offerMs, seenMs, earned };
}
