/** Every operation that can move money, as one call with its expected effect. */

import { randomUUID } from 'node:crypto';
import type { WireEvent } from '#contract/event.ts';
import type { WirePackage } from '#contract/package.ts';
import { signatureHeaders } from '#server/http/webhook.ts';
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
const paid = (view: View): View => ({
  ...view,
  sender: moved(view.sender, 0, -price, 'release'),
  courier: moved(view.courier, price, 0, 'release'),
});
const divided = (view: View, share: number): View => ({
  ...view,
  sender: moved(moved(view.sender, 0, -share, 'release'), price - share, share - price, 'refund'),
  courier: moved(view.courier, share, 0, 'release'),
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

const event = (type: string, more: object = {}) => ({
  _id: randomUUID(),
  type,
  occurredAt: new Date().toISOString(),
  ...more,
});

/** A POST about a package prepared by `before`. */
function post(
  name: string,
  by: 'sender' | 'courier' | 'admin',
  about: (stand: Stand, packageId: string) => Promise<{ at: string; body: object }>,
  after: (view: View, stand: Stand) => View,
  before: (stand: Stand) => [Account, object][],
): Operation {
  return {
    name,
    prepare: async (stand) => {
      const packageId = await stand.package(...before(stand));
      const { at, body } = await about(stand, packageId);
      const how = { token: stand[by].token, key: randomUUID(), body };
      const path = `/api/packages/${packageId}${at}`;
      return { method: 'POST', at: path, how, packageId, after: (view) => after(view, stand) };
    },
  };
}
const delivered = { deliveryStatus: 'Delivered' };
/** A return that the sender started by themselves. */
const claim = (stand: Stand): [Account, object][] => [
  taken(stand),
  [stand.courier, event('picked_up')],
  [stand.sender, event('return_started')],
];
const dispute = () => ({ _id: randomUUID(), kind: 'damaged', text: 'Wet' });
/** What to post about a package, without asking about it before. */
const says = (type: string) => async () => ({ at: '/events', body: event(type) });
const split = async (stand: Stand, id: string) => {
  const { token } = stand.admin;
  const pkg = await stand.get<WirePackage>('GET', `/api/packages/${id}`, { token });
  const body = { decision: 'split', courierPercent: 20, reason: 'As the photo shows' };
  return { at: `/disputes/${pkg.dispute?._id}/resolve`, body };
};
const claimed = (stand: Stand): [Account, object][] => [
  ...claim(stand),
  [stand.sender, event('returned')],
];

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
      const how = { body: raw.toString(), headers: { [signatureHeaders.payments]: signature } };
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
    () => delivered,
    (view) => packaged(view, delivered),
    (stand) => [taken(stand)],
  ),
  change(
    'deliver by the sender’s word',
    'sender',
    () => delivered,
    (view) => packaged(paid(view), delivered),
    (stand) => [taken(stand)],
  ),
  post('confirm', 'sender', says('confirmed'), paid, (stand) => [
    taken(stand),
    [stand.courier, delivered],
  ]),
  post(
    'take back',
    'sender',
    async (stand, id) => {
      const { token } = stand.sender;
      const events = await stand.get<WireEvent[]>('GET', `/api/packages/${id}/events`, { token });
      return { at: '/events', body: event('corrected', { corrects: events.at(-1)?._id }) };
    },
    (view) => ({
      ...packaged(view, { deliveryStatus: 'In Transit' }),
      sender: moved(view.sender, 0, price, 'release'),
      courier: moved(view.courier, -price, 0, 'release'),
    }),
    (stand) => [taken(stand), [stand.sender, delivered]],
  ),
  post(
    'return',
    'sender',
    says('returned'),
    (view) =>
      packaged(divided(view, price / 2), { deliveryStatus: 'Cancelled', paymentStatus: 'paid' }),
    (stand) => [
      taken(stand),
      [stand.courier, event('picked_up')],
      [stand.courier, event('attempt_failed', { reason: 'refused' })],
      [stand.courier, event('return_started')],
    ],
  ),
  post(
    'declare a return',
    'sender',
    says('returned'),
    (view) => packaged(view, { deliveryStatus: 'Cancelled' }),
    claim,
  ),
  ...(['courier', 'admin'] as const).map((by) =>
    post(
      `confirm a return as the ${by}`,
      by,
      says('confirmed'),
      (view) => divided(view, price / 2),
      claimed,
    ),
  ),
  post(
    'deliver by the code, before a claim',
    'courier',
    async (stand, id) => {
      const path = `/api/packages/${id}`;
      const { token } = stand.sender;
      const { dropoffCode: code } = await stand.get<WirePackage>('GET', path, { token });
      const events = await stand.get<WireEvent[]>('GET', `${path}/events`, { token });
      const claimedAt = Date.parse(events.at(-1)?.receivedAt ?? '');
      const occurredAt = new Date(claimedAt - 1).toISOString();
      return { at: '/events', body: event('delivered', { proof: { code }, occurredAt }) };
    },
    (view) => packaged(paid(view), delivered),
    (stand) => [[stand.sender, { handover: 'code' }], ...claimed(stand)],
  ),
  post(
    'dispute',
    'sender',
    async () => ({ at: '/disputes', body: dispute() }),
    (view) => view,
    (stand) => [taken(stand), [stand.courier, delivered]],
  ),
  post(
    'resolve',
    'admin',
    split,
    (view) => divided(view, price / 5),
    (stand) => [taken(stand), [stand.courier, delivered], [stand.sender, dispute()]],
  ),
  post(
    'resolve after the payout',
    'admin',
    split,
    (view) => ({
      ...view,
      sender: moved(view.sender, (price * 4) / 5, 0, 'refund'),
      courier: moved(view.courier, (-price * 4) / 5, 0, 'release'),
    }),
    (stand) => [taken(stand), [stand.sender, delivered], [stand.sender, dispute()]],
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
