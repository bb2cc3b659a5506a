/** What the tests of the dispatcher's screens have in common: who is there, and what is true. */
import { randomUUID } from 'node:crypto';
import type { WireUser } from '#contract/user.ts';
import { type Account, admin, type Backstage, type Credentials } from '#tests/e2e/backstage.ts';
import { enter } from '#tests/e2e/inside.ts';
import type { Phone } from '#tests/e2e/kaya.ts';
import { type UserPage, UsersPage } from '#tests/e2e/pages/users-page.ts';

/** A name that nobody else has on this server. */
export const unique = (first: string) => `${first}${randomUUID().slice(0, 6)}`;

export const nameOf = ({ firstName, lastName }: Account) => `${firstName} ${lastName}`;

export async function usersOf(backstage: Backstage): Promise<WireUser[]> {
  return (await backstage.call(admin, 'GET', '/api/users')) as WireUser[];
}

export async function userOf(
  backstage: Backstage,
  { email }: Pick<Account, 'email'>,
): Promise<WireUser> {
  const found = (await usersOf(backstage)).find((user) => user.email === email);
  if (!found) throw new Error(`Nobody has ${email}.`);
  return found;
}

/** A phone with this dispatcher signed in, that opens without a network too. */
export async function dispatcher(
  phone: () => Promise<Phone>,
  as: Credentials = admin,
): Promise<Phone> {
  const opened = await phone();
  const shell = await enter(opened.page, as);
  await shell.untilInstalled();
  return opened;
}

/** At somebody's card, as the list leads there. */
export async function openUser(page: Phone['page'], name: string): Promise<UserPage> {
  const list = await UsersPage.open(page);
  await list.search.fill(name);
  return list.edit(name);
}

/** A package of this sender, on offer; answers its id. */
export async function packageOf(
  backstage: Backstage,
  sender: Account,
  changes: object = {},
): Promise<string> {
  const created = await backstage.call(sender, 'POST', '/api/packages', {
    ...{ pickupAddress: '12 Kofar Mata Road', deliveryAddress: '4 Zoo Road' },
    ...{ recipientName: 'Musa Ibrahim', recipientPhone: '0805 765 4321' },
    ...{ description: 'Two bolts of indigo cloth', pickupDate: '2027-01-15T09:00' },
    ...{ priceOffer: 1500, paymentMethod: 'cash', ...changes },
  });
  return (created as { _id: string })._id;
}
