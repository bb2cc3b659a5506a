/**
 * Seeds an empty database through the public API, so that it contains nothing the product could not
 * produce. Ten days are planned first, then played in order on the app's clock.
 */
import type { FastifyInstance } from 'fastify';
import { corrections, couriers, goods, places, senders } from './kano.ts';
import { type DemoAccount, emailOf, type Name, Person } from './person.ts';

const packageCount = 220;
const storyDays = 10;
const minuteMs = 60 * 1000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
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

/** Who handles a package; `createdAt` in ms since 1970. */
interface Meeting {
  sender: Person;
  courier: Person;
  createdAt: number;
}

function packageSteps({ sender, courier, createdAt }: Meeting, random: Random): Step[] {
  const pick = pickWith(random);
  const phone = phoneWith(random);
  const at = (hours: number) => createdAt + hours * hourMs;
  const isoAt = (hours: number) => new Date(at(hours)).toISOString();
  const recipient = pick(senders);
  const pickup = pick(places);
  const pickupHours = 4 + random() * 40;
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
    pickupDate: isoAt(pickupHours),
    deliveryDate: random() < 0.5 ? isoAt(48 + random() * 48) : null,
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
  const patch = (hours: number, who: Person, changes: object): Step => ({
    at: at(hours),
    play: () => who.patchPackage(id, changes),
  });

  const steps: Step[] = [{ at: createdAt, play: create }];
  const fate = random();
  if (fate < 0.08) return [...steps, patch(2, sender, { deliveryStatus: 'Cancelled' })];
  if (fate < 0.11) return [...steps, patch(2, sender, { priceOffer: priceOffer - 100 })];
  if (fate > 0.75) return steps;
  const taken = { deliveryPersonId: courier.id, deliveryStatus: 'In Transit' };
  steps.push(patch(1, courier, taken));
  const givenBack = { deliveryPersonId: null, deliveryStatus: 'Pending' };
  if (fate < 0.15) return [...steps, patch(2, courier, givenBack)];
  if (fate > 0.62) return steps;
  const cash = paymentMethod === 'cash' && random() < 0.9 ? { paymentStatus: 'paid' } : {};
  const deliveredHours = 3 + random() * 20;
  // Collected before it is delivered.
  body.pickupDate = isoAt(Math.min(pickupHours, deliveredHours - 1));
  return [...steps, patch(deliveredHours, courier, { deliveryStatus: 'Delivered', ...cash })];
}

function packagesSteps({ riders, customers }: Cast, start: number, random: Random): Step[] {
  const pick = pickWith(random);
  const meetings: Meeting[] = [];
  while (meetings.length < packageCount) {
    const share = (meetings.length + random()) / packageCount;
    const begunAt = start + share * storyDays * dayMs * 0.98;
    const [sender, courier] = [pick(customers), pick(riders)];
    const count = Math.min(1 + Math.floor(random() * 4), packageCount - meetings.length);
    for (let index = 0; index < count; index += 1) {
      meetings.push({ sender, courier, createdAt: begunAt + index * 2 * minuteMs });
    }
  }
  return meetings.flatMap((meeting) => packageSteps(meeting, random));
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
  /** Sets the app's clock, ms since 1970. */
  setNow(ms: number): void;
  /** End of the story: the real time, ms since 1970. */
  realNow: number;
  /** The first admin, already created with `demoPassword`. */
  admin: DemoAccount;
}

/** Seeds the database. Resolves with the accounts, the admin first. */
export async function seedDemo({ app, setNow, realNow, admin }: DemoStage): Promise<DemoAccount[]> {
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
  ];
  const past = steps.filter(({ at }) => at <= realNow).sort((one, other) => one.at - other.at);
  for (const { at, play } of past) {
    setNow(at);
    await play();
  }
  return accounts;
}
