/** Senders who create packages and couriers who accept them, at a fixed pace, through the API. */
import { setTimeout as after } from 'node:timers/promises';
import { accepting, type Person } from '#bench/server/requests.ts';
import { headers } from '#contract/headers.ts';
import { routes } from '#contract/routes.ts';

export interface Change {
  id: string;
  version: number;
}

export interface People {
  senders: readonly Person[];
  couriers: readonly Person[];
  /** Packages on offer; created ones are added, accepted ones leave. */
  offers: string[];
}

interface Pace {
  url: string;
  perSecond: number;
  ms: number;
  /** Immediately before the request. */
  onChange?: (change: Change) => void;
}

const packageOf = (id: string) => ({
  _id: id,
  pickupAddress: '12 Kofar Mata Road, Kano',
  pickupLocation: { lat: 12.0022, lng: 8.5919 },
  deliveryAddress: '31 Ibrahim Taiwo Road, Sabon Gari, Kano',
  recipientName: 'Musa Ibrahim',
  recipientPhone: '0805 765 4321',
  description: 'Two bolts of indigo cloth',
  notes: 'Call before you come, the gate is locked.',
  pickupDate: '2027-01-15T09:00:00.000Z',
  priceOffer: 1500,
  paymentMethod: 'cash',
});

/** The seed lets one courier per hundred packages carry as many as one may: the others. */
export const freeOf = <P>(couriers: readonly P[], packages: number): P[] =>
  couriers.slice(Math.ceil(packages / 100));

/** Creates and accepts alternate, by all senders and couriers in turn. */
export function createWriters({ senders, couriers, offers }: People) {
  const turns = { created: 0, accepted: 0 };
  const personOf = (people: readonly Person[], turn: number): Person => {
    const person = people[turn % people.length];
    if (!person) throw new Error('No people were seeded.');
    return person;
  };

  /** Sends it again, like a phone, while the server is too busy to take it. */
  const send = async (url: string, change: Change, request: RequestInit & { path: string }) => {
    const { path, ...init } = request;
    for (;;) {
      const answer = await fetch(`${url}${path}`, init);
      const text = await answer.text();
      if (answer.status === 503) {
        await after(Number(answer.headers.get('retry-after') ?? 1) * 1000);
        continue;
      }
      if (!answer.ok) throw new Error(`${init.method} ${path}: ${answer.status} ${text}`);
      const { version } = JSON.parse(text);
      if (version !== change.version) throw new Error(`Version ${version}: ${text}`);
      return;
    }
  };

  const create = async (url: string, onChange: Pace['onChange']) => {
    const { token } = personOf(senders, turns.created);
    turns.created += 1;
    const change = { id: crypto.randomUUID(), version: 1 };
    onChange?.(change);
    await send(url, change, {
      method: 'POST',
      path: routes.createPackage.path,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        [headers.idempotencyKey]: change.id,
      },
      body: JSON.stringify(packageOf(change.id)),
    });
    offers.push(change.id);
  };

  const accept = async (url: string, onChange: Pace['onChange']) => {
    const courier = personOf(couriers, turns.accepted);
    turns.accepted += 1;
    const id = offers.shift();
    if (id === undefined) throw new Error('No offers left.');
    const change = { id, version: 2 };
    onChange?.(change);
    const { body = '', ...rest } = accepting(courier, id, crypto.randomUUID());
    await send(url, change, { ...rest, body });
  };

  /** Resolves with the number of changes. The pace does not wait for responses. */
  return async function write({ url, perSecond, ms, onChange }: Pace): Promise<number> {
    const begun = performance.now();
    const writing: Promise<void>[] = [];
    const total = Math.floor((perSecond * ms) / 1000);
    for (let count = 0; count < total; count += 1) {
      await after(Math.max(0, begun + (count * 1000) / perSecond - performance.now()));
      const change = (count % 2 === 0 ? create : accept)(url, onChange);
      // Reported at the end.
      change.catch(() => undefined);
      writing.push(change);
    }
    await after(Math.max(0, begun + ms - performance.now()));
    await Promise.all(writing);
    return total;
  };
}
