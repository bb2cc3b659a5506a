/** Every operation that can move money, as one call with its expected effect. */
import { randomUUID } from 'node:crypto';
import { headers } from '#contract/headers.ts';
import { signed } from '#tests/fakes/fake-provider.ts';
import {
  type Concerned,
  deposit,
  type Purse,
  price,
  recentEntries,
  type Stand,
  type View,
} from './money-stand.ts';
import { type Account, type Extras, register } from './process-stage.ts';
import { packageBody } from './stage.ts';

const correction = 700;

/** One operation, prepared. */
export interface Intent extends Concerned {
  method: string;
  at: string;
  how: Extras;
  /** The expected view afterwards, derived from the view before. */
  after(view: View): View;
}

export interface Operation {
  name: string;
  prepare(stand: Stand): Promise<Intent>;
}

function moved(purse: Purse, available: number, held: number, kind: string): Purse {
  return {
    available: purse.available + available,
    held: purse.held + held,
    entries: [kind, ...purse.entries].slice(0, recentEntries),
  };
}

const held = (view: View, amount = price): View => ({
  ...view,
  sender: moved(view.sender, -amount, amount, 'hold'),
});
const refunded = (view: View): View => ({
  ...view,
  sender: moved(view.sender, price, -price, 'refund'),
});
const toppedUp = (view: View): View => ({
  ...view,
  sender: moved(view.sender, deposit, 0, 'top_up'),
});
const packaged = (view: View, changes: Record<string, unknown>): View => ({
  ...view,
  package: { ...view.package, ...changes },
});

const taken = ({ courier }: Stand): [Account, object] => [
  courier,
  { deliveryPersonId: courier.id },
];

/** A change of a package prepared by `before`. */
function change(
  name: string,
  by: 'sender' | 'courier',
  body: (stand: Stand) => object,
  after: (view: View, stand: Stand) => View,
  before: (stand: Stand) => [Account, object][] = () => [],
): Operation {
  return {
    name,
    prepare: async (stand) => {
      const packageId = await stand.package(...before(stand));
      const how = { token: stand[by].token, key: randomUUID(), body: body(stand) };
      const at = `/api/packages/${packageId}`;
      return { method: 'PATCH', at, how, packageId, after: (view) => after(view, stand) };
    },
  };
}

/** A user with money who is deactivated; the money stays in place. */
function sendAway(name: string, method: 'PATCH' | 'DELETE', more: object): Operation {
  return {
    name,
    prepare: async (stand) => {
      const leaver = await register(stand.url, 'Customer');
      await stand.give(leaver, price);
      const body = { id: leaver.id, ...more };
      const how = { token: stand.admin.token, key: randomUUID(), body };
      const after = (view: View) => ({ ...view, leaver: { active: false, balance: price } });
      return { method, at: '/api/users', how, leaver, after };
    },
  };
}

export const operations: readonly Operation[] = [
  {
    name: 'initiate',
    prepare: async (stand) => {
      const how = { ...stand.initiation(), key: randomUUID() };
      return { method: 'POST', at: '/api/payments/initiate', how, after: (view) => view };
    },
  },
  {
    name: 'verify',
    prepare: async (stand) => {
      const at = `/api/payments/verify/${await stand.paidTopUp()}`;
      return { method: 'GET', at, how: { token: stand.sender.token }, after: toppedUp };
    },
  },
  {
    name: 'webhook',
    prepare: async (stand) => {
      const reference = await stand.paidTopUp();
      const data = { status: 'success', reference, amount: deposit * 100, currency: 'NGN' };
      const { raw, signature } = signed({ event: 'charge.success', data });
      const how = { body: raw.toString(), headers: { [headers.paystackSignature]: signature } };
      return { method: 'POST', at: '/api/payments/webhook', how, after: toppedUp };
    },
  },
  {
    name: 'create',
    prepare: async (stand) => {
      const packageId = randomUUID();
      const paid = { paymentMethod: 'app', priceOffer: price };
      const body = packageBody({ _id: packageId, ...paid });
      const how = { token: stand.sender.token, key: packageId, body };
      const seen = { ...paid, deliveryStatus: 'Pending', paymentStatus: 'paid', courier: null };
      const after = (view: View) => packaged(held(view), seen);
      return { method: 'POST', at: '/api/packages', how, packageId, after };
    },
  },
  change(
    'raise the offer',
    'sender',
    () => ({ priceOffer: price + 600 }),
    (view) => packaged(held(view, 600), { priceOffer: price + 600 }),
  ),
  change(
    'switch to cash',
    'sender',
    () => ({ paymentMethod: 'cash' }),
    (view) => packaged(refunded(view), { paymentMethod: 'cash', paymentStatus: 'unpaid' }),
  ),
  change(
    'pay',
    'sender',
    () => ({ paymentStatus: 'paid' }),
    (view) => packaged(held(view), { paymentStatus: 'paid' }),
    ({ admin }) => [[admin, { paymentStatus: 'unpaid' }]],
  ),
  change(
    'accept',
    'courier',
    (stand) => taken(stand)[1],
    (view, { courier }) => packaged(view, { deliveryStatus: 'In Transit', courier: courier.id }),
  ),
  change(
    'reject',
    'courier',
    () => ({ deliveryPersonId: null }),
    (view) => packaged(view, { deliveryStatus: 'Pending', courier: null }),
    (stand) => [taken(stand)],
  ),
  change(
    'deliver',
    'courier',
    () => ({ deliveryStatus: 'Delivered' }),
    (view) => ({
      ...packaged(view, { deliveryStatus: 'Delivered' }),
      sender: moved(view.sender, 0, -price, 'release'),
      courier: moved(view.courier, price, 0, 'release'),
    }),
    (stand) => [taken(stand)],
  ),
  change(
    'cancel',
    'sender',
    () => ({ deliveryStatus: 'Cancelled' }),
    (view) => packaged(refunded(view), { deliveryStatus: 'Cancelled', paymentStatus: 'unpaid' }),
  ),
  {
    name: 'delete',
    prepare: async (stand) => {
      const packageId = await stand.package();
      const how = { token: stand.sender.token, key: randomUUID() };
      const after = (view: View) => ({ ...refunded(view), package: null });
      return { method: 'DELETE', at: `/api/packages/${packageId}`, how, packageId, after };
    },
  },
  {
    name: 'adjust',
    prepare: async (stand) => {
      const body = { id: stand.sender.id, amount: correction, reason: 'A correction' };
      const how = { token: stand.admin.token, key: randomUUID(), body };
      const after = (view: View) => ({
        ...view,
        sender: moved(view.sender, correction, 0, 'adjustment'),
      });
      return { method: 'PATCH', at: '/api/users/balance', how, after };
    },
  },
  sendAway('deactivate', 'PATCH', { active: false }),
  sendAway('delete a user', 'DELETE', {}),
];
