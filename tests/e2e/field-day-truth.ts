/** At the end of a day every phone shows and stores exactly the server's state. */
import { expect } from '@playwright/test';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import type { WireUser } from '#contract/user.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { packageFromWire } from '#domain/package.ts';
import { userFromWire } from '#domain/user.ts';
import { comeBack } from '#tests/e2e/inside.ts';
import type { Backstage } from './backstage.ts';
import type { Person } from './field-day-stage.ts';
import { rowsOf } from './outbox-stage.ts';
import { ChangesPage } from './pages/changes-page.ts';
import { PackageListPage } from './pages/package-list-page.ts';
import { PaymentPage } from './pages/payment-page.ts';

/** Kobo. */
export interface Wallet {
  available: number;
  held: number;
  earned: number;
}

const byId = <Row extends { id: string }>(rows: readonly Row[]) =>
  Object.fromEntries(rows.map((row) => [row.id, row]));

const isPending = ({ deliveryStatus }: WirePackage) => deliveryStatus === 'Pending';

/** A user's lists, and which visible packages belong in each. */
function listsOf({ role, account }: Person, rows: readonly WirePackage[]) {
  const isOwn = ({ senderId, deliveryPersonId }: WirePackage) =>
    (role === 'Customer' ? senderId._id : deliveryPersonId?._id) === account.id;
  if (role === 'Admin') return [['/delivery/all', rows]] as const;
  const base = role === 'Customer' ? '/tracking' : '/delivery';
  return [
    [`${base}/pending`, rows.filter(isPending)],
    [`${base}/in-transit`, rows.filter((row) => !isPending(row) && isOwn(row))],
  ] as const;
}

async function expectList(person: Person, path: string, rows: readonly WirePackage[]) {
  await person.page.goto(path);
  const list = new PackageListPage(person.page);
  for (const { packageId, deliveryStatus, priceOffer } of rows) {
    const card = list.card(packageId);
    await expect(card).toContainText(deliveryStatus ?? 'Pending');
    await expect(card).toContainText(formatNaira(nairaToKobo(priceOffer)));
    await expect(card).not.toContainText(/Waiting|Sending|Needs/);
  }
  await expect(list.cards).toHaveCount(rows.length);
}

/** Compares one user's idle phone with the server's answers and the expected balance. */
export async function expectAgreement(
  { call }: Backstage,
  person: Person,
  due: Wallet,
): Promise<void> {
  const { page, account, name } = person;
  const packages = await call<WirePackage[]>(account, 'GET', '/api/packages');
  const users = await call<WireUser[]>(account, 'GET', '/api/users');
  const { available, held, earned } = await call<Payments>(account, 'GET', '/api/payments');
  const money = [available, held, earned].map(nairaToKobo);
  expect(money, `the money of ${name}`).toEqual([due.available, due.held, due.earned]);

  const stored = async () => {
    await comeBack(page);
    return {
      packages: byId(await rowsOf<{ id: string }>(page, 'packages')),
      users: byId(await rowsOf<{ id: string }>(page, 'users')),
      unsent: [...(await rowsOf(page, 'outbox')), ...(await rowsOf(page, 'quarantine'))],
    };
  };
  await expect.poll(stored, `what the phone of ${name} keeps`).toEqual({
    packages: byId(packages.map(packageFromWire)),
    users: byId(users.map(userFromWire)),
    unsent: [],
  });

  // Tall enough to render every card of the longest list.
  await page.setViewportSize({ width: 412, height: 4_000 });
  for (const [path, rows] of listsOf(person, packages)) await expectList(person, path, rows);
  const { wallet } = await PaymentPage.open(page);
  await expect(wallet).toContainText(`Available balance${formatNaira(due.available)}`);
  // Couriers hold nothing, and are not told so.
  if (person.role !== 'Employee')
    await expect(wallet).toContainText(`On hold${formatNaira(due.held)}`);
  if (due.earned > 0)
    await expect(wallet).toContainText(`Earned in the app${formatNaira(due.earned)}`);
  await expect((await ChangesPage.open(page)).empty).toBeVisible();
  await expect(page.getByText(/^(Offline|Server unreachable)/)).toBeHidden();
}

/** Keys of the server's effects for these users at this path, one entry per effect. */
export const effectsOf = (people: readonly Person[], path?: string): string[] =>
  people
    .flatMap(({ network }) => network.answers)
    .filter(({ status, isReplayed }) => status >= 200 && status < 300 && !isReplayed)
    .filter((answer) => path === undefined || answer.path === path)
    .map(({ key }) => key);
