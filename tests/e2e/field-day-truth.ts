/** At the end of a day every phone shows and stores exactly the server's state. */

import { expect, type Page } from '@playwright/test';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import type { WireUser } from '#contract/user.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { type Package, packageFromWire } from '#domain/package.ts';
import { type User, userFromWire } from '#domain/user.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import type { Backstage } from './backstage.ts';
import type { Person } from './field-day-stage.ts';
import { ChangesPage } from './pages/changes-page.ts';
import { PackageListPage } from './pages/package-list-page.ts';
import { PaymentPage } from './pages/payment-page.ts';
import { UsersPage } from './pages/users-page.ts';

/** Kobo. */
export interface Wallet {
  available: number;
  held: number;
  earned: number;
}

interface Stored {
  packages: Package[];
  users: User[];
  outbox: unknown[];
  quarantine: unknown[];
}

/** Everything stored for the signed-in user, from the browser's database. */
function readStored(page: Page): Promise<Stored> {
  return page.evaluate(async () => {
    const all = await indexedDB.databases();
    const [name = '', ...others] = all.flatMap((each) =>
      each.name?.startsWith('kaya-user-') ? [each.name] : [],
    );
    if (others.length > 0) throw new Error('This phone knows more than one user.');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    const tables = ['packages', 'users', 'outbox', 'quarantine'];
    const reading = db.transaction(tables);
    const rows = await Promise.all(
      tables.map(
        (table) =>
          new Promise<unknown[]>((resolve, reject) => {
            const got = reading.objectStore(table).getAll();
            got.onsuccess = () => resolve(got.result);
            got.onerror = () => reject(got.error);
          }),
      ),
    );
    db.close();
    return Object.fromEntries(tables.map((table, place) => [table, rows[place]]));
  }) as Promise<unknown> as Promise<Stored>;
}

const byId = <Row extends { id: string }>(rows: readonly Row[]) =>
  Object.fromEntries(rows.map((row) => [row.id, row]));

/** The packages shown in a list, unordered. */
async function expectCards(page: Page, rows: readonly WirePackage[]): Promise<void> {
  const shown = async () => {
    const texts = await new PackageListPage(page).cards.allInnerTexts();
    return texts
      .map((text) =>
        [/KY-\d+/, /Pending|In Transit|Delivered|Cancelled/, /₦[\d,.]+/, /Waiting|Sending|Needs/]
          .flatMap((part) => part.exec(text)?.[0] ?? [])
          .join(' '),
      )
      .sort();
  };
  const due = rows
    .map(
      ({ packageId, deliveryStatus, priceOffer }) =>
        `${packageId} ${deliveryStatus} ${formatNaira(nairaToKobo(priceOffer))}`,
    )
    .sort();
  await expect.poll(shown).toEqual(due);
}

const isPending = ({ deliveryStatus }: WirePackage) => deliveryStatus === 'Pending';

/** A user's lists, and which visible packages belong in each. */
function listsOf({ role }: Person, selfId: string, rows: readonly WirePackage[]) {
  const isOwn = ({ senderId, deliveryPersonId }: WirePackage) =>
    (role === 'Customer' ? senderId._id : deliveryPersonId?._id) === selfId;
  if (role === 'Admin') return { '/delivery/all': rows };
  const base = role === 'Customer' ? '/tracking' : '/delivery';
  return {
    [`${base}/pending`]: rows.filter(isPending),
    [`${base}/in-transit`]: rows.filter((row) => !isPending(row) && isOwn(row)),
  };
}

async function expectWallet({ page }: Person, { available, held, earned }: Wallet): Promise<void> {
  const { wallet } = await PaymentPage.open(page);
  await expect(wallet).toContainText(`Available balance${formatNaira(available)}`);
  await expect(wallet).toContainText(`On hold${formatNaira(held)}`);
  if (earned > 0) await expect(wallet).toContainText(`Earned${formatNaira(earned)}`);
}

/** Compares one user's idle phone with the server's answers and the expected balance. */
export async function expectAgreement(
  backstage: Backstage,
  person: Person,
  due: Wallet,
): Promise<void> {
  const { page, account, name } = person;
  const ask = (path: string) => backstage.call(account, 'GET', path);
  const packages = (await ask('/api/packages')) as WirePackage[];
  const users = (await ask('/api/users')) as WireUser[];
  const { available, held, earned } = (await ask('/api/payments')) as Payments;
  const wallet = { available, held, earned };
  const kobo = Object.entries(wallet).map(([what, naira]) => [what, nairaToKobo(naira)]);
  expect(Object.fromEntries(kobo), `the money of ${name} by the server`).toEqual(due);

  const truth = {
    packages: byId(packages.map(packageFromWire)),
    users: byId(users.map(userFromWire)),
    ...{ outbox: [], quarantine: [] },
  };
  const stored = async () => {
    await comeBack(page);
    const { packages: mirrored, users: known, ...rest } = await readStored(page);
    return { ...rest, packages: byId(mirrored), users: byId(known) };
  };
  await expect.poll(stored, `what the phone of ${name} keeps`).toEqual(truth);

  const self = users.find(({ email }) => email === account.email);
  // Tall enough to render every card of the longest list.
  await page.setViewportSize({ width: 412, height: 4_000 });
  for (const [path, rows] of Object.entries(listsOf(person, self?._id ?? '', packages))) {
    await page.goto(path);
    await expectCards(page, rows);
  }
  await expectWallet(person, due);
  await expect((await ChangesPage.open(page)).empty).toBeVisible();
  await expect(page.getByText(/^(Offline|Server unreachable)/)).toBeHidden();
}

/** The dispatcher's user list shows each balance. */
export async function expectBalances(
  { page }: Person,
  due: ReadonlyMap<Person, Wallet>,
): Promise<void> {
  const list = await UsersPage.open(page);
  for (const [{ name }, { available }] of due) {
    await expect(list.card(`${name} Bello`)).toContainText(`${formatNaira(available)} available`);
  }
}

/** Keys of the server's effects for these users at this path, one entry per effect. */
export function effectsOf(people: readonly Person[], path?: string): string[] {
  return people
    .flatMap(({ network }) => network.answers)
    .filter(({ status, isReplayed }) => status >= 200 && status < 300 && !isReplayed)
    .filter((answer) => path === undefined || answer.path === path)
    .map(({ key }) => key);
}
