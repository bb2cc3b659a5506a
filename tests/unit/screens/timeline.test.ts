/** What a package's timeline says, with and without its events. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { packageEventsSchema, type WireEvent } from '#contract/event.ts';
import { wayBefore } from '#domain/event.ts';
import type { Operation } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { proof as proofWords } from '#messages/en/proof.ts';
import { progressText } from '#package-ui/progress.ts';
import { type Known, rowTimeline, timelineOf, undoableOf } from '#package-ui/timeline-rules.ts';
import { exampleIntent } from '#tests/builders/operations.ts';
import { operationBase } from '#tests/builders/package.ts';
import { packageView, person } from './package-view.ts';

const carried = { status: 'in-transit', courier: person('courier', 'Sani') } as const;

describe('without events, the timeline', () => {
  const deliveryDate = '2027-01-16T09:30:00.000Z';
  const { createdAt, pickupDate } = packageView();
  const moments: Record<string, string> = {
    [createdAt]: 'at the creation',
    [pickupDate]: 'at the pickup',
    [deliveryDate]: 'at the delivery',
  };
  /** 'done' or 'ahead', and when, where that is known. */
  const steps = (change: Partial<PackageView>) =>
    rowTimeline(packageView(change)).map(({ name, state, at }) =>
      [name, state === 'done' ? state : 'ahead', ...(at ? [moments[at]] : [])].join(' '),
    );
  const ahead = ['picked_up ahead at the pickup', 'delivered ahead'];
  const tried = { attempts: 1, lastAttempt: { reason: 'closed', at: deliveryDate } } as const;

  it.each<[string, Partial<PackageView>, string[]]>([
    [
      'on offer: due as agreed',
      { deliveryDate },
      ['accepted ahead', 'picked_up ahead at the pickup', 'delivered ahead at the delivery'],
    ],
    [
      'an acceptance that is not confirmed has not happened',
      { ...carried, isAcceptRequested: true },
      ['accepted ahead', ...ahead],
    ],
    ['carried', carried, ['accepted done', ...ahead]],
    [
      'delivered: at a time that is not recorded, so none is claimed',
      { ...carried, status: 'delivered', deliveryDate },
      ['accepted done', 'delivered done'],
    ],
    [
      'picked up, tried once',
      { ...carried, progress: 'attempted', deliveryDate, ...tried },
      [
        ...['accepted done', 'picked_up done', 'attempt_failed done at the delivery'],
        'delivered ahead at the delivery',
      ],
    ],
    [
      'on its way back',
      { ...carried, progress: 'returning' },
      ['accepted done', 'picked_up done', 'returned ahead'],
    ],
    ['brought back', { status: 'cancelled', outcome: 'returned' }, ['returned done']],
    ['cancelled', { status: 'cancelled', deliveryDate }, ['cancelled done']],
  ])('%s', (_, change, after) => {
    expect(steps(change)).toEqual(['created done at the creation', ...after]);
  });
});

describe('with events, the timeline', () => {
  const event = (change: Partial<WireEvent>): WireEvent => {
    const { type = 'created', seq = 1 } = change;
    const at = `2027-01-15T0${seq}:00:00.000Z`;
    return {
      _id: `${type} ${seq}`,
      seq,
      type,
      occurredAt: at,
      receivedAt: at,
      effectiveAt: at,
      timeTrust: 'high',
      reason: null,
      note: null,
      location: null,
      fields: null,
      proof: null,
      corrects: null,
      correctedBy: null,
      text: null,
      actor: { id: 'courier', role: 'Employee', firstName: 'Sani' },
      ...change,
    };
  };
  const created = event({});
  const accepted = event({ type: 'accepted', seq: 2 });
  const picked = event({ type: 'picked_up', seq: 3 });
  const operation = (change: object = {}) =>
    ({
      ...operationBase(),
      ...exampleIntent('pickUp'),
      id: 'op',
      createdAt: '2027-01-15T04:00:00.000Z',
      ...change,
    }) as Operation;

  type Change = Partial<Known> & { events: WireEvent[]; version?: number };
  const timeline = ({ events, version = 1, ...change }: Change) =>
    timelineOf({
      view: packageView(carried),
      history: { version, events },
      operations: [],
      readerId: 'sender',
      ...change,
    });

  it('says what became of the message to the recipient', () => {
    const text = { status: 'delivered', at: picked.receivedAt } as const;
    const shown = timeline({ events: [created, accepted, { ...picked, text }] });
    expect(shown.flatMap((entry) => entry.text ?? [])).toEqual([text]);
  });

  it('says that a message waits only as long as no later step has overtaken it', () => {
    const text = { status: 'waiting', at: picked.receivedAt } as const;
    const told = (...events: WireEvent[]) =>
      timeline({ events }).flatMap((entry) => (entry.text ? [entry.name] : []));
    const collected = { ...picked, text };
    const settled = event({ type: 'resolved', seq: 8 });
    expect(told(created, accepted, collected)).toEqual(['picked_up']);
    const all = [created, accepted, collected, { ...delivered, text }, settled];
    expect(told(...all)).toEqual(['delivered']);
  });

  it('says for whom a problem was decided', () => {
    const events = [accepted, delivered, event({ type: 'resolved', reason: 'refund', seq: 8 })];
    expect(timeline({ events }).map(({ decision }) => decision)).toContain('refund');
  });

  const said = (change: Change) =>
    timeline(change).map(
      ({ name, state, isWaiting }) => `${name} ${isWaiting ? 'waiting' : state}`,
    );

  it('passes over events and statuses of a later version, and reads the others', () => {
    const text = { status: 'read', at: picked.receivedAt };
    const later = { ...event({ type: 'of_a_later_version', seq: 3 }), timeTrust: 'satellite' };
    const all = [created, later, { ...accepted, text }];
    const events = v.parse(
      packageEventsSchema,
      all.map((each) => ({ ...each, _id: randomUUID(), actor: null })),
    );
    expect(events).toHaveLength(3);
    const done = timeline({ events }).filter(({ state }) => state === 'done');
    expect(done.map(({ name, text: said }) => [name, said])).toEqual([
      ['created', null],
      ['accepted', null],
    ]);
  });

  it.each<[string, Change, string[]]>([
    [
      'says all of them, then what is ahead',
      { events: [created, accepted] },
      ['created done', 'accepted done', 'picked_up ahead', 'delivered ahead'],
    ],
    [
      'ends with what waits on this phone',
      { events: [created, accepted], operations: [operation()] },
      ['created done', 'accepted done', 'picked_up waiting', 'delivered ahead'],
    ],
    [
      'counts a step once whose answer was lost',
      {
        events: [created, accepted, { ...picked, _id: 'op' }],
        operations: [operation()],
      },
      ['created done', 'accepted done', 'picked_up done', 'delivered ahead'],
    ],
    [
      'says nothing of what was refused',
      { events: [accepted], operations: [operation({ state: 'attention' })] },
      ['accepted done', 'picked_up ahead', 'delivered ahead'],
    ],
    [
      'has an acceptance that waits, and no courier to wait for',
      {
        events: [created],
        view: packageView({ ...carried, isAcceptRequested: true }),
        operations: [operation({ name: 'acceptPackage' })],
      },
      ['created done', 'accepted waiting', 'picked_up ahead', 'delivered ahead'],
    ],
    [
      'older than the row, is completed by it',
      {
        events: [created, accepted],
        view: packageView({ ...carried, status: 'delivered', version: 5 }),
      },
      ['created done', 'accepted done', 'delivered done'],
    ],
    [
      'given to another courier before the pickup, has the pickup ahead again',
      { events: [accepted, picked, event({ type: 'unassigned', seq: 4 })], view: packageView({}) },
      [
        'accepted done',
        'picked_up done',
        'unassigned done',
        'accepted ahead',
        'picked_up ahead',
        'delivered ahead',
      ],
    ],
    [
      'of a later courier begins with their assignment',
      {
        events: [event({ type: 'handover', seq: 4 })],
        view: packageView({ ...carried, progress: 'picked_up' }),
      },
      ['handover done', 'delivered ahead'],
    ],
  ])('%s', (_, known, entries) => {
    expect(said(known)).toEqual(entries);
  });

  it('of what was begun offline is what waits, with its times', () => {
    const view = packageView({ ...carried, progress: 'picked_up', isAcceptRequested: true });
    const operations = [
      operation({ name: 'acceptPackage' }),
      operation({ id: 'next', seq: 2, createdAt: picked.receivedAt }),
    ];
    const known = { view, history: undefined, operations, readerId: 'courier' };
    expect(
      timelineOf(known).map(({ name, state, isWaiting, at }) => [name, isWaiting || state, at]),
    ).toEqual([
      ['created', 'done', view.createdAt],
      ['accepted', true, operations[0]?.createdAt],
      ['picked_up', true, picked.receivedAt],
      ['delivered', 'ahead', null],
    ]);
  });

  const delivered = event({ type: 'delivered', seq: 4 });
  const { receivedAt } = delivered;
  const paid = event({ type: 'paid', seq: 5, receivedAt });

  it.each<[string, Change, string]>([
    ['stands', { events: [delivered, paid] }, 'paid done'],
    [
      'goes with the delivery that is taken back',
      { events: [{ ...delivered, correctedBy: 'x' }, paid] },
      'paid takenBack',
    ],
    [
      'goes with the delivery whose correction waits here',
      {
        events: [delivered, paid],
        operations: [operation({ name: 'correctStep', args: { corrects: delivered._id } })],
      },
      'paid waiting',
    ],
    [
      'of another moment stays',
      {
        events: [
          { ...delivered, correctedBy: 'x' },
          { ...paid, receivedAt: created.receivedAt },
        ],
      },
      'paid done',
    ],
  ])('cash that was recorded with a delivery %s', (_, known, entry) => {
    expect(said(known)[1]).toBe(entry);
  });

  it('was not there before the delivery that took it', () => {
    const past = [event({ type: 'arrived', seq: 3 }), delivered];
    const way = { progress: 'arrived', attempts: 0, lastAttempt: null };
    expect(wayBefore([...past, paid], delivered._id)).toEqual({ ...way, paymentStatus: 'unpaid' });
    expect(wayBefore(past, delivered._id)).toEqual(way);
    const before = { ...paid, receivedAt: created.receivedAt };
    expect(wayBefore([before, ...past], delivered._id)).toEqual(way);
  });

  it('says who took it where only the relation is known', () => {
    const proof = { recipientName: null, relation: 'neighbour', photoIds: [], signatureId: null };
    const events = [{ ...delivered, proof } as unknown as WireEvent];
    const shown = timeline({ events })[0]?.proof;
    expect(shown).toMatchObject({ relation: 'neighbour' });
    expect(proofWords.takenBy(null, shown?.relation ?? null)).toBe('Given to: Neighbour');
  });

  it('keeps what the recipient wrote, and its kind', () => {
    const reason = 'safe_place';
    const note = 'With security';
    const wrote = event({ type: 'recipient_note', seq: 4, reason, note, actor: null });
    const [first, second] = timeline({ events: [created, wrote], readerId: 'courier' });
    expect(second).toMatchObject({ noteKind: 'safe_place', note: 'With security', by: null });
    expect(second?.reason).toBeNull();
    expect(first?.noteKind).toBeNull();
  });

  it('names who did it, why, and a time that is not sure', () => {
    const why = { reason: 'closed', note: 'Shut', timeTrust: 'low' } as const;
    const events = [created, event({ type: 'attempt_failed', seq: 4, ...why })];
    const [, mine] = timeline({ events, readerId: 'courier' });
    const [, theirs] = timeline({ events });
    expect(mine).toMatchObject({ by: '', reason: 'closed', note: 'Shut', isUnsure: true });
    expect(theirs).toMatchObject({ by: 'Sani' });
  });

  it('leaves out who has no name, which the reader is not', () => {
    const nameless = { id: 'dispatcher', role: 'Admin', firstName: '' };
    const assigned = event({ type: 'assigned', seq: 4, actor: nameless });
    expect(timeline({ events: [created, assigned] })[1]).toMatchObject({ by: null });
  });

  it.each<[string, Partial<WireEvent>, string, number, string | null]>([
    ['one’s own step, lately', {}, 'courier', 9, 'picked_up 3'],
    ['one’s own step, too long ago', {}, 'courier', 11, null],
    ['another’s step', {}, 'sender', 1, null],
    ['an acceptance', { type: 'accepted' }, 'courier', 1, null],
    ['one that was taken back: the acceptance before', { correctedBy: 'x' }, 'courier', 1, null],
  ])('may be taken back: %s', (_, change, readerId, minutes, id) => {
    const last = { ...picked, ...change };
    const entries = timeline({ events: [created, accepted, last], readerId });
    const nowMs = Date.parse(last.receivedAt) + minutes * 60_000;
    expect(undoableOf(entries, nowMs)?.id ?? null).toBe(id);
  });

  it('may not be taken back once a problem with it was reported, settled or not', () => {
    const disputed = event({ type: 'disputed', seq: 5 });
    const resolved = event({ type: 'resolved', seq: 6 });
    const undoable = (events: WireEvent[], ...before: WireEvent[]) => {
      const all = [accepted, ...before, delivered, ...events];
      const entries = timeline({ events: all, readerId: 'courier' });
      return undoableOf(entries, Date.parse(delivered.receivedAt))?.id ?? null;
    };
    expect(undoable([])).toBe(delivered._id);
    expect(undoable([disputed])).toBe(null);
    expect(undoable([disputed, resolved])).toBe(null);
    expect(undoable([], disputed, resolved)).toBe(delivered._id);
  });
});

it.each<[string, Partial<PackageView>, string | null]>([
  ['accepted', {}, null],
  ['picked up', { progress: 'picked_up' }, 'Picked up'],
  ['there again', { progress: 'arrived', attempts: 1 }, 'At the drop-off · 2nd attempt'],
  [
    'there for the fourth time',
    { progress: 'arrived', attempts: 3 },
    'At the drop-off · 4th attempt',
  ],
  [
    'tried twice',
    { progress: 'attempted', attempts: 2, lastAttempt: { reason: 'closed', at: '' } },
    'Not delivered: Place is closed · 2 attempts',
  ],
])('a card says of a package %s', (_, change, text) => {
  expect(progressText(packageView({ ...carried, ...change }))).toBe(text);
});
