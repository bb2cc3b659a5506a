/** Top-ups from the first click to the balance, over HTTP with the sandbox provider. */
import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InitiatedPayment, Payments, VerifiedPayment } from '#contract/payment.ts';
import { sandboxTransactions, topUps } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { type AnyBody, createdPackage, fileStage, type Person } from './stage.ts';

const stage = fileStage();

beforeAll(async () => {
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
});

const ownUrl = () => {
  const { port } = stage().app.server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
};

function initiate(who: Person, body: object = {}, headers: Record<string, string> = {}) {
  return stage().send<InitiatedPayment & AnyBody>(who, 'POST', '/api/payments/initiate', {
    body: { email: who.email, amount: 5000, ...body },
    headers,
  });
}

function verify(who: Person | null, reference: string) {
  const path = `/api/payments/verify/${reference}`;
  return stage().send<VerifiedPayment & AnyBody>(who, 'GET', path);
}

async function historyOf(who: Person, query = ''): Promise<Payments> {
  return (await stage().send<Payments>(who, 'GET', `/api/payments${query}`)).body;
}

/** Submits a button of the checkout page. */
async function press(authorizationUrl: string, decision: string) {
  const response = await fetch(`${ownUrl()}${new URL(authorizationUrl).pathname}`, {
    method: 'POST',
    body: new URLSearchParams({ decision }),
    redirect: 'manual',
  });
  return { status: response.status, location: response.headers.get('location') };
}

async function begun(who: Person, amount = 5000) {
  const answer = await initiate(who, { amount });
  if (answer.status !== 200) throw new Error(answer.text);
  const { authorization_url: url, reference } = answer.body.data;
  return { url, reference };
}

describe('beginning a top-up', () => {
  it("returns the provider's page beside the app and our reference", async () => {
    const person = await stage().person('Customer');
    const { url, reference } = await begun(person);
    expect(reference).toMatch(/^kaya_[0-9a-f]{32}$/);
    // Injected requests have the host 'localhost:80'.
    expect(new URL(url).origin).toBe('http://localhost');
    expect(new URL(url).pathname).toMatch(/^\/sandbox\/checkout\/[0-9a-f]{32}$/);
    const rows = await stage()
      .database.db.select()
      .from(topUps)
      .where(eq(topUps.reference, reference));
    expect(rows[0]).toMatchObject({
      ...{ userId: person.id, provider: 'sandbox', requestedKobo: 500_000 },
      ...{ status: 'pending', authorizationUrl: url },
    });
  });

  it('repeated with its key begins no second one and returns the same page', async () => {
    const person = await stage().person('Customer');
    const key = { 'idempotency-key': randomUUID() };
    const first = await initiate(person, {}, key);
    const again = await initiate(person, {}, key);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const rows = await stage()
      .database.db.select()
      .from(sandboxTransactions)
      .where(eq(sandboxTransactions.email, person.email));
    expect(rows).toHaveLength(1);
  });
});

describe('paying', () => {
  it('redirects to the app, credits once, and keeps its result', async () => {
    const person = await stage().person('Customer');
    const { url, reference } = await begun(person);
    expect((await verify(person, reference)).body).toEqual({
      ...{ depositedAmount: 0, status: 'pending', reference },
    });
    expect(await press(url, 'pay')).toEqual({
      status: 303,
      location: `http://localhost/deposit?reference=${reference}&trxref=${reference}`,
    });
    const answers = await Promise.all([1, 2, 3].map(() => verify(person, reference)));
    for (const { body } of answers) {
      expect(body).toEqual({ depositedAmount: 5000, status: 'credited', reference });
    }
    const history = await historyOf(person);
    expect(history).toMatchObject({ available: 5000, held: 0, earned: 0, next: null });
    expect(history.entries).toMatchObject([
      { kind: 'top_up', amount: 5000, heldAmount: 0, balance: 5000, note: reference },
    ]);
  });

  it('is credited by the webhook alone', async () => {
    const person = await stage().person('Customer');
    const { url } = await begun(person);
    await press(url, 'pay');
    expect((await historyOf(person)).available).toBe(5000);
  });

  it('credits nothing when declined or abandoned, and credits a later payment', async () => {
    const person = await stage().person('Customer');
    for (const [decision, status] of [
      ['decline', 'failed'],
      ['abandon', 'abandoned'],
    ] as const) {
      const { url, reference } = await begun(person, 300);
      const back = await press(url, decision);
      expect(back.location).toContain(`reference=${reference}`);
      expect((await verify(person, reference)).body).toMatchObject({ depositedAmount: 0, status });
      await press(url, 'pay');
      expect((await verify(person, reference)).body).toMatchObject({
        ...{ depositedAmount: 300, status: 'credited' },
      });
    }
    expect((await historyOf(person)).available).toBe(600);
  });
});

describe('the checkout page', () => {
  it('is a plain form marked as play money, with escaped values', async () => {
    const person = await stage().person('Customer');
    const { url, reference } = await begun(person, 1234.5);
    await stage()
      .database.db.update(sandboxTransactions)
      .set({ email: '<b>"&\'@kaya.test' })
      .where(eq(sandboxTransactions.reference, reference));
    const page = await stage().send(null, 'GET', new URL(url).pathname);
    expect(page.status).toBe(200);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.text).toContain('Play money');
    expect(page.text).toContain('Pay ₦1,234.50');
    expect(page.text).toContain('&lt;b&gt;&quot;&amp;&#39;@kaya.test');
    expect(page.text).not.toContain('<b>');
    expect(page.text).not.toContain('<script');
  });
});

describe('the history', () => {
  it('is paginated without lost or repeated lines', async () => {
    const person = await stage().person('Customer');
    for (let count = 0; count < 5; count += 1) {
      const { url } = await begun(person, 100 + count);
      await press(url, 'pay');
    }
    const seen: number[] = [];
    let query = '?limit=2';
    for (;;) {
      const page = await historyOf(person, query);
      seen.push(...page.entries.map(({ amount }) => amount));
      if (page.next === null) break;
      query = `?limit=2&before=${page.next}`;
    }
    expect(seen).toEqual([104, 103, 102, 101, 100]);
  });

  it('of a package shows both sides with the balance after each line', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const { url } = await begun(sender, 2000);
    await press(url, 'pay');
    const pkg = await createdPackage(stage(), sender, { paymentMethod: 'app', priceOffer: 1500 });
    expect(pkg.paymentStatus).toBe('paid');
    const path = `/api/packages/${pkg._id}`;
    await stage().send(courier, 'PATCH', path, { body: { deliveryPersonId: courier.id } });
    await stage().send(courier, 'PATCH', path, { body: { deliveryStatus: 'Delivered' } });
    const sent = await historyOf(sender);
    const about = { _id: pkg._id, packageId: pkg.packageId };
    expect(sent.entries).toMatchObject([
      { kind: 'release', amount: 0, heldAmount: -1500, balance: 500, heldBalance: 0 },
      { kind: 'hold', amount: -1500, heldAmount: 1500, balance: 500, heldBalance: 1500 },
      { kind: 'top_up', amount: 2000, heldAmount: 0, balance: 2000, heldBalance: 0 },
    ]);
    expect(sent.entries.map((entry) => entry.package)).toEqual([about, about, null]);
    const earned = await historyOf(courier);
    expect(earned).toMatchObject({ available: 1500, earned: 1500 });
    expect(earned.entries).toMatchObject([{ kind: 'release', amount: 1500, balance: 1500 }]);
  });
});

describe('the settings of the app', () => {
  it('names the provider', async () => {
    const { body } = await stage().send<{ payments: object }>(null, 'GET', '/config.json');
    expect(body.payments).toEqual({ provider: 'sandbox' });
  });
});

describe('the ledger', () => {
  it('passes the audit after all of this', async () => {
    expect(await audit(stage().database.db)).toEqual([]);
  });
});
