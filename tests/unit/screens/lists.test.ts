import { describe, expect, it } from 'vitest';
import type { PackageView } from '#domain/overlay.ts';
import {
  type Choice,
  cardButtons,
  choiceFor,
  chosen,
  countChosen,
  defaultSort,
  deliveredToday,
  deliveriesTab,
  foundElsewhere,
  isNarrowed,
  type ListReader,
  metersToPickup,
  mostUrgent,
  nearestOffers,
  needsAll,
  othersOf,
  sortChoices,
  statusChoices,
  type TabName,
  trackingTab,
} from '#package-ui/list-rules.ts';
import { noFilters } from '#state/package-ui.ts';
import { facts as someFacts } from '#tests/builders/package.ts';
import { packageView, person } from './package-view.ts';

const nowMs = Date.parse('2026-11-21T15:00:00.000Z');

const me = { id: 'sender', role: 'Customer' } as const;
const courier = { id: 'courier', role: 'Employee' } as const;
const dispatcher = { id: 'dispatcher', role: 'Admin' } as const;
const ids = (contents: { views: readonly { id: string }[] }) => contents.views.map(({ id }) => id);

const sending: ListReader = { isCourier: false, isOfOffers: false };
const offered: ListReader = { isCourier: true, isOfOffers: true };

const deliveries = (
  all: readonly PackageView[],
  viewer: typeof me | typeof courier | typeof dispatcher,
  tab: TabName,
) => deliveriesTab(all, viewer, tab, nowMs);

const pending = packageView({ id: 'a' });
const moving = packageView({ id: 'b', status: 'in-transit', courier: person('courier') });
const cancelled = packageView({ id: 'c', status: 'cancelled' });
const foreign = packageView({ id: 'd', sender: person('other') });

describe('a search', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  const carried = packageView({ id: 'b', status: 'in-transit', courier: person('courier') });
  const delivered = packageView({ id: 'c', status: 'delivered', courier: person('courier') });
  const others = packageView({
    id: 'd',
    status: 'in-transit',
    sender: person('other'),
    courier: person('another'),
  });
  const offer = packageView({ id: 'e', sender: person('other') });
  const all = [pending, carried, delivered, others, offer];
  const elsewhere = (
    viewer: typeof me | typeof courier | typeof dispatcher,
    rule: typeof deliveriesTab | typeof trackingTab,
    tab: TabName,
    query = 'cloth',
  ) => {
    const { views } = rule(all, viewer, tab, nowMs);
    const besides = othersOf(all, viewer, views, rule === trackingTab);
    const choice: Choice = { query, sort: '', filters: noFilters };
    return foundElsewhere(besides, choice, { nowMs, place: null }).map(({ id }) => id);
  };

  it.each([
    ['a dispatcher’s pending', dispatcher, deliveriesTab, 'pending', ['b', 'd', 'c']],
    ['a dispatcher’s own', dispatcher, deliveriesTab, 'in-transit', ['a', 'e', 'b', 'd', 'c']],
    ['all', dispatcher, deliveriesTab, 'all', []],
    ['a sender’s pending', me, trackingTab, 'pending', ['b', 'c']],
    ['a sender’s in transit', me, trackingTab, 'in-transit', ['a']],
    // Not what others carry.
    ['a courier’s offers', courier, deliveriesTab, 'pending', ['b', 'c']],
    ['a courier’s in transit', courier, deliveriesTab, 'in-transit', ['a', 'e']],
  ] as const)('in %s finds what the other tabs show', (_, viewer, rule, tab, expected) => {
    expect(elsewhere(viewer, rule, tab)).toEqual(expected);
    expect(elsewhere(viewer, rule, tab, 'nothing of it')).toEqual([]);
    expect(elsewhere(viewer, rule, tab, '')).toEqual([]);
  });
});

it('adds up what was paid for the deliveries of today, by how it was paid', () => {
  const done = packageView({
    status: 'delivered',
    paymentStatus: 'paid',
    paymentMethod: 'cash',
    priceOfferKobo: 100_00,
    updatedAt: '2026-11-21T10:00:00.000Z',
  });
  const today = deliveredToday(
    [
      done,
      { ...done, paymentMethod: 'app', priceOfferKobo: 20_00 },
      { ...done, paymentStatus: 'unpaid' },
      { ...done, updatedAt: '2026-11-20T10:00:00.000Z' },
      { ...done, status: 'in-transit' },
    ],
    nowMs,
  );
  expect(today).toEqual({ count: 3, paidKobo: { cash: 100_00, app: 20_00 } });
});

describe('Tracking', () => {
  it('shows own pending packages under Pending and every other status under In Transit', () => {
    const all = [pending, moving, cancelled, foreign];
    expect(ids(trackingTab(all, me, 'pending', nowMs))).toEqual(['a']);
    expect(ids(trackingTab(all, me, 'in-transit', nowMs))).toEqual(['b', 'c']);
  });

  it('puts what is due the soonest first, then the latest change', () => {
    const at = (id: string, pickup: number, change: number) =>
      packageView({
        id,
        pickupDate: `2027-01-${pickup}T11:00:00.000Z`,
        updatedAt: `2026-11-${change}T11:00:00.000Z`,
      });
    const all = [at('later', 12, 20), at('unchanged', 11, 20), at('changed', 11, 21)];
    const order = ['changed', 'unchanged', 'later'];
    expect(ids(trackingTab(all, me, 'pending', Date.parse('2026-11-22')))).toEqual(order);
  });
});

describe('what is late', () => {
  const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
  const hour = (of: string) => `2026-11-21T${of}:00:00.000Z`;

  it('comes first among one’s own packages, the longest late before', () => {
    const at = (id: string, pickup: string) =>
      packageView({ id, pickupDate: hour(pickup), createdAt: hour(id) });
    const all = [at('03', '11'), at('04', '15'), at('05', '10'), at('06', '14')];
    expect(ids(trackingTab(all, me, 'pending', nowMs))).toEqual(['05', '03', '06', '04']);
  });

  it('comes first for a dispatcher, and no courier’s offers move as time passes', () => {
    const all = ['11', '15', '10'].map((pickup, nth) =>
      packageView({ id: pickup, pickupDate: hour(pickup), createdAt: hour(`0${nth}`) }),
    );
    const shown = (role: 'Admin' | 'Employee', tab: 'pending' | 'all') =>
      ids(deliveriesTab(all, { id: 'd', role }, tab, nowMs));
    expect(shown('Admin', 'pending')).toEqual(['10', '11', '15']);
    expect(shown('Admin', 'all')).toEqual(['10', '11', '15']);
    expect(shown('Employee', 'pending')).toEqual(['10', '15', '11']);
  });

  it('may be older than the newest packages, which are shown alone only where they come first', () => {
    const minute = (at: number) => `2026-11-21T10:${String(at).padStart(2, '0')}:00.000Z`;
    const all = Array.from({ length: 20 }, (_, at) =>
      packageView({
        id: minute(at),
        createdAt: minute(at),
        updatedAt: minute(20 - at),
        sender: person([me.id, courier.id, 'other'][at % 3] ?? ''),
        pickupDate: hour(at < 3 ? '10' : '18'),
        ...(at % 4 === 0 && { status: 'in-transit' as const, courier: person(courier.id) }),
      }),
    );
    const newest = all.slice(-10);
    const none: Choice = { query: '', sort: '', filters: noFilters };
    const found = [me, courier, dispatcher].flatMap((viewer) =>
      (['pending', 'in-transit', 'all'] as const).flatMap((tab) =>
        [trackingTab, deliveriesTab].map((rule) => {
          const [part, whole] = [newest, all].map((views) => ids(rule(views, viewer, tab, nowMs)));
          const isSame = part?.every((id, at) => id === whole?.[at]);
          const isCourier = viewer.role === 'Employee';
          const isOfOffers = isCourier && rule === deliveriesTab;
          return [isSame, needsAll(tab, none, { isCourier, isOfOffers })] as const;
        }),
      ),
    );
    for (const [isSame, isAllNeeded] of found) expect(isSame || isAllNeeded).toBe(true);
    expect(found.some(([, isAllNeeded]) => !isAllNeeded)).toBe(true);
    const narrowed = { ...none, query: 'cloth' };
    expect(needsAll('pending', narrowed, offered)).toBe(true);
  });

  it('is followed by what has no courier, then by what is on the way, and by what is final', () => {
    const at = (id: string, status: PackageView['status'], pickup = '18') =>
      packageView({ id, status, pickupDate: hour(pickup), createdAt: hour(id) });
    const all = [
      ...[at('01', 'pending', '17'), at('02', 'in-transit', '10'), at('03', 'in-transit')],
      ...[at('04', 'delivered', '10'), at('05', 'cancelled'), at('06', 'pending')],
    ];
    const shown = ids(deliveriesTab(all, dispatcher, 'all', nowMs));
    // What is due sooner comes before what is newer.
    expect(shown).toEqual(['02', '01', '06', '03', '04', '05']);
    expect(sortChoices('all', sending)).toContain('newest');
  });

  it('comes first among what is on the way, not among what is final', () => {
    const at = (id: string, delivery: string, status: 'in-transit' | 'delivered') =>
      packageView({
        id,
        status,
        progress: 'picked_up',
        courier: person('courier'),
        deliveryDate: hour(delivery),
        updatedAt: hour(id),
      });
    const all = [
      at('09', '10', 'delivered'),
      at('10', '18', 'delivered'),
      at('05', '10', 'in-transit'),
      at('08', '18', 'in-transit'),
    ];
    expect(ids(trackingTab(all, me, 'in-transit', nowMs))).toEqual(['05', '08', '10', '09']);
  });
});

describe('the combined In Transit tab', () => {
  const at = (minute: number) => `2026-11-21T10:${minute}:00.000Z`;
  const mine = { courier: person('courier'), status: 'in-transit' } as const;

  it('of a sender is grouped by status; what is final, by its latest change', () => {
    const all = [
      packageView({ ...mine, id: 'delivered', status: 'delivered', updatedAt: at(50) }),
      packageView({ ...mine, id: 'just delivered', status: 'delivered', updatedAt: at(58) }),
      packageView({ ...mine, id: 'cancelled', status: 'cancelled', updatedAt: at(59) }),
      packageView({ ...mine, id: 'old', updatedAt: at(10) }),
      packageView({ ...mine, id: 'new', updatedAt: at(20) }),
      packageView({ ...mine, id: 'refused', mark: 'attention', updatedAt: at(10) }),
    ];
    const order = ['refused', 'new', 'old', 'just delivered', 'delivered', 'cancelled'];
    expect(ids(trackingTab(all, me, 'in-transit', nowMs))).toEqual(order);
  });

  it('of a courier is in the order of what is due', () => {
    const progress = 'picked_up';
    const hour = (of: number) => `2026-11-21T${of}:00:00.000Z`;
    const times = (pickup: number, delivery: number | null) => ({
      pickupDate: hour(pickup),
      deliveryDate: delivery === null ? null : hour(delivery),
      updatedAt: hour(10),
    });
    const all = [
      packageView({ ...mine, id: 'delivered', status: 'delivered', ...times(11, 12) }),
      packageView({ ...mine, id: 'to deliver at 17', progress, ...times(11, 17) }),
      packageView({ ...mine, id: 'to collect at 16', ...times(16, 22) }),
      packageView({ ...mine, id: 'late since 12', progress, ...times(11, 12) }),
      packageView({ ...mine, id: 'collected at 11, any time', progress, ...times(11, null) }),
      packageView({ ...mine, id: 'refused', mark: 'attention', ...times(18, 20) }),
      packageView({ ...mine, id: 'at the door', progress: 'arrived', ...times(18, 20) }),
    ];
    const nowMs = Date.parse(hour(14));
    expect(ids(deliveriesTab(all, courier, 'in-transit', nowMs))).toEqual([
      'refused',
      'at the door',
      'late since 12',
      'collected at 11, any time',
      'to collect at 16',
      'to deliver at 17',
      'delivered',
    ]);
  });
});

it('Deliveries shows every visible pending package, and assigned ones that are not pending', () => {
  const assignedPending = packageView({ id: 'f', courier: person('courier') });
  const another = packageView({ id: 'g', status: 'in-transit', courier: person('other') });
  const all = [pending, foreign, moving, assignedPending, another];
  expect(ids(deliveries(all, courier, 'pending'))).toEqual(['a', 'd', 'f']);
  expect(ids(deliveries(all, courier, 'in-transit'))).toEqual(['b']);
});

describe('an empty list', () => {
  const mine = packageView({ courier: person('courier') });
  const tracked = (all: readonly PackageView[], tab: TabName) => trackingTab(all, me, tab, nowMs);
  const nothingSent = "You haven't sent any packages yet";
  const onlyPending = 'You only have pending packages';
  const nothingTaken = 'No packages are currently assigned to you';

  it.each([
    ['nothing sent, pending', tracked([], 'pending'), nothingSent],
    ['nothing sent, moving', tracked([], 'in-transit'), nothingSent],
    ['all moving', tracked([moving], 'pending'), 'You have no pending packages'],
    ['all pending', tracked([pending], 'in-transit'), 'All your packages are pending'],
    ['nothing on offer', deliveries([], courier, 'pending'), 'No pending packages found.'],
    ['nothing taken', deliveries([pending], courier, 'in-transit'), nothingTaken],
    ['taken, still pending', deliveries([mine], courier, 'in-transit'), onlyPending],
    ['sent, none on its way', deliveries([pending], me, 'in-transit'), onlyPending],
    ['sent, some on their way', deliveries([pending, moving], me, 'in-transit'), nothingTaken],
    ['nothing sent, nor taken', deliveries([], me, 'in-transit'), nothingTaken],
    ['on offer, to no sender', deliveries([pending], dispatcher, 'in-transit'), nothingTaken],
    ['none at all', deliveries([], dispatcher, 'all'), 'There are no packages yet.'],
  ])('has its own message: %s', (_, contents, sentence) => {
    expect(contents.views).toEqual([]);
    expect(contents.emptyText).toBe(sentence);
  });
});

describe('the buttons of a card', () => {
  const details = 'View Details';
  const accept = 'Accept Delivery';
  const assigned = 'Already Assigned';
  const unassigned = { senderId: 'sender', courierId: null, status: 'pending' } as const;
  const carried = { senderId: 'sender', courierId: 'courier', status: 'in-transit' } as const;
  const offered = { ...unassigned, senderId: 'another' } as const;
  const ownOfCourier = { ...unassigned, senderId: 'courier' } as const;
  const pendingWithCourier = { ...carried, status: 'pending' } as const;

  const readers = { Customer: me, Employee: courier, Admin: dispatcher };

  it.each([
    ['Customer', 'of one’s own on offer', unassigned, [details]],
    ['Customer', 'of one’s own on its way', carried, [details, assigned]],
    [
      'Customer',
      'of one’s own delivered',
      { ...carried, status: 'delivered' },
      [details, assigned],
    ],
    ['Customer', 'of one’s own cancelled', { ...unassigned, status: 'cancelled' }, [details]],
    ['Employee', 'on offer', offered, [accept]],
    ['Employee', 'on offer, of one’s own', { ...unassigned, senderId: 'courier' }, []],
    ['Employee', 'assigned, but pending', pendingWithCourier, [assigned]],
    ['Employee', 'taken by this one', carried, [details, assigned]],
    ['Employee', 'delivered', { ...carried, status: 'delivered' }, [details, assigned]],
    ['Employee', 'taken by another', { ...carried, courierId: 'another' }, [details, assigned]],
    ['Employee', 'of one’s own cancelled', { ...ownOfCourier, status: 'cancelled' }, [details]],
    ['Admin', 'on offer', offered, [details]],
    ['Admin', 'on its way', carried, [details, assigned]],
  ] as const)('%s, %s', (role, _, facts, expected) => {
    const buttons = cardButtons(readers[role], { ...someFacts(), ...facts });
    const seen = [
      ...(buttons.details ? [details] : []),
      ...(buttons.accept ? [accept] : []),
      ...(buttons.assigned ? [assigned] : []),
    ];
    expect(seen).toEqual(expected);
  });
});

describe('sorting and filtering a list', () => {
  const nothing: Choice = { query: '', sort: '', filters: noFilters };
  const nowMs = Date.parse('2027-01-10T12:00:00.000Z');
  const seen = (tab: TabName, views: typeof all, choice: Partial<Choice>) =>
    chosen(views, choiceFor(tab, { ...nothing, ...choice }, sending), { nowMs, place: null }).map(
      ({ id }) => id,
    );
  const all = [
    packageView({ id: 'far', pickupDate: '2027-02-01T08:00:00.000Z', priceOfferKobo: 300 }),
    packageView({ id: 'late', pickupDate: '2027-01-09T08:00:00.000Z', priceOfferKobo: 100 }),
    packageView({ id: 'soon', pickupDate: '2027-01-10T15:00:00.000Z', priceOfferKobo: 200 }),
    packageView({ id: 'gone', status: 'delivered', courier: person('courier') }),
  ];

  it('applies the chosen order', () => {
    const pending = all.slice(0, 3);
    expect(seen('pending', pending, { sort: 'pickup' })).toEqual(['soon', 'late', 'far']);
    expect(seen('pending', pending, { sort: 'offer' })).toEqual(['far', 'soon', 'late']);
    expect(seen('pending', pending, {})).toEqual(['far', 'late', 'soon']);
  });

  it('sorts by distance to the pickup, those without a pin last in their order', () => {
    const at = (lng: number) => ({ lat: 12, lng });
    const views = [
      packageView({ id: 'pinless', createdAt: '2027-01-09T12:00:00.000Z' }),
      packageView({ id: 'km 50', pickupLocation: at(8.96) }),
      packageView({ id: 'over', status: 'delivered', pickupLocation: at(8.5) }),
      packageView({ id: 'west', pickupLocation: at(8.49) }),
      packageView({ id: 'km 5', pickupLocation: at(8.55) }),
    ];
    const byNear = (reader: ListReader, place: { lat: number; lng: number } | null) => {
      const choice = choiceFor('all', { ...nothing, sort: 'near' }, reader);
      return chosen(views, choice, { nowMs, place }).map(({ id }) => id);
    };
    const asTheyWere = views.map(({ id }) => id);
    expect(byNear(offered, at(8.5))).toEqual(['west', 'km 5', 'km 50', 'pinless', 'over']);
    expect(byNear(offered, null)).toEqual(asTheyWere);
    // The order is offered to no other role and not applied for it.
    expect(byNear(sending, at(8.5))).toEqual(asTheyWere);
    expect(sortChoices('pending', offered)).toEqual(['', 'near', 'pickup', 'offer']);
    expect(sortChoices('pending', sending)).toEqual(['', 'newest', 'pickup', 'offer']);
  });

  it('calls only offers newest first, not what a courier sends, and filters none by status', () => {
    const own = { isCourier: true, isOfOffers: false };
    expect(statusChoices('pending', offered)).toEqual([]);
    expect(statusChoices('pending', own)).toEqual(['late']);
    expect(defaultSort('pending', offered)).toBe('newest');
    expect(defaultSort('pending', own)).toBe('');
    expect(sortChoices('pending', own)).toContain('newest');
  });

  it('offers a courier what others send, the nearest first, else the newest', () => {
    const at = (lng: number) => ({ lat: 12, lng });
    const views = [
      packageView({ id: 'far', pickupLocation: at(8.9), createdAt: '2027-01-09T12:00:00.000Z' }),
      packageView({ id: 'near', pickupLocation: at(8.6), createdAt: '2027-01-08T12:00:00.000Z' }),
      packageView({ id: 'own', pickupLocation: at(8.5), sender: person('courier') }),
      packageView({ id: 'taken', pickupLocation: at(8.5), courier: person('other') }),
      packageView({ id: 'over', pickupLocation: at(8.5), status: 'cancelled' }),
    ];
    const offered = (place: { lat: number; lng: number } | null) =>
      nearestOffers(views, courier, place).map(({ id }) => id);
    expect(offered(at(8.5))).toEqual(['near', 'far']);
    expect(offered(null)).toEqual(['far', 'near']);
  });

  it('lists problems, then what is late, the longest first, then what has no courier', () => {
    const nowMs = Date.parse('2026-11-21T15:00:00.000Z');
    const due = (id: string, pickupDate: string) => packageView({ id, pickupDate });
    const views = [
      due('today', '2026-11-21T09:00:00.000Z'),
      due('ahead', '2026-11-21T18:00:00.000Z'),
      due('yesterday', '2026-11-20T09:00:00.000Z'),
      packageView({ id: 'over', status: 'delivered', pickupDate: '2026-11-19T09:00:00.000Z' }),
      packageView({
        id: 'torn',
        status: 'delivered',
        dispute: { _id: '1', by: 'sender', kind: 'damaged', text: 'Torn' },
      }),
    ];
    const ids = mostUrgent(views, nowMs).map(({ id }) => id);
    expect(ids).toEqual(['torn', 'yesterday', 'today', 'ahead']);
  });

  it('has distances only for couriers with a position and a pin', () => {
    const pinned = packageView({ pickupLocation: { lat: 12, lng: 8.6 } });
    const here = { lat: 12, lng: 8.5 };
    expect(metersToPickup(pinned, here)).toBeCloseTo(10_876, -1);
    expect(metersToPickup(pinned, null)).toBeNull();
    expect(metersToPickup(packageView(), here)).toBeNull();
    expect(metersToPickup({ ...pinned, status: 'delivered' }, here)).toBeNull();
  });

  const dispute = { _id: '1', by: 'sender', kind: 'damaged', text: 'Torn' } as const;
  const torn = packageView({ id: 'torn', status: 'delivered', dispute });
  const unseen = packageView({ id: 'unseen', status: 'delivered', photosMissing: 1 });

  it.each<[string, TabName, PackageView[], Partial<typeof noFilters>, string[]]>([
    ['a status, ignoring case', 'all', all, { status: 'delivered' }, ['gone']],
    ['a courier', 'all', all, { employeeId: 'courier' }, ['gone']],
    ['a sender', 'all', all, { senderId: 'other' }, []],
    [
      'a problem reported, whatever its status',
      'all',
      [...all, torn],
      { status: 'problem' },
      ['torn'],
    ],
    ['a photo that is missing', 'all', [...all, unseen], { status: 'photoMissing' }, ['unseen']],
    ['what is late, on offer', 'pending', all.slice(0, 3), { status: 'late' }, ['late']],
    ['what is late', 'all', all, { status: 'late' }, ['late']],
    ['what is late of a sender', 'all', all, { status: 'late', senderId: 'other' }, []],
    ['what is late, on its way', 'in-transit', all, { status: 'late' }, ['late']],
  ])('finds by %s (%s)', (_, tab, views, filters, found) => {
    expect(seen(tab, views, { filters: { ...noFilters, ...filters } })).toEqual(found);
  });

  it('ignores filters that a tab does not offer', () => {
    const filters = { status: 'pending', senderId: 'other', employeeId: 'other' };
    const choice = choiceFor('in-transit', { query: ' ', sort: 'offer', filters }, sending);
    expect(choice).toEqual({ query: '', sort: 'offer', filters: noFilters });
    expect(isNarrowed(choice)).toBe(false);
    expect(countChosen(choice)).toBe(1);
    expect(countChosen(choiceFor('pending', { ...nothing, sort: 'newest' }, offered))).toBe(0);
  });
});
