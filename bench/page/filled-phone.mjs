// @ts-check
// A phone on which a courier has signed in, with the wanted number of packages and queued
// operations. They are written to its database directly: through the app it would take minutes.
import { courier } from './served.mjs';
import { column, phoneWithoutWorker } from './visits.mjs';

/** Rows per transfer to the page. */
const chunk = 5_000;

/** @param {number} number */
const idOf = (number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** An offer, as a courier sees it. @param {number} number @returns {Partial<import('#domain/package.ts').Package>} */
function packageOf(number) {
  const at = new Date(Date.UTC(2026, 9, 1) + number * 60_000).toISOString();
  return {
    id: idOf(number),
    packageId: `KY-${String(number).padStart(6, '0')}`,
    version: 1,
    sender: {
      id: '10000000-0000-4000-8000-000000000001',
      firstName: 'Amina',
      lastName: 'Bello',
      email: null,
      phoneNumber: null,
    },
    courier: null,
    recipientName: `Recipient ${number}`,
    recipientPhone: null,
    recipientEmail: null,
    notes: null,
    description: `Bale ${number} of indigo cloth`,
    pickupAddress: `${number} Zoo Road, Kano`,
    deliveryAddress: `${number} Ibrahim Taiwo Road, Kano`,
    pickupLocation: null,
    deliveryLocation: null,
    pickupDate: at,
    deliveryDate: null,
    priceOfferKobo: 150_000,
    paymentMethod: 'cash',
    status: 'pending',
    paymentStatus: 'unpaid',
    createdAt: at,
    updatedAt: at,
  };
}

const self = {
  _id: '20000000-0000-4000-8000-000000000002',
  firstName: 'Ladi',
  lastName: 'Sule',
  email: null,
  phoneNumber: '0803 123 4567',
};

/** A queued acceptance, as the engine stores it. @param {number} number */
function operationOf(number) {
  const targetId = idOf(number);
  return {
    id: crypto.randomUUID(),
    name: 'acceptPackage',
    targetId,
    lane: `package:${targetId}`,
    args: { courier: self, baseVersion: 1 },
    schemaVersion: 4,
    state: 'waiting',
    createdAt: '2026-11-21T10:00:00.000Z',
    tries: 0,
    lastError: null,
    backoff: null,
  };
}

/** Runs in the page. @param {{ table: string, rows: unknown[] }} what */
async function put({ table, rows }) {
  const found = await indexedDB.databases();
  const name = found.find((each) => each.name?.startsWith('kaya-user-'))?.name;
  if (!name) throw new Error('The app has no user database yet.');
  /** @type {IDBDatabase} */
  const db = await new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  await new Promise((resolve, reject) => {
    const writing = db.transaction(table, 'readwrite');
    for (const row of rows) writing.objectStore(table).put(row);
    writing.oncomplete = resolve;
    writing.onerror = () => reject(writing.error);
  });
  db.close();
}

/** @param {import('@playwright/test').Page} page @param {string} url @param {boolean} hasWorker */
async function signIn(page, url, hasWorker) {
  await page.goto(`${url}/auth`);
  await page.getByText('Your ride to faster deliveries').click();
  await page.getByLabel('Email').fill(courier.email);
  await page.getByLabel('Password', { exact: true }).fill(courier.password);
  await page.getByLabel('Trust This Device').check();
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Login successful!').waitFor();
  await page.goto(`${url}/delivery/pending`);
  if (hasWorker) await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  // Pulled once, so the server removes nothing of what is added.
  await page.getByText('No pending packages found.').waitFor();
}

/**
 * @param {import('@playwright/test').Browser} browser @param {string} url @param {{ hasWorker: boolean }} how with a service worker it starts offline
 */
export async function filledPhone(browser, url, { hasWorker }) {
  const context = await (hasWorker ? browser.newContext(column) : phoneWithoutWorker(browser));
  // Stays open: a page of the same origin outside the app, so no other page has the database open.
  const page = await context.newPage();
  await signIn(page, url, hasWorker);
  await page.goto(`${url}/healthz`);
  let filled = 0;
  return {
    context,
    /** Adds packages up to `count`. @param {number} count */
    async fill(count) {
      while (filled < count) {
        const from = filled;
        filled = Math.min(count, from + chunk);
        const rows = Array.from({ length: filled - from }, (_, index) =>
          packageOf(from + index + 1),
        );
        await page.evaluate(put, { table: 'packages', rows });
      }
    },
    /** Accepts the oldest. @param {number} count */
    async queue(count) {
      const rows = Array.from({ length: count }, (_, index) => operationOf(index + 1));
      await page.evaluate(put, { table: 'outbox', rows });
    },
  };
}
