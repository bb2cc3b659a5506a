/** Checks the state once faults stop: nothing lost, nothing duplicated, all views equal. */
import { expect, type Page } from '@playwright/test';
import type { Backstage } from '#tests/e2e/backstage.ts';
import type { FaultProxy, KeyedAnswer } from '#tests/fakes/fault-proxy.ts';
import type { SoakPhone } from './phone.ts';

/** The longest back-off (60 s) plus requests in flight. */
const calmMs = 100_000;

interface Stored {
  outbox: { id: string; state: string }[];
  packages: Record<string, string>;
}

/** Outbox and mirror of the signed-in user, read straight from IndexedDB. */
function readStored(page: Page): Promise<Stored> {
  return page.evaluate(async () => {
    const all = await indexedDB.databases();
    const name = all.find((each) => each.name?.startsWith('kaya-user-'))?.name ?? '';
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const reading = db.transaction(['outbox', 'packages']);
    const rowsOf = (store: string) =>
      new Promise<Record<string, unknown>[]>((resolve, reject) => {
        const got = reading.objectStore(store).getAll();
        got.onsuccess = () => resolve(got.result);
        got.onerror = () => reject(got.error);
      });
    const [outbox, packages] = await Promise.all([rowsOf('outbox'), rowsOf('packages')]);
    db.close();
    return {
      outbox: outbox.map(({ id, state }) => ({ id: String(id), state: String(state) })),
      packages: Object.fromEntries(
        packages.map(({ id, version, status, deliveryAddress }) => [
          String(id),
          `${version} ${status} ${deliveryAddress}`,
        ]),
      ),
    };
  });
}

interface WireRow {
  _id: string;
  version: number;
  deliveryAddress: string;
  deliveryStatus: string;
  deliveryPersonId: { _id: string } | null;
}

const statusOf = ({ deliveryStatus }: WireRow) => deliveryStatus.toLowerCase().replace(' ', '-');

/** Counts all cards; the list grows as its end scrolls into view. */
function countCards(page: Page): Promise<number> {
  return page.evaluate(() => {
    const cards = [...document.querySelectorAll('article')];
    cards.at(-1)?.scrollIntoView();
    return cards.length;
  });
}

/** What the phone has stored, read once a second, each time after a pull was asked for. */
function pollStored<T>({ tabs: [tab] }: SoakPhone, read: (stored: Stored) => T) {
  return expect.poll(
    async () => {
      if (!tab) throw new Error('No tab.');
      await tab.page.evaluate(() => window.dispatchEvent(new Event('focus')));
      return read(await readStored(tab.page));
    },
    { timeout: calmMs, intervals: [1_000] },
  );
}

/** Waits until nothing of this phone is unsent. */
async function untilSent(phone: SoakPhone): Promise<void> {
  await pollStored(
    phone,
    ({ outbox }) => outbox.filter(({ state }) => state === 'waiting').length,
  ).toBe(0);
}

/** Waits until the mirror and each tab equal what the server shows this user. */
async function untilEqual(phone: SoakPhone, backstage: Backstage): Promise<void> {
  const rows = (await backstage.call(phone.account, 'GET', '/api/packages')) as WireRow[];
  const truth = Object.fromEntries(
    rows.map((row) => [row._id, `${row.version} ${statusOf(row)} ${row.deliveryAddress}`]),
  );
  await pollStored(phone, ({ packages }) => packages).toEqual(truth);
  const shown = phone.role === 'sender' ? '/tracking/in-transit' : '/delivery/in-transit';
  const cards = rows.filter(
    ({ deliveryStatus, deliveryPersonId }) =>
      deliveryStatus !== 'Pending' && (phone.role === 'sender' || deliveryPersonId !== null),
  ).length;
  for (const { page } of phone.tabs) {
    await page.goto(shown);
    await expect.poll(() => countCards(page), { message: `cards at ${shown}` }).toBe(cards);
    await expect(page.getByText('Session Expired')).toHaveCount(0);
  }
}

const hasWorked = ({ status, isReplayed }: KeyedAnswer) =>
  status >= 200 && status < 300 && !isReplayed;

/** Each intent was applied once or refused, in the order of its lane. */
async function accountFor(phone: SoakPhone, network: FaultProxy): Promise<string[]> {
  const complaints: string[] = [];
  const [tab] = phone.tabs;
  if (!tab) return complaints;
  const { outbox } = await readStored(tab.page);
  const shown = new Set(outbox.map(({ id }) => id));
  const effects = new Map<string, number>();
  const places = new Map<string, number>();
  for (const [place, answer] of network.answers.entries()) {
    if (!hasWorked(answer)) continue;
    effects.set(answer.key, (effects.get(answer.key) ?? 0) + 1);
    places.set(answer.key, place);
  }
  const lastPlaces = new Map<string, number>();
  for (const { id, name, targetId } of [...phone.saved].sort((a, b) => a.seq - b.seq)) {
    const count = effects.get(id) ?? 0;
    const what = `${name} ${id} of the ${phone.role}`;
    if (count > 1) complaints.push(`${what} happened ${count} times.`);
    if (count === 0 && !shown.has(id)) complaints.push(`${what} was lost.`);
    if (count > 0 && shown.has(id)) complaints.push(`${what} was applied but is shown as refused.`);
    const place = places.get(id);
    if (place === undefined) continue;
    if (place < (lastPlaces.get(targetId) ?? -1)) complaints.push(`${what} overtook another.`);
    lastPlaces.set(targetId, place);
  }
  complaints.push(
    ...phone.errors.map((error) => `An uncaught error of the ${phone.role}: ${error}`),
  );
  return complaints;
}

/** Every effect on the server was intended by one of the phones. */
function unmeant(phones: readonly SoakPhone[], network: FaultProxy): string[] {
  const meant = new Set(phones.flatMap(({ begun }) => [...begun]));
  return network.answers
    .filter((answer) => hasWorked(answer) && !meant.has(answer.key))
    .map(({ method, path, key }) => `${method} ${path} was applied under the unknown key ${key}.`);
}

/** All violations; empty: none. */
export async function complaintsOf(
  phones: readonly SoakPhone[],
  { backstage, network }: { backstage: Backstage; network: FaultProxy },
): Promise<string[]> {
  const complaints: string[] = [];
  // All have sent before the first is compared: what one sends changes the other's view.
  for (const reaches of [untilSent, untilEqual]) {
    for (const phone of phones) {
      await reaches(phone, backstage).catch((error: Error) => {
        complaints.push(`${phone.role}: ${error.message}`);
      });
    }
  }
  for (const phone of phones) complaints.push(...(await accountFor(phone, network)));
  complaints.push(...unmeant(phones, network));
  return complaints;
}
