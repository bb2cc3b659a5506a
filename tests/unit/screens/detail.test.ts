/** What a package's page leads with, for each reader and status. */
import { describe, expect, it } from 'vitest';
import { progressSteps } from '#contract/event.ts';
import { operations } from '#domain/operation.ts';
import { operationNames } from '#domain/operation-names.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf, type PackageAction } from '#domain/policy.ts';
import { whereItIs } from '#features/money/components/payment-card.tsx';
import { againForm } from '#features/package-form/again.ts';
import { isCashDue, primaryOf, stepsOf } from '#package-ui/detail-rules.ts';
import { mayReport } from '#package-ui/dispute-rules.ts';
import { moneyState } from '#package-ui/price.tsx';
import { packageView, person } from './package-view.ts';

const actors = {
  sender: { id: 'sender', role: 'Customer', isProfileComplete: true },
  courier: { id: 'courier', role: 'Employee', isProfileComplete: true },
  newcomer: { id: 'newcomer', role: 'Employee', isProfileComplete: false },
  dispatcher: { id: 'dispatcher', role: 'Admin', isProfileComplete: true },
} as const satisfies Record<string, Actor>;

const app = { paymentMethod: 'app' } as const;
const carried = { status: 'in-transit', courier: person('courier', 'Sani') } as const;
const delivered = { ...carried, status: 'delivered' } as const;
const dispute = { _id: '1', by: 'sender', kind: 'damaged', text: 'Torn' } as const;
const tried = { ...carried, progress: 'attempted', attempts: 1 } as const;
const returning = { ...carried, progress: 'returning' } as const;
const ownOfCourier = { sender: person('courier') };
const at = '2027-01-15T09:30:00.000Z';
const waiting = { mark: 'waiting' } as const;

const heldByApp = { ...app, paymentStatus: 'paid', courier: person('courier') } as const;
/** A return on the sender's word, with money that waits. */
const claimed = {
  ...heldByApp,
  status: 'cancelled',
  outcome: 'returned',
  releaseAt: '2026-11-22T09:00:00.000Z',
} as const;
const unseen = { ...heldByApp, status: 'delivered', photosMissing: 1 } as const;

describe('the action at the thumb', () => {
  it('is to send it again once a dispatcher gave the sender all of the money back', () => {
    const refunded = packageView({ ...app, ...delivered, paidOutKobo: 0 });
    expect(primaryOf(actors.sender, refunded)).toBe('again');
    const now = { nowMs: Date.parse(refunded.updatedAt) };
    expect(mayReport(actors.sender, refunded, now)).toBe(false);
    const where = whereItIs(refunded, { isSender: true, isCourier: false });
    expect(where).toBe('₦1,500 went back to the sender.');
    expect(moneyState(refunded)).toEqual(['Refunded', 'plain']);
  });

  it.each<[keyof typeof actors, string, Partial<PackageView>, string]>([
    ['courier', 'on offer', {}, 'accept'],
    ['newcomer', 'on offer, with an incomplete profile', {}, 'accept'],
    ['courier', 'their own, on offer', ownOfCourier, 'none'],
    ['courier', 'accepted', carried, 'pickUp'],
    ['courier', 'accepted, not sent yet', { ...carried, ...waiting }, 'pickUp'],
    ['courier', 'picked up', { ...carried, progress: 'picked_up' }, 'arrive'],
    ['courier', 'at the door', { ...carried, progress: 'arrived' }, 'deliver'],
    ['courier', 'tried once', { ...carried, progress: 'attempted' }, 'arrive'],
    ['courier', 'refused', { ...tried, lastAttempt: { reason: 'refused', at } }, 'startReturn'],
    ['courier', 'closed today', { ...tried, lastAttempt: { reason: 'closed', at } }, 'arrive'],
    ['courier', 'on its way back', returning, 'finishReturn'],
    ['sender', 'on its way back', returning, 'finishReturn'],
    ['courier', 'delivered', delivered, 'next'],
    ['courier', 'their own, delivered', { ...ownOfCourier, status: 'delivered' }, 'confirm'],
    ['sender', 'on offer for cash', {}, 'edit'],
    ['sender', 'on offer, with a code', { dropoffCode: '123451' }, 'sendLink'],
    ['sender', 'on offer with a code, not paid', { ...app, dropoffCode: '123451' }, 'pay'],
    ['courier', 'their own, with a code', { ...ownOfCourier, dropoffCode: '123451' }, 'sendLink'],
    ['sender', 'on offer, not paid', app, 'pay'],
    ['sender', 'on offer, not paid, changed and not sent', { ...app, ...waiting }, 'edit'],
    ['sender', 'on offer, paid', { ...app, paymentStatus: 'paid' }, 'edit'],
    ['sender', 'accepted, for cash', carried, 'none'],
    ['sender', 'picked up, for cash', { ...carried, progress: 'picked_up' }, 'deliver'],
    ['sender', 'not paid, on its way back', { ...returning, ...app }, 'finishReturn'],
    ['sender', 'carried, not paid', { ...carried, ...app }, 'pay'],
    ['sender', 'delivered, not paid', { ...delivered, ...app }, 'pay'],
    ['sender', 'delivered', delivered, 'confirm'],
    ['sender', 'delivered, and confirmed', { ...delivered, verifiedBy: 'sender' }, 'again'],
    ['sender', 'delivered, and divided', { ...delivered, paidOutKobo: 40 }, 'again'],
    ['sender', 'delivered by code', { ...delivered, verifiedBy: 'code' }, 'again'],
    ['sender', 'delivered, with a problem', { ...delivered, dispute }, 'none'],
    ['sender', 'delivered, not paid, a problem', { ...delivered, ...app, dispute }, 'none'],
    ['sender', 'that they said came back', claimed, 'again'],
    ['courier', 'that its sender says came back', claimed, 'confirm'],
    ['dispatcher', 'that its sender says came back', claimed, 'confirm'],
    ['courier', 'the same, with a problem reported', { ...claimed, dispute }, 'next'],
    ['dispatcher', 'delivered, with a photo missing', unseen, 'confirm'],
    ['courier', 'delivered, with a photo missing', unseen, 'next'],
    ['sender', 'delivered, with a photo missing', unseen, 'confirm'],
    ['sender', 'cancelled', { status: 'cancelled' }, 'again'],
    ['sender', 'cancelled, not paid', { ...app, status: 'cancelled' }, 'again'],
    ['dispatcher', 'on offer', {}, 'assign'],
    ['dispatcher', 'on offer, not sent yet', waiting, 'none'],
    ['dispatcher', 'carried', carried, 'assign'],
    ['dispatcher', 'delivered', delivered, 'none'],
    ['dispatcher', 'cancelled', { status: 'cancelled' }, 'none'],
    ['dispatcher', 'their own, not paid', { ...app, sender: person('dispatcher') }, 'assign'],
  ])('of a %s: %s', (who, _, change, primary) => {
    expect(primaryOf(actors[who], packageView(change))).toBe(primary);
  });
});

describe('a step of the delivery', () => {
  /** Actions offered by a card, by the timeline, and at the end of the page. */
  const placed: readonly (PackageAction | null)[] = ['confirm', 'correct', 'delete'];
  const steps = operationNames.flatMap((name) => {
    const { action, input } = operations[name];
    return input === 'button' && action && !placed.includes(action) ? action : [];
  });
  const states: Partial<PackageView>[] = [
    {},
    ...progressSteps.map((progress) => ({ ...carried, progress })),
    { ...tried, lastAttempt: { reason: 'refused', at } },
    delivered,
    { ...delivered, dispute },
    { status: 'cancelled' },
  ];
  const cases = states.flatMap((state) =>
    [{}, app, waiting, ownOfCourier].map((more) => ({ ...state, ...more })),
  );
  const readers = {
    ...actors,
    stranger: { ...actors.courier, id: 'stranger' },
    'dispatcher who was the courier': { ...actors.dispatcher, id: 'courier' },
  };
  /** A pickup is the courier's to say; what a dispatcher undoes is on the Dispatch card. */
  const isElsewhere = ({ role }: Actor, step: string, isCourier: boolean) =>
    role === 'Admin' && (step === 'reject' || (step === 'pickUp' && !isCourier));

  it.each(Object.entries(readers))('has one button if it is allowed: %s', (_, reader) => {
    for (const change of cases) {
      const view = packageView(change);
      const facts = factsOf(view);
      const { isDeliverInBar, beside, apart } = stepsOf(reader, view);
      const bar = [primaryOf(reader, view), ...(isDeliverInBar ? ['deliver'] : [])];
      for (const step of steps) {
        const decision = can(reader, step, facts);
        // An incomplete profile is said when it is pressed.
        const isShown = decision.isAllowed || decision.code === 'profile_incomplete';
        const isHere = isShown && !isElsewhere(reader, step, facts.courierId === reader.id);
        const found = [...bar, ...beside, ...apart].filter((each) => each === step);
        expect(found, `${step}: ${JSON.stringify(change)}`).toEqual(isHere ? [step] : []);
      }
    }
  });

  it('offers a sender the delivery only apart before the pick-up', () => {
    expect(stepsOf(actors.sender, packageView(carried)).apart).toContain('deliver');
    const pickedUp = packageView({ ...carried, progress: 'picked_up' });
    expect(stepsOf(actors.sender, pickedUp).apart).not.toContain('deliver');
  });

  it('leads with the way back, after the action at the thumb, once an attempt failed', () => {
    const { beside } = stepsOf(actors.courier, packageView(tried));
    expect(beside).toEqual(['startReturn', 'deliver', 'addProof']);
  });

  it.each<[string, Partial<PackageView>, boolean]>([
    ['not before it is picked up', carried, false],
    ['once it is picked up', { ...carried, progress: 'picked_up' }, true],
    ['not where a code is asked for', { ...carried, progress: 'arrived', handover: 'code' }, false],
    ['not on its way back', returning, false],
  ])('welcomes a proof %s, of the courier only', (_, change, isWelcome) => {
    const view = packageView(change);
    expect(stepsOf(actors.courier, view).beside.includes('addProof')).toBe(isWelcome);
    expect(stepsOf(actors.sender, view).beside).toEqual([]);
  });
});

describe('the cash', () => {
  it.each<[keyof typeof actors, string, Partial<PackageView>, boolean]>([
    ['courier', 'unpaid', carried, true],
    ['sender', 'unpaid', carried, true],
    ['dispatcher', 'unpaid', carried, true],
    ['newcomer', 'of another courier', carried, false],
    ['courier', 'paid before', { ...carried, paymentStatus: 'paid' }, false],
    ['courier', 'of an app package', { ...carried, ...app }, false],
  ])('a %s is asked about it at the delivery: %s', (who, _, change, isDue) => {
    expect(isCashDue(actors[who], packageView(change))).toBe(isDue);
  });
});

it('what is sent again is the same but for its dates', () => {
  const form = againForm(
    packageView({ deliveryDate: '2027-01-16T09:30:00.000Z', notes: 'Fragile' }),
  );
  expect(form).toMatchObject({
    pickupDate: '',
    deliveryDate: '',
    notes: 'Fragile',
    priceOffer: '1500',
    recipientName: 'Musa Ibrahim',
    pickupAddress: '12 Kofar Mata Road, Kano',
  });
});

describe('a problem', () => {
  const nowMs = Date.parse('2026-11-22T09:00:00.000Z');
  const done = { ...delivered, deliveredAt: '2026-11-22T08:00:00.000Z' } as const;
  const happened = (...types: string[]) =>
    types.map((type) => ({ type: type.replace(/ again$/, ''), isRepeat: type.endsWith('again') }));

  it.each<[string, Partial<PackageView>, string[], boolean]>([
    ['delivered', done, ['accepted', 'delivered'], true],
    ['delivered, its history not here yet', done, [], true],
    ['delivered, and confirmed', done, ['delivered', 'confirmed'], true],
    ['already reported', { ...done, dispute }, ['delivered', 'disputed'], false],
    [
      'decided for the courier',
      { ...done, paidOutKobo: 150_000 },
      ['delivered', 'resolved'],
      false,
    ],
    ['decided by half', { ...done, paidOutKobo: 75_000 }, ['delivered', 'resolved'], false],
    ['decided without money', done, ['delivered', 'disputed', 'resolved'], false],
    ['decided, and told of again', done, ['delivered', 'resolved', 'delivered again'], false],
    ['decided, and noted', done, ['delivered', 'resolved', 'edited', 'paid'], false],
    ['decided, then delivered anew', done, ['resolved', 'reopened', 'delivered'], true],
    ['returned, and decided', { ...claimed, ...app }, ['returned', 'resolved'], false],
    ['on its way', carried, ['accepted'], false],
  ])('is reported where the server would take it: %s', (_, changes, types, isOffered) => {
    const view = packageView({ updatedAt: done.deliveredAt, ...changes });
    const now = { nowMs, events: happened(...types) as never };
    expect(mayReport(actors.sender, view, now)).toBe(isOffered);
  });
});
