/** Random histories of packages and people, on one server or on two in turn. */
import fc from 'fast-check';
import { renewEpoch } from '#server/modules/sync/epoch.ts';
import { acceptance, type Person, profile, type Stage } from './stage.ts';

const places = [{ lat: 12, lng: 8.59 }, { lat: 6.52, lng: 3.38 }, null];

/** Often what others then act on. */
export const usual = [
  ...(['create', 'create', 'create', 'delete', 'accept', 'accept', 'reject', 'assign'] as const),
  ...(['edit', 'move', 'deliver', 'cancel', 'reopen', 'phone', 'profile'] as const),
];
const rare = ['role', 'vehicle', 'balance', 'epoch'] as const;
export type Kind = (typeof usual)[number] | (typeof rare)[number] | 'else';

export interface Step {
  kind: Kind;
  who: number;
  pick: number;
}

export const historyOf = (kinds: readonly Kind[]): fc.Arbitrary<Step[]> =>
  fc.array(fc.record({ kind: fc.constantFrom(...kinds), who: fc.nat(5), pick: fc.nat(30) }), {
    minLength: 5,
    maxLength: 25,
    size: 'max',
  });

/** Does each step, by whoever may or may not; `otherwise` does what is of one test alone. */
export function actors(
  servers: readonly [Stage, ...Stage[]],
  admin: Person,
  people: readonly Person[],
  otherwise: (pick: number) => Promise<unknown> | undefined,
) {
  const ids: string[] = [];
  return async ({ kind, who, pick }: Step): Promise<void> => {
    const at = servers[pick % servers.length] ?? servers[0];
    const person = [admin, ...people][who % (people.length + 1)] ?? admin;
    const target = people[pick % people.length] ?? admin;
    const id = ids[pick % Math.max(1, ids.length)] ?? '00000000-0000-4000-8000-000000000000';
    const pickupLocation = places[pick % places.length];
    const user = (body: object, by = admin, path = '/api/users') =>
      at.send(by, 'PATCH', path, { body });
    const to = (deliveryStatus: string) => at.patch(admin, id, { deliveryStatus });
    const acts: Record<Kind, () => Promise<unknown> | undefined> = {
      create: async () =>
        person !== admin && ids.push((await at.created(person, { pickupLocation }))._id),
      delete: () => at.send(pick % 2 ? admin : person, 'DELETE', `/api/packages/${id}`),
      accept: () => at.accept(person, id),
      reject: () => at.reject(admin, id),
      assign: () => at.patch(admin, id, acceptance(target)),
      edit: () => at.patch(pick % 2 ? admin : person, id, { notes: `Note ${pick}` }),
      move: () => at.patch(admin, id, { pickupLocation }),
      deliver: () => to('Delivered'),
      cancel: () => to('Cancelled'),
      reopen: () => to('Pending'),
      phone: () =>
        user({ ...profile, id: person.id, phoneNumber: `0803 000 ${1000 + pick}` }, person),
      profile: () => user({ id: person.id, address: `${pick} Road` }, person),
      role: () => user({ id: target.id, roles: [pick % 2 ? 'Customer' : 'Employee'] }),
      vehicle: () => user({ id: target.id, vehicle: `Bike ${pick}` }),
      balance: () =>
        user({ id: target.id, amount: 5, reason: 'Test' }, admin, '/api/users/balance'),
      epoch: async () => pick % 6 === 0 && renewEpoch(at.database.db),
      else: () => otherwise(pick),
    };
    await acts[kind]();
  };
}
