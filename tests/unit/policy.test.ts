/** The policy table, cell by cell: every role in every relation to a package in every state. */
import { describe, expect, it } from 'vitest';
import { progressSteps } from '#contract/event.ts';
import type { Package } from '#domain/package.ts';
import { transition } from '#domain/patch.ts';
import {
  type Actor,
  can,
  canCreate,
  editActionOf,
  type PackageAction,
  type PackageFacts,
  packageActions,
} from '#domain/policy.ts';
import { redact } from '#domain/redact.ts';
import { canEditUser, canSeePositions, canSharePosition } from '#domain/user-policy.ts';
import { actor, aPackage, facts, ids, party } from '#tests/builders/package.ts';

const actors = {
  sender: actor('Customer', ids.sender),
  stranger: actor('Customer', ids.otherSender),
  courier: actor('Employee', ids.courier),
  otherCourier: actor('Employee', ids.otherCourier),
  senderCourier: actor('Employee', ids.sender),
  admin: actor('Admin', ids.admin),
} satisfies Record<string, Actor>;

const states = {
  pending: facts(),
  transit: facts({ status: 'in-transit', courierId: ids.courier }),
  delivered: facts({ status: 'delivered', courierId: ids.courier }),
  cancelled: facts({ status: 'cancelled' }),
} satisfies Record<string, PackageFacts>;

type Answer =
  | 'yes'
  | 'not_found'
  | 'forbidden'
  | 'already_assigned'
  | 'courier_assigned'
  | 'invalid_state';

/** Columns: pending, in transit, delivered (both with `courier`), cancelled. */
type Row = readonly [Answer, Answer, Answer, Answer];
type Cells = Record<keyof typeof actors, Row>;
const same = (answer: Answer): Row => [answer, answer, answer, answer];

/** What an action does not say of somebody: it is none of theirs, as far as they see the package. */
const otherwise: Cells = {
  sender: same('forbidden'),
  stranger: same('not_found'),
  courier: ['forbidden', 'forbidden', 'forbidden', 'not_found'],
  otherCourier: ['forbidden', 'not_found', 'not_found', 'not_found'],
  senderCourier: same('forbidden'),
  admin: same('forbidden'),
};

const table: Record<PackageAction, Partial<Cells>> = {
  view: {
    sender: same('yes'),
    courier: ['yes', 'yes', 'yes', 'not_found'],
    otherCourier: ['yes', 'not_found', 'not_found', 'not_found'],
    senderCourier: same('yes'),
    admin: same('yes'),
  },
  viewContacts: {
    sender: same('yes'),
    courier: ['forbidden', 'yes', 'yes', 'not_found'],
    senderCourier: same('yes'),
    admin: same('yes'),
  },
  edit: {
    sender: ['yes', 'invalid_state', 'invalid_state', 'invalid_state'],
    admin: same('yes'),
  },
  editLate: {
    sender: ['yes', 'yes', 'invalid_state', 'invalid_state'],
    admin: same('yes'),
  },
  accept: {
    courier: ['yes', 'already_assigned', 'already_assigned', 'invalid_state'],
    otherCourier: ['yes', 'already_assigned', 'already_assigned', 'invalid_state'],
  },
  assign: {
    admin: same('yes'),
  },
  reject: {
    courier: ['forbidden', 'yes', 'invalid_state', 'not_found'],
    admin: ['invalid_state', 'yes', 'invalid_state', 'invalid_state'],
  },
  pickUp: {
    courier: ['forbidden', 'yes', 'invalid_state', 'not_found'],
    admin: ['invalid_state', 'yes', 'invalid_state', 'invalid_state'],
  },
  arrive: {
    courier: ['forbidden', 'invalid_state', 'invalid_state', 'not_found'],
  },
  failAttempt: {
    courier: ['forbidden', 'invalid_state', 'invalid_state', 'not_found'],
  },
  startReturn: {
    sender: same('invalid_state'),
    courier: ['forbidden', 'invalid_state', 'invalid_state', 'not_found'],
    admin: same('invalid_state'),
  },
  finishReturn: {
    sender: same('invalid_state'),
    courier: ['forbidden', 'invalid_state', 'invalid_state', 'not_found'],
    admin: same('invalid_state'),
  },
  handOver: {
    admin: same('invalid_state'),
  },
  deliver: {
    sender: ['invalid_state', 'yes', 'invalid_state', 'invalid_state'],
    courier: ['forbidden', 'yes', 'invalid_state', 'not_found'],
    admin: ['invalid_state', 'yes', 'invalid_state', 'invalid_state'],
  },
  confirm: {
    sender: ['invalid_state', 'invalid_state', 'yes', 'invalid_state'],
    senderCourier: ['invalid_state', 'invalid_state', 'yes', 'invalid_state'],
    admin: ['invalid_state', 'invalid_state', 'yes', 'invalid_state'],
  },
  correct: {
    sender: ['invalid_state', 'yes', 'yes', 'invalid_state'],
    courier: ['forbidden', 'yes', 'yes', 'not_found'],
    admin: ['invalid_state', 'yes', 'yes', 'invalid_state'],
  },
  cancel: {
    sender: ['yes', 'courier_assigned', 'courier_assigned', 'invalid_state'],
    admin: ['yes', 'yes', 'yes', 'invalid_state'],
  },
  reopen: {
    admin: ['invalid_state', 'invalid_state', 'yes', 'yes'],
  },
  delete: {
    sender: ['yes', 'courier_assigned', 'courier_assigned', 'yes'],
    admin: ['yes', 'courier_assigned', 'courier_assigned', 'yes'],
  },
  setPaymentStatus: {
    sender: ['yes', 'yes', 'yes', 'invalid_state'],
    courier: ['forbidden', 'yes', 'yes', 'not_found'],
    senderCourier: ['yes', 'yes', 'yes', 'invalid_state'],
    admin: ['yes', 'yes', 'yes', 'invalid_state'],
  },
  // Every state in the table is paid in cash.
  pay: {
    sender: same('invalid_state'),
    senderCourier: same('invalid_state'),
    admin: same('invalid_state'),
  },
  refund: {
    admin: same('invalid_state'),
  },
  dispute: {
    sender: ['invalid_state', 'invalid_state', 'yes', 'invalid_state'],
    courier: ['forbidden', 'invalid_state', 'yes', 'not_found'],
    senderCourier: ['invalid_state', 'invalid_state', 'yes', 'invalid_state'],
  },
  // No state in the table is disputed.
  resolve: {
    admin: same('invalid_state'),
  },
  replaceTracking: {
    sender: ['yes', 'yes', 'invalid_state', 'invalid_state'],
    senderCourier: ['yes', 'yes', 'invalid_state', 'invalid_state'],
    admin: ['yes', 'yes', 'invalid_state', 'invalid_state'],
  },
};

const columns = ['pending', 'transit', 'delivered', 'cancelled'] as const;

const cells = packageActions.flatMap((action) =>
  Object.entries({ ...otherwise, ...table[action] }).flatMap(([who, answers]) =>
    columns.map((state, index) => [who, action, state, answers[index]] as const),
  ),
);

it.each(cells)('%s, %s a package that is %s: %s', (who, action, state, answer) => {
  const decision = can(actors[who as keyof typeof actors], action, states[state]);
  expect(decision.isAllowed ? 'yes' : decision.code).toBe(answer);
});

/** Columns: accepted, picked up, arrived, attempted, returning. */
type Steps = [PackageAction, keyof typeof actors, ...Step[]];
type Step = Answer | 'picked_up';

describe('a step of a delivery', () => {
  const bad = 'invalid_state';
  const steps: Steps[] = [
    ['pickUp', 'courier', 'yes', bad, bad, bad, bad],
    ['pickUp', 'admin', 'yes', bad, bad, bad, bad],
    ['arrive', 'courier', bad, 'yes', bad, 'yes', bad],
    ['failAttempt', 'courier', bad, 'yes', 'yes', bad, bad],
    ['deliver', 'courier', 'yes', 'yes', 'yes', 'yes', bad],
    ['deliver', 'sender', 'yes', 'yes', 'yes', 'yes', bad],
    ['deliver', 'admin', 'yes', 'yes', 'yes', 'yes', bad],
    ['startReturn', 'courier', bad, bad, bad, 'yes', bad],
    ['startReturn', 'sender', bad, 'yes', 'yes', 'yes', bad],
    ['startReturn', 'admin', bad, 'yes', 'yes', 'yes', bad],
    ['finishReturn', 'courier', bad, bad, bad, bad, 'yes'],
    ['finishReturn', 'sender', bad, bad, bad, bad, 'yes'],
    ['finishReturn', 'admin', bad, bad, bad, bad, 'yes'],
    ['handOver', 'admin', bad, 'yes', 'yes', 'yes', 'yes'],
    ['reject', 'courier', 'yes', 'picked_up', 'picked_up', 'picked_up', 'picked_up'],
    ['reject', 'admin', 'yes', 'yes', 'yes', 'yes', 'yes'],
  ];

  it.each(
    steps.flatMap(([action, who, ...answers]) =>
      progressSteps.map((progress, index) => ({ action, who, progress, answer: answers[index] })),
    ),
  )('$action by $who, $progress: $answer', ({ action, who, progress, answer }) => {
    const decision = can(actors[who], action, { ...states.transit, progress });
    expect(decision.isAllowed ? 'yes' : decision.code).toBe(answer);
  });

  const whos = Object.keys(actors) as (keyof typeof actors)[];
  const others = packageActions.flatMap((action) =>
    whos
      .filter((who) => !steps.some((row) => row[0] === action && row[1] === who))
      .map((who) => [action, who] as const),
  );
  it.each(others)('%s by %s, which has no row here, is the same at each', (action, who) => {
    const answers = progressSteps.map((progress) =>
      can(actors[who], action, { ...states.transit, progress }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });

  it('needs a courier on the way: a mirrored row without a step counts as accepted', () => {
    expect(can(actors.courier, 'pickUp', { ...states.transit, progress: null }).isAllowed).toBe(
      true,
    );
  });
});

describe('a dispute', () => {
  const dispute = { _id: ids.operation, kind: 'damaged', text: 'Wet', by: 'sender' } as const;
  const returned = facts({ status: 'cancelled', courierId: ids.courier, outcome: 'returned' });

  it.each(['sender', 'courier'] as const)('of a return may be opened by the %s', (who) => {
    expect(can(actors[who], 'dispute', returned)).toEqual({ isAllowed: true });
  });

  const claimed = facts({ ...returned, releaseAt: '2026-11-22T09:00:00.000Z' });
  it.each([
    ['sender', {}, false],
    ['senderCourier', {}, false],
    ['admin', { senderId: ids.admin }, false],
    ['courier', {}, true],
    ['sender', { outcome: null, status: 'delivered' }, true],
  ] as const)('of a claim is not its author’s: %s, %j: %j', (who, of, isAllowed) => {
    expect(can(actors[who], 'dispute', { ...claimed, ...of }).isAllowed).toBe(isAllowed);
  });

  it('is the only one of its package, and decided by an admin', () => {
    const disputed = { ...states.delivered, dispute };
    for (const who of ['sender', 'courier'] as const) {
      expect(can(actors[who], 'dispute', disputed)).toMatchObject({ code: 'disputed' });
      expect(can(actors[who], 'resolve', disputed)).toMatchObject({ code: 'forbidden' });
    }
    expect(can(actors.admin, 'resolve', disputed)).toEqual({ isAllowed: true });
  });

  it.each([
    'pending',
    'in-transit',
    'cancelled',
  ] as const)('keeps its package where it is: %s is refused', (status) => {
    const reading = transition(actors.admin, { ...states.delivered, dispute }, { status });
    expect(reading).toEqual({ isAllowed: false, code: 'disputed' });
  });
});

describe('a second word', () => {
  const ended = { courierId: ids.courier } as const;
  const releaseAt = '2026-11-22T09:00:00.000Z';
  const returned = { ...ended, status: 'cancelled', outcome: 'returned' } as const;
  const claimed = facts({ ...returned, releaseAt });
  const settled = facts(returned);
  const delivered = (verifiedBy: PackageFacts['verifiedBy'], paidOutKobo: number | null = null) =>
    facts({ ...ended, status: 'delivered', verifiedBy, paidOutKobo });

  /** Columns: the sender, the courier, a sender who is a courier, and a dispatcher. */
  it.each([
    ['a return that its sender declared', claimed, ['-', 'yes', '-', 'yes']],
    ['the same, once it is settled', settled, ['-', '-', '-', '-']],
    ['a delivery on the courier’s word', delivered(null), ['yes', '-', 'yes', 'yes']],
    ['one by photo', delivered('photo'), ['yes', '-', 'yes', 'yes']],
    ['one by code', delivered('code'), ['-', '-', '-', '-']],
    ['one that the sender confirmed', delivered('sender'), ['-', '-', '-', '-']],
    ['one that a dispatcher confirmed', delivered('admin'), ['yes', '-', 'yes', '-']],
    ['one that was refunded', delivered(null, 0), ['-', '-', '-', '-']],
  ] as const)('on %s', (_, of, answers) => {
    const who = [actors.sender, actors.courier, actors.senderCourier, actors.admin];
    expect(who.map((one) => (can(one, 'confirm', of).isAllowed ? 'yes' : '-'))).toEqual(answers);
  });

  it('is not a dispatcher’s on a return that they declared as its sender', () => {
    const own = { ...claimed, senderId: ids.admin };
    expect(can(actors.admin, 'confirm', own).isAllowed).toBe(false);
  });

  it('ends what is paid for a delivery whose money all went back', () => {
    const refunded = { ...delivered(null, 0), paymentMethod: 'app' as const };
    for (const who of [actors.sender, actors.admin]) {
      expect(can(who, 'pay', refunded)).toEqual({ isAllowed: false, code: 'paid_out' });
    }
  });
});

describe('money of an app package', () => {
  const app = (state: (typeof columns)[number]) => ({
    ...states[state],
    paymentMethod: 'app' as const,
  });

  it.each([
    ['sender', 'pay', 'transit', 'yes'],
    ['sender', 'pay', 'delivered', 'yes'],
    ['sender', 'pay', 'cancelled', 'invalid_state'],
    ['sender', 'refund', 'pending', 'forbidden'],
    ['courier', 'pay', 'transit', 'forbidden'],
    ['senderCourier', 'pay', 'pending', 'yes'],
    ['admin', 'pay', 'pending', 'yes'],
    ['admin', 'refund', 'transit', 'yes'],
    ['admin', 'refund', 'cancelled', 'invalid_state'],
  ] as const)('%s, %s, %s: %s', (who, action, state, answer) => {
    const decision = can(actors[who], action, app(state));
    expect(decision.isAllowed ? 'yes' : decision.code).toBe(answer);
  });

  it.each(['sender', 'courier', 'admin'] as const)('cannot be set by %s', (who) => {
    const pkg = { ...states.transit, paymentMethod: 'app' as const };
    expect(can(actors[who], 'setPaymentStatus', pkg)).toEqual({
      isAllowed: false,
      code: 'invalid_state',
    });
  });
});

describe('an incomplete profile', () => {
  it('may not accept', () => {
    const newcomer = actor('Employee', ids.courier, false);
    expect(can(newcomer, 'accept', states.pending)).toEqual({
      isAllowed: false,
      code: 'profile_incomplete',
    });
  });

  it('may not create', () => {
    expect(canCreate(actor('Customer', ids.sender, false), ids.sender)).toEqual({
      isAllowed: false,
      code: 'profile_incomplete',
    });
  });
});

describe('creating a package', () => {
  it.each([
    ['sender', ids.sender, true],
    ['sender', ids.otherSender, false],
    ['courier', ids.courier, true],
    ['courier', ids.sender, false],
    ['admin', ids.sender, true],
  ] as const)('%s for %s: %s', (who, senderId, isAllowed) => {
    expect(canCreate(actors[who], senderId).isAllowed).toBe(isAllowed);
  });
});

describe('the place of a courier', () => {
  it.each([
    ['sender', false, false],
    ['courier', true, false],
    ['admin', false, true],
  ] as const)('is shared by %s: %s; seen among all: %s', (who, shares, sees) => {
    expect(canSharePosition(actors[who]).isAllowed).toBe(shares);
    expect(canSeePositions(actors[who]).isAllowed).toBe(sees);
  });
});

it('editing a user is allowed for oneself and admins; others do not exist', () => {
  expect(canEditUser(actors.sender, ids.sender).isAllowed).toBe(true);
  expect(canEditUser(actors.admin, ids.sender).isAllowed).toBe(true);
  expect(canEditUser(actors.courier, ids.sender)).toEqual({
    isAllowed: false,
    code: 'not_found',
  });
});

it('the edit action of a change is the late one only if every field may change late', () => {
  expect(editActionOf(['recipientPhone', 'notes'])).toBe('editLate');
  expect(editActionOf(['notes', 'priceOffer'])).toBe('edit');
  expect(editActionOf(['pickupAddress'])).toBe('edit');
});

describe('withheld fields', () => {
  const onOffer = aPackage();
  const assigned = aPackage({ status: 'in-transit', courier: party(ids.courier, 'Sani') });

  it('are all contacts for a courier while on offer', () => {
    const seen = redact(actors.courier, onOffer);
    expect(seen.recipientPhone).toBeNull();
    expect(seen.recipientEmail).toBeNull();
    expect(seen.sender.phoneNumber).toBeNull();
    expect(seen.sender.email).toBeNull();
    expect(seen.recipientName).toBe(onOffer.recipientName);
  });

  it("are the sender's e-mail, not the phones, for the assigned courier", () => {
    const seen = redact(actors.courier, assigned);
    expect(seen.recipientPhone).toBe(assigned.recipientPhone);
    expect(seen.sender.phoneNumber).toBe(assigned.sender.phoneNumber);
    expect(seen.sender.email).toBeNull();
    expect(seen.courier?.email).toBe(assigned.courier?.email);
  });

  it("are the courier's e-mail, not the phone, for the sender", () => {
    const seen = redact(actors.sender, assigned);
    expect(seen.courier?.phoneNumber).toBe(assigned.courier?.phoneNumber);
    expect(seen.courier?.email).toBeNull();
    expect(seen.sender.email).toBe(assigned.sender.email);
  });

  it.each(
    Object.keys(actors) as (keyof typeof actors)[],
  )('are contacts and codes only, for %s', (who) => {
    const filled = Object.entries(assigned).map(([field, value]) => [field, value ?? 'given']);
    const pkg = Object.fromEntries(filled) as Package;
    const { sender: _, courier: __, recipientPhone: ___, recipientEmail: ____, ...others } = pkg;
    const { dropoffCode: _d, returnCode: _r, dropoffToken: _t, ...more } = others;
    const { trackingPath: _p, recipientNote: _n, ...rest } = more;
    expect(redact(actors[who], pkg)).toMatchObject(rest);
  });

  it("are the recipient's note for who is not a party, and the link for the courier too", () => {
    const told = { recipientNote: { kind: 'safe_place', text: 'At the kiosk', at: '' } };
    const pkg = { ...assigned, ...told, trackingPath: '/t/x' };
    expect(redact(actors.sender, pkg)).toMatchObject({ ...told, trackingPath: '/t/x' });
    expect(redact(actors.admin, pkg)).toMatchObject({ ...told, trackingPath: '/t/x' });
    expect(redact(actors.courier, pkg)).toMatchObject({ ...told, trackingPath: null });
    const none = { recipientNote: null, trackingPath: null };
    expect(redact(actors.otherCourier, pkg)).toMatchObject(none);
  });

  it('are codes and token, but not its hash, for all but sender and admins', () => {
    const secrets = { dropoffCode: '123450', returnCode: '543210', dropoffToken: 'token' };
    const pkg = { ...assigned, ...secrets, dropoffTokenHash: 'hash' };
    for (const [who, actor] of Object.entries(actors)) {
      const isTold = ['sender', 'senderCourier', 'admin'].includes(who);
      const none = { dropoffCode: null, returnCode: null, dropoffToken: null };
      expect(redact(actor, pkg), who).toMatchObject({
        ...(isTold ? secrets : none),
        dropoffTokenHash: 'hash',
      });
    }
  });

  it('are none for an admin', () => {
    expect(redact(actors.admin, assigned)).toEqual(assigned);
  });
});
