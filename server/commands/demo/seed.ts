/**
 * Seeds an empty database through the public API, so that it contains nothing the product could not
 * produce. Ten days are planned first, then played in order on the app's clock.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { releaseDue } from '#server/modules/packages/due-releases.ts';
import { corrections, couriers, goods, places, senders } from './kano.ts';
import { payoutSteps } from './payouts.ts';
import { type DemoAccount, emailOf, type Name, Person } from './person.ts';

const packageCount = 220;
const storyDays = 10;
const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** Nigeria has no daylight-saving time. */
const zoneOffsetMs = hourMs;
/** Hours in which packages are collected and delivered. */
const [opens, closes] = [8, 19] as const;
/** Naira. */
const topUpAmounts = [2000, 3000, 5000, 5000, 7500, 10_000, 15_000, 20_000] as const;

/** mulberry32: a small seeded generator, so that every demo is the same. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Random = ReturnType<typeof seededRandom>;

const pickWith =
  (random: Random) =>
  <T>(list: readonly T[]): T =>
    list[Math.floor(random() * list.length)] as T;

const phoneWith = (random: Random) => () =>
  `080${Math.floor(random() * 9) + 1} ${100 + Math.floor(random() * 900)} ${1000 + Math.floor(random() * 9000)}`;

/** The next quarter of an hour in the day; what falls into the night moves to the morning after. */
function inTheDay(ms: number): number {
  const quarterMs = 15 * minuteMs;
  const midnight = Math.floor((ms + zoneOffsetMs) / dayMs) * dayMs - zoneOffsetMs;
  const hours = (ms - midnight) / hourMs;
  const isDay = hours >= opens && hours < closes;
  const intoNight = (hours - closes + 24) % 24;
  // A shorter night would put all of its hours into the early morning.
  const there = opens + (intoNight * (closes - opens)) / (24 - closes + opens);
  const at = isDay ? ms : midnight + (hours < opens ? 0 : dayMs) + there * hourMs;
  return Math.ceil(at / quarterMs) * quarterMs;
}

interface Step {
  /** ms since 1970 */
  at: number;
  play: () => Promise<void>;
}

interface Cast {
  admin: Person;
  riders: Person[];
  customers: Person[];
}

function walletSteps({ customers }: Cast, start: number, random: Random): Step[] {
  const pick = pickWith(random);
  return customers.flatMap((sender) => {
    const steps: Step[] = [];
    const amount = pick(topUpAmounts);
    const at = start + random() * 8 * hourMs;
    if (random() < 0.75) steps.push({ at, play: () => sender.topUp(amount, 'pay') });
    const later = start + random() * storyDays * dayMs;
    if (random() < 0.25) {
      const decision = random() < 0.5 ? 'decline' : 'abandon';
      const unpaid = pick(topUpAmounts);
      steps.push({ at: later, play: () => sender.topUp(unpaid, decision) });
    }
    return steps;
  });
}

interface Order {
  sender: Person;
  /** ms since 1970 */
  createdAt: number;
}

type Crew = ReturnType<typeof crewOf>;

/** None may carry too many. */
function crewOf(riders: readonly Person[]) {
  const carried = new Map(riders.map((rider) => [rider, 0]));
  const note = (rider: Person, change: number) =>
    carried.set(rider, (carried.get(rider) ?? 0) + change);
  return {
    /** The one who carries least. */
    take(): Person {
      const [[rider]] = [...carried].sort(([, one], [, other]) => one - other) as [
        [Person, number],
      ];
      note(rider, 1);
      return rider;
    },
    leave: (rider: Person) => note(rider, -1),
  };
}

/**
 * From its creation to its end, some of it after the real time, which is not played: so the newest
 * packages are under way. A few are late.
 */
function packageSteps({ sender, createdAt }: Order, crew: Crew, random: Random): Step[] {
  const pick = pickWith(random);
  const phone = phoneWith(random);
  const after = (ms: number, hours: number) => ms + hours * hourMs;
  const isoOf = (ms: number) => new Date(ms).toISOString();
  const recipient = pick(senders);
  const pickup = pick(places);
  const pickupAt = inTheDay(after(createdAt, 3 + random() * random() * 44));
  const isLate = random() < 0.07;
  const agreedAt = inTheDay(after(pickupAt, 3 + random() * random() * 20));
  const priceOffer = 500 + Math.floor(random() * 60) * 50;
  const paymentMethod = random() < 0.55 ? 'cash' : 'app';
  const delivery = pick(places.filter((place) => place !== pickup));
  const body = {
    pickupAddress: pickup.address,
    deliveryAddress: delivery.address,
    pickupLocation: pickup.pin,
    deliveryLocation: delivery.pin,
    recipientName: `${recipient.firstName} ${recipient.lastName}`,
    recipientPhone: phone(),
    recipientEmail: random() < 0.4 ? emailOf(recipient) : null,
    description: pick(goods),
    pickupDate: isoOf(pickupAt),
    deliveryDate: isLate || random() < 0.5 ? isoOf(agreedAt) : null,
    priceOffer,
    paymentMethod,
  };
  const enough = pick(topUpAmounts.filter((amount) => amount >= priceOffer));
  const isPaidLater = random() < 0.75;
  let id = '';
  const create = async () => {
    const pkg = await sender.createPackage(body);
    id = pkg._id;
    if (paymentMethod === 'cash' || pkg.paymentStatus === 'paid' || !isPaidLater) return;
    await sender.topUp(enough, 'pay');
    await sender.patchPackage(id, { paymentStatus: 'paid' });
  };
  const patch = (at: number, who: Person, changes: object): Step => ({
    at,
    play: () => who.patchPackage(id, changes),
  });
  /** A share of the time until the pickup. */
  const before = (share: number) => createdAt + share * (pickupAt - createdAt);
  let courier: Person | null = null;
  const take = (at: number): Step => ({
    at,
    play: async () => {
      courier = crew.take();
      await courier.patchPackage(id, {
        deliveryPersonId: courier.id,
        deliveryStatus: 'In Transit',
      });
    },
  });
  const pickUp = (at: number): Step => ({
    at,
    play: async () => {
      const event = { _id: randomUUID(), type: 'picked_up', occurredAt: isoOf(at) } as const;
      await courier?.recordEvent(id, event);
    },
  });
  const leave = (at: number, changes: object): Step => ({
    at,
    play: async () => {
      if (!courier) return;
      await courier.patchPackage(id, changes);
      crew.leave(courier);
    },
  });

  const steps: Step[] = [{ at: createdAt, play: create }];
  const fate = random();
  if (fate < 0.08) return [...steps, patch(before(0.5), sender, { deliveryStatus: 'Cancelled' })];
  if (fate < 0.11) steps.push(patch(before(0.05), sender, { priceOffer: priceOffer - 100 }));
  if (fate > 0.11 && fate < 0.15) {
    const givenBack = { deliveryPersonId: null, deliveryStatus: 'Pending' };
    steps.push(take(before(0.1)), leave(before(0.2), givenBack));
  }
  const takenAt = fate > 0.95 ? after(pickupAt, 2 + random() * 12) : before(0.3 + random() * 0.65);
  const cash = paymentMethod === 'cash' && random() < 0.9 ? { paymentStatus: 'paid' } : {};
  const deliveredAt = isLate
    ? after(agreedAt, 2 + random() * 20)
    : Math.max(after(pickupAt, 0.75), agreedAt - random() * 3 * hourMs);
  const delivered = { deliveryStatus: 'Delivered', ...cash };
  const pickedUpAt = Math.max(pickupAt, after(takenAt, 0.25));
  const endAt = Math.max(deliveredAt, after(pickedUpAt, 0.5));
  steps.push(take(takenAt), pickUp(pickedUpAt), leave(endAt, delivered));
  return steps;
}

function packagesSteps({ riders, customers }: Cast, start: number, random: Random): Step[] {
  const pick = pickWith(random);
  const crew = crewOf(riders);
  const orders: Order[] = [];
  while (orders.length < packageCount) {
    // More each day.
    const share = 1 - (1 - (orders.length + random()) / packageCount) ** 1.4;
    const begunAt = start + share * storyDays * dayMs;
    const sender = pick(customers);
    const count = Math.min(1 + Math.floor(random() * 4), packageCount - orders.length);
    for (let index = 0; index < count; index += 1) {
      orders.push({ sender, createdAt: begunAt + index * 2 * minuteMs });
    }
  }
  return orders.flatMap((order) => packageSteps(order, crew, random));
}

function correctionSteps({ admin, riders, customers }: Cast, start: number): Step[] {
  return corrections.map(({ day, who, index, amount, reason }) => ({
    at: start + day * dayMs,
    play: async () => {
      const person = (who === 'courier' ? riders : customers)[index];
      if (person) await admin.adjustBalance(person, amount, reason);
    },
  }));
}

export interface DemoStage {
  /** Listening: the sandbox is called over HTTP. */
  app: FastifyInstance;
  /** To pay what is due in the story, as the app itself does every minute of real time. */
  money: Parameters<typeof releaseDue>[0];
  /** Sets the app's clock, ms since 1970. */
  setNow(ms: number): void;
  /** End of the story: the real time, ms since 1970. */
  realNow: number;
  /** The first admin, already created with `demoPassword`. */
  admin: DemoAccount;
}

/** Seeds the database. Resolves with the accounts, the admin first. */
export async function seedDemo(stage: DemoStage): Promise<DemoAccount[]> {
  const { app, setNow, realNow, admin, money } = stage;
  const random = seededRandom(1999);
  const phone = phoneWith(random);
  const start = realNow - storyDays * dayMs;
  setNow(start);

  const account = (role: 'Customer' | 'Employee') => (name: Name) => ({
    ...name,
    role,
    email: emailOf(name),
  });
  const accounts: DemoAccount[] = [
    admin,
    ...couriers.map(account('Employee')),
    ...senders.map(account('Customer')),
  ];
  const everybody = accounts.map((known, index) => new Person(app, known, `10.0.0.${index}`));
  await Promise.all(everybody.map((person) => person.signUp(phone())));
  const withRole = (role: DemoAccount['role']) =>
    everybody.filter((person) => person.account.role === role);
  const cast: Cast = {
    admin: withRole('Admin')[0] as Person,
    riders: withRole('Employee'),
    customers: withRole('Customer'),
  };

  const steps = [
    ...walletSteps(cast, start, random),
    ...correctionSteps(cast, start),
    ...packagesSteps(cast, start, random),
    ...payoutSteps(cast.riders, start, realNow, { app, ...money }),
  ];
  const past = steps.filter(({ at }) => at <= realNow).sort((one, other) => one.at - other.at);
  const payDue = () =>
    releaseDue(money, (error) => {
      throw error;
    });
  let paidAt = start;
  for (const { at, play } of past) {
    setNow(at);
    if (at - paidAt > 6 * hourMs) {
      await payDue();
      paidAt = at;
    }
    await play();
  }
  setNow(realNow);
  await payDue();
  return accounts;
}
