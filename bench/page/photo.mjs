// @ts-check
// A photo of 12 megapixels at the door, from the camera's file to the phone's storage, on a cheap
// phone: how long it takes, what of it holds up the page, and what the photos of a day without a
// network take up there. The median of five counts. Chromium slows the page down but not its worker.
import { randomUUID } from 'node:crypto';
import { median } from '#bench/figures.mjs';
import { say, tell } from '#bench/report.mjs';
import { takePhoto } from '#tests/e2e/camera.mjs';
import { startKaya } from './served.mjs';
import { column, startBrowser } from './visits.mjs';

const rounds = 5;
const cpu = 4;
/** Taken on a day without a network, and what they may take up. */
const waiting = 50;
const mostMegabytes = 20;
const password = 'a-good-password';

const kaya = await startKaya();
const browser = await startBrowser();

/** @param {string} token @param {string} method @param {string} at @param {object} body */
async function call(token, method, at, body) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
  const answer = await fetch(`${kaya.url}${at}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${at}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** @param {'Customer' | 'Employee'} role */
async function person(role) {
  const email = `${role.toLowerCase()}@kaya.test`;
  const { accessToken, user } = await call('', 'POST', '/api/auth/signup', {
    email,
    password,
    role,
  });
  const named = { firstName: 'Sani', lastName: 'Bello', phoneNumber: '0803 123 4567' };
  await call(accessToken, 'PATCH', '/api/users', { id: user._id, email, ...named });
  return { email, id: user._id, token: accessToken };
}

/** The path of a package that its courier has brought to the door. */
async function atTheDoor() {
  const sender = await person('Customer');
  const courier = await person('Employee');
  const { _id } = await call(sender.token, 'POST', '/api/packages', {
    pickupAddress: '12 Kofar Mata Road',
    deliveryAddress: '4 Zoo Road',
    recipientName: 'Musa Ibrahim',
    recipientPhone: '0805 765 4321',
    description: 'A phone',
    pickupDate: '2027-01-15T09:00',
    priceOffer: 1500,
    paymentMethod: 'app',
    handover: 'code',
  });
  const at = `/api/packages/${_id}`;
  const accepted = { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' };
  await call(courier.token, 'PATCH', at, accepted);
  for (const type of ['picked_up', 'arrived']) {
    const event = { _id: randomUUID(), occurredAt: new Date().toISOString(), type };
    await call(courier.token, 'POST', `${at}/events`, event);
  }
  return { path: `/package-detail/${_id}`, courier };
}

/** Runs in the page: the bytes of all pictures on this phone. */
async function weigh() {
  /** @template Value @param {IDBRequest<Value>} asked @returns {Promise<Value>} */
  const done = (asked) =>
    new Promise((resolve, reject) => {
      asked.onsuccess = () => resolve(asked.result);
      asked.onerror = () => reject(asked.error);
    });
  const names = (await indexedDB.databases()).map(({ name = '' }) => name);
  const db = await done(indexedDB.open(names.find((name) => name.startsWith('kaya-user-')) ?? ''));
  const pictures = await done(db.transaction('proofs').objectStore('proofs').getAll());
  db.close();
  return pictures.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
}

try {
  say('Taking photos…');
  const { path, courier } = await atTheDoor();
  const context = await browser.newContext(column);
  const page = await context.newPage();
  await page.goto(`${kaya.url}/auth`);
  await page.getByText('Your ride to faster deliveries').click();
  await page.getByLabel('Email').fill(courier.email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await page.getByText('Login successful!').waitFor();
  await page.goto(`${kaya.url}${path}`);
  await page.getByRole('button', { name: 'Package Delivered' }).click();
  await page.getByRole('button', { name: 'No code?' }).click();
  const photo = await takePhoto(page);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  const seen = {
    taken: /** @type {number[]} */ ([]),
    long: /** @type {number[]} */ ([]),
    bytes: /** @type {number[]} */ ([]),
  };
  for (let round = 0; round < rounds; round += 1) {
    await page.evaluate(() => {
      /** @type {{ begun: number, taken: number, tasks: PerformanceEntry[] }} */
      const noted = { begun: 0, taken: 0, tasks: [] };
      Object.assign(window, { noted });
      // Handing over the file is the browser's work; the camera's is not measured.
      document.addEventListener(
        'change',
        () => Object.assign(noted, { begun: performance.now() }),
        {
          capture: true,
          once: true,
        },
      );
      new PerformanceObserver((list) => {
        noted.tasks.push(...list.getEntries());
      }).observe({ type: 'longtask' });
      new MutationObserver((_, observer) => {
        if (!document.querySelector('dialog img')) return;
        noted.taken = performance.now();
        observer.disconnect();
      }).observe(document.body, { subtree: true, childList: true });
    });
    await page.getByLabel(/^Take/).setInputFiles(photo);
    await page.getByRole('img', { name: 'Photo 1' }).waitFor();
    const { duration, long } = await page.evaluate(() => {
      const { begun, taken, tasks } = Reflect.get(window, 'noted');
      /** @param {PerformanceEntry} task */
      const within = ({ startTime: start, duration }) =>
        Math.max(0, Math.min(start + duration, taken) - Math.max(start, begun));
      const long = tasks.reduce(
        (/** @type {number} */ sum, /** @type {PerformanceEntry} */ task) => sum + within(task),
        0,
      );
      return { duration: taken - begun, long };
    });
    seen.taken.push(duration);
    seen.long.push(long);
    seen.bytes.push(await page.evaluate(weigh));
    await page.getByRole('button', { name: 'Remove Photo 1' }).click();
    await page.getByRole('img', { name: 'Photo 1' }).waitFor({ state: 'detached' });
  }
  const size = (photo.buffer.length / 1e6).toFixed(1);
  tell({
    figures: [
      {
        what: `a photo of 12 megapixels (${size} MB), taken to stored, CPU ÷ 4`,
        unit: 'ms',
        kaya: median(seen.taken),
      },
      { what: 'of that, in long tasks of the page', unit: 'ms', kaya: median(seen.long) },
      {
        what: `${waiting} such photos waiting to be sent`,
        unit: 'MB',
        kaya: (waiting * median(seen.bytes)) / 1e6,
        most: mostMegabytes,
      },
    ],
  });
} finally {
  await browser.close();
  await kaya.stop();
}
