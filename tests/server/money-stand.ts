/** The users and the provider of the money tests, across many server lives. */
import { expect } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import type { Payments } from '#contract/payment.ts';
import type { WireUser } from '#contract/user.ts';
import { FakePaystack, honest } from '#tests/fakes/fake-paystack.ts';
import { type Account, call, type Extras, register } from './process-stage.ts';
import { goodPassword, packageBody } from './stage.ts';

export const adminAccount = { ADMIN_EMAIL: 'boss@kaya.test', ADMIN_PASSWORD: goodPassword };
export const price = 1500;
export const deposit = 2500;
/** Lines of history compared: more than one operation adds. */
export const recentEntries = 8;

export interface Purse {
  available: number;
  held: number;
  /** Kinds, newest first. */
  entries: string[];
}

/** The visible state that an operation could affect. */
export interface View {
  sender: Purse;
  courier: Purse;
  /** Null if there is no such package. */
  package: Record<string, unknown> | null;
  /** The deactivated user's. */
  leaver: { active: boolean; balance: number | null } | null;
}

/** What an operation touches besides the sender and the courier. */
export interface Concerned {
  packageId?: string;
  leaver?: Account;
}

/** Users and a provider that outlive single servers. */
export class Stand {
  /** The current server's. */
  url = '';
  readonly paystack = new FakePaystack();
  private readonly asked = new Map<string, number>();
  private readonly paid = new Set<string>();
  admin!: Account;
  sender!: Account;
  courier!: Account;

  async open(): Promise<void> {
    await this.paystack.open();
    const begin = honest((reference) => {
      const amount = this.asked.get(reference);
      if (amount === undefined) return null;
      const status = this.paid.has(reference) ? 'success' : 'ongoing';
      return { status, reference, amount, currency: 'NGN' };
    });
    this.paystack.reply = (request) => {
      const { reference, amount } = (request.body ?? {}) as { reference?: string; amount?: number };
      if (reference !== undefined && amount !== undefined) this.asked.set(reference, amount);
      return begin(request);
    };
  }

  /** A call that must succeed. */
  async get<T>(method: string, at: string, how: Extras): Promise<T> {
    const { status, body } = await call<T>(this.url, method, at, how);
    expect([200, 201], `${method} ${at}: ${JSON.stringify(body)}`).toContain(status);
    return body;
  }

  async invite(): Promise<void> {
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = adminAccount;
    const body = { email, password };
    const { accessToken } = await this.get<{ accessToken: string }>('POST', '/api/auth/login', {
      body,
    });
    this.admin = { id: '', email, token: accessToken };
    this.sender = await register(this.url, 'Customer');
    this.courier = await register(this.url, 'Employee');
    await this.give(this.sender, 1_000_000);
  }

  give({ id }: Account, amount: number) {
    const body = { id, amount, reason: 'An opening balance' };
    return this.get('PATCH', '/api/users/balance', { token: this.admin.token, body });
  }

  initiation = (): Extras => ({
    token: this.sender.token,
    body: { email: this.sender.email, amount: deposit },
  });

  pay(reference: string): void {
    this.paid.add(reference);
  }

  async paidTopUp(): Promise<string> {
    const begun = await this.get<{ data: { reference: string } }>(
      'POST',
      '/api/payments/initiate',
      this.initiation(),
    );
    this.pay(begun.data.reference);
    return begun.data.reference;
  }

  /** A package of the sender, paid from the wallet, then patched, or with events and disputes. */
  async package(...changes: [Account, object][]): Promise<string> {
    const body = packageBody({ paymentMethod: 'app', priceOffer: price });
    const made = await this.get<WirePackage>('POST', '/api/packages', {
      token: this.sender.token,
      body,
    });
    for (const [{ token }, change] of changes) {
      const path = `/api/packages/${made._id}`;
      if ('type' in change) await this.get('POST', `${path}/events`, { token, body: change });
      else if ('kind' in change)
        await this.get('POST', `${path}/disputes`, { token, body: change });
      else await this.get('PATCH', path, { token, body: change });
    }
    return made._id;
  }

  private async purse({ token }: Account): Promise<Purse> {
    const at = `/api/payments?limit=${recentEntries}`;
    const { available, held, entries } = await this.get<Payments>('GET', at, { token });
    return { available, held, entries: entries.map(({ kind }) => kind) };
  }

  private async packageSeen(id: string): Promise<View['package']> {
    const at = `/api/packages/${id}`;
    const { status, body } = await call<WirePackage>(this.url, 'GET', at, {
      token: this.admin.token,
    });
    if (status === 404) return null;
    const { deliveryStatus, paymentStatus, paymentMethod, priceOffer, deliveryPersonId } = body;
    const courier = deliveryPersonId?._id ?? null;
    return { deliveryStatus, paymentStatus, paymentMethod, priceOffer, courier };
  }

  async look({ packageId, leaver }: Concerned): Promise<View> {
    const { token } = this.admin;
    const users = leaver ? await this.get<WireUser[]>('GET', '/api/users', { token }) : [];
    const gone = users.find(({ _id }) => _id === leaver?.id);
    return {
      sender: await this.purse(this.sender),
      courier: await this.purse(this.courier),
      package: packageId === undefined ? null : await this.packageSeen(packageId),
      leaver: gone ? { active: gone.active, balance: gone.balance } : null,
    };
  }
}
