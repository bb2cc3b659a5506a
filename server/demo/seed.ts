/**
 * Fills an empty database with the demo's Kano through the product's own API: what cannot happen
 * in the product cannot be in the demo. The clock is the app's, moved along by the seed, so that
 * the story spans the last ten days.
 */
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { couriers, goods, places, senders } from './kano.ts';

export const demoPassword = 'kaya-demo';
const packageCount = 220;
const storyDays = 10;
const dayMs = 24 * 60 * 60 * 1000;

type Role = 'Customer' | 'Employee' | 'Admin';
type Name = { firstName: string; lastName: string };

export interface DemoAccount extends Name {
  role: Role;
  email: string;
}

export function emailOf({ firstName, lastName }: Name): string {
  return `${firstName}.${lastName}@kaya.test`.toLowerCase();
}

/** mulberry32: a small seeded generator, so that every demo tells the same story. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** One signed-in person: keeps the refresh cookie, asks for a fresh token before each call. */
class Person {
  private cookie = '';
  id = '';

  constructor(
    private readonly app: FastifyInstance,
    readonly account: DemoAccount,
    private readonly address: string,
  ) {}

  private async send(method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object) {
    const token = url.startsWith('/api/auth/') ? '' : await this.freshToken();
    const answer = await this.app.inject({
      method,
      url,
      remoteAddress: this.address,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(this.cookie && { cookie: this.cookie }),
      },
      ...(payload && { payload }),
    });
    if (answer.statusCode >= 400) {
      throw new Error(
        `The demo's ${method} ${url} was refused: ${answer.statusCode} ${answer.body}`,
      );
    }
    this.remember(answer);
    return answer;
  }

  private remember(answer: LightMyRequestResponse) {
    const [cookie] = answer.cookies;
    if (cookie) this.cookie = `${cookie.name}=${cookie.value}`;
  }

  private async freshToken(): Promise<string> {
    const answer = await this.send('GET', '/api/auth/refresh');
    return answer.json().accessToken;
  }

  async signUp(phoneNumber: string) {
    const { email, role, firstName, lastName } = this.account;
    const credentials = { email, password: demoPassword };
    if (role !== 'Admin') {
      const answer = await this.send('POST', '/api/auth/signup', { ...credentials, role });
      this.id = answer.json().user._id;
    }
    const session = await this.send('POST', '/api/auth/login', {
      ...credentials,
      trustDevice: true,
    });
    const payload = session.json().accessToken.split('.')[1];
    this.id = JSON.parse(Buffer.from(payload, 'base64url').toString()).userInfo.id;
    await this.send('PATCH', '/api/users', {
      id: this.id,
      firstName,
      lastName,
      email,
      phoneNumber,
    });
  }

  async createPackage(body: object): Promise<string> {
    const answer = await this.send('POST', '/api/packages', body);
    return answer.json()._id;
  }

  async patchPackage(id: string, body: object) {
    await this.send('PATCH', `/api/packages/${id}`, body);
  }
}

export interface DemoStage {
  app: FastifyInstance;
  /** Sets the time that the app believes it is, ms since 1970. */
  setNow(ms: number): void;
  /** The real time, ms since 1970: where the story ends. */
  realNow: number;
  /** The bootstrap admin's account, who exists already with `demoPassword`. */
  admin: DemoAccount;
}

/** Seeds everybody and everything; answers the accounts, the admin first. */
export async function seedDemo({ app, setNow, realNow, admin }: DemoStage): Promise<DemoAccount[]> {
  const random = seededRandom(1999);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const phone = () =>
    `080${Math.floor(random() * 9) + 1} ${100 + Math.floor(random() * 900)} ${1000 + Math.floor(random() * 9000)}`;
  const start = realNow - storyDays * dayMs;
  setNow(start);

  let address = 1;
  const person = async (account: DemoAccount) => {
    // An address of one's own each, or the sign-up limit would stop the demo.
    const someone = new Person(app, account, `10.0.0.${address++}`);
    await someone.signUp(phone());
    return someone;
  };
  const account = (role: Role) => (name: Name) => ({ ...name, role, email: emailOf(name) });
  const everybody = await Promise.all(
    [admin, ...couriers.map(account('Employee')), ...senders.map(account('Customer'))].map(person),
  );
  const riders = everybody.filter(({ account: { role } }) => role === 'Employee');
  const customers = everybody.filter(({ account: { role } }) => role === 'Customer');

  for (let index = 0; index < packageCount; index++) {
    const createdAt = start + ((index + random()) / packageCount) * storyDays * dayMs * 0.98;
    const at = (hours: number) => createdAt + hours * 60 * 60 * 1000;
    const moveTo = (hours: number) => setNow(Math.min(at(hours), realNow));
    setNow(createdAt);
    const sender = pick(customers);
    const recipient = pick(senders);
    const pickupAddress = pick(places);
    const id = await sender.createPackage({
      pickupAddress,
      deliveryAddress: pick(places.filter((place) => place !== pickupAddress)),
      recipientName: `${recipient.firstName} ${recipient.lastName}`,
      recipientPhone: phone(),
      recipientEmail: random() < 0.4 ? emailOf(recipient) : null,
      description: pick(goods),
      pickupDate: new Date(at(4 + random() * 40)).toISOString(),
      deliveryDate: random() < 0.5 ? new Date(at(48 + random() * 48)).toISOString() : null,
      priceOffer: 500 + Math.floor(random() * 60) * 50,
      paymentMethod: random() < 0.75 ? 'cash' : 'app',
    });
    const fate = random();
    if (fate < 0.08) {
      moveTo(2);
      await sender.patchPackage(id, { deliveryStatus: 'Cancelled' });
    } else if (fate < 0.72) {
      const courier = pick(riders);
      moveTo(1);
      await courier.patchPackage(id, {
        deliveryPersonId: courier.id,
        deliveryStatus: 'In Transit',
      });
      if (fate < 0.12) {
        moveTo(2);
        await courier.patchPackage(id, { deliveryPersonId: null, deliveryStatus: 'Pending' });
      } else if (fate < 0.52) {
        moveTo(20);
        await courier.patchPackage(id, { deliveryStatus: 'Delivered' });
      }
    }
  }
  return everybody.map(({ account: known }) => known);
}
