/** Top-ups from the first click to the balance, over HTTP with the sandbox provider. */
import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InitiatedPayment, Payments, VerifiedPayment } from '#contract/payment.ts';
import { sandboxTransactions, topUps } from '#server/database/money-schema.ts';
import { audit } from '#server/modules/ledger/audit.ts';
import { type AnyBody, fileStage, type Person } from './stage.ts';

const stage = fileStage({ RELEASE_AFTER_HOURS: '0' });
let person: Person;
beforeEach(async () => {
  person = await stage().person('Customer');
});

beforeAll(async () => {
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
});

afterAll(async () => {
  expect(await audit(stage().db)).toEqual([]);
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
    const { url, reference } = await begun(person);
    expect(reference).toMatch(/^kaya_[0-9a-f]{32}$/);
    // Injected requests have the host 'localhost:80'.
    expect(new URL(url).origin).toBe('http://localhost');
    expect(new URL(url).pathname).toMatch(/^\/sandbox\/checkout\/[0-9a-f]{32}$/);
    const rows = await stage().db.select().from(topUps).where(eq(topUps.reference, reference));
    expect(rows[0]).toMatchObject({
      userId: person.id,
      provider: 'sandbox',
      requestedKobo: 500_000,
      status: 'pending',
      authorizationUrl: url,
    });
  });

  it('repeated with its key begins no second one and returns the same page', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const first = await initiate(person, {}, key);
    const again = await initiate(person, {}, key);
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const rows = await stage()
      .db.select()
      .from(sandboxTransactions)
      .where(eq(sandboxTransactions.email, person.email));
    expect(rows).toHaveLength(1);
  });
});

describe('paying', () => {
  it('redirects to the app, credits once, and keeps its result', async () => {
    const { url, reference } = await begun(person);
    expect((await verify(person, reference)).body).toEqual({
      depositedAmount: 0,
      status: 'pending',
      reference,
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
    const { url } = await begun(person);
    await press(url, 'pay');
    expect((await historyOf(person)).available).toBe(5000);
  });

  it('credits nothing when declined or abandoned, and credits a later payment', async () => {
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
        depositedAmount: 300,
        status: 'credited',
      });
    }
    expect((await historyOf(person)).available).toBe(600);
  });
});

it('the checkout page is a plain form marked as play money, with escaped values', async () => {
  const { url, reference } = await begun(person, 1234.5);
  await stage()
    .db.update(sandboxTransactions)
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

it('the settings of the app name the provider', async () => {
  const { body } = await stage().send<{ payments: object }>(null, 'GET', '/config.json');
  expect(body.payments).toEqual({ provider: 'sandbox' });
});

describe('the history', () => {
  it('is paginated without lost or repeated lines', async () => {
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
    const [sender, courier] = await stage().people('Customer', 'Employee');
    const { url } = await begun(sender, 2000);
    await press(url, 'pay');
    const pkg = await stage().created(sender, { paymentMethod: 'app', priceOffer: 1500 });
    expect(pkg.paymentStatus).toBe('paid');
    await stage().accept(courier, pkg);
    await stage().deliver(courier, pkg);
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

const read = (path: string) => stage().send(null, 'GET', path);

/** A top-up by the path of its payment page. */
async function checkout(who: Person) {
  const { url, reference } = await begun(who, 700);
  return { path: new URL(url).pathname, reference };
}

const pressForm = (path: string, form: string, type = 'application/x-www-form-urlencoded') =>
  stage().send(null, 'POST', path, { body: form, headers: { 'content-type': type } });

async function verified(who: Person, reference: string): Promise<VerifiedPayment> {
  return (await verify(await stage().again(who), reference)).body;
}

const dayMs = 86_400_000;
const nothing = { depositedAmount: 0 };

describe('a payment page', () => {
  it('expires after a day: it says so, accepts no payment and counts as abandoned', async () => {
    const topUp = await checkout(person);
    stage().pass(dayMs - 1);
    expect((await read(topUp.path)).text).toContain('Pay ₦700');
    const pending = { ...nothing, status: 'pending' };
    expect(await verified(person, topUp.reference)).toMatchObject(pending);
    stage().pass(1);
    const late = await read(topUp.path);
    expect(late.status).toBe(410);
    expect(late.text).toContain('This page has expired');
    expect(late.text).not.toContain('<form');
    expect((await pressForm(topUp.path, 'decision=pay')).status).toBe(410);
    const abandoned = { ...nothing, status: 'abandoned' };
    expect(await verified(person, topUp.reference)).toMatchObject(abandoned);
  });

  it('keeps its declined or paid state after it expires', async () => {
    const declined = await checkout(person);
    const paid = await checkout(person);
    await pressForm(declined.path, 'decision=decline');
    await pressForm(paid.path, 'decision=pay');
    stage().pass(2 * dayMs);
    expect((await read(declined.path)).status).toBe(410);
    expect(await verified(person, declined.reference)).toMatchObject({ status: 'failed' });
    const page = await read(paid.path);
    expect([page.status, page.text.includes('Paid already')]).toEqual([200, true]);
    const credited = { status: 'credited', depositedAmount: 700 };
    expect(await verified(person, paid.reference)).toMatchObject(credited);
  });

  it.each(['decline', 'abandon'])('stays paid when %s is pressed', async (decision) => {
    const { path, reference } = await checkout(person);
    await pressForm(path, 'decision=pay');
    const answer = await pressForm(path, `decision=${decision}`);
    expect([answer.status, answer.headers.location]).toEqual([303, path]);
    const kept = eq(sandboxTransactions.reference, reference);
    const rows = await stage().db.select().from(sandboxTransactions).where(kept);
    expect(rows).toMatchObject([{ status: 'success' }]);
  });

  const form = 'application/x-www-form-urlencoded';
  it.each([
    [400, '', form],
    [400, 'decision=', form],
    [400, 'decision=steal', form],
    [400, 'decision=constructor', form],
    [400, 'other=pay', form],
    [400, '%zz=%', form],
    [415, '{"decision":"pay"}', 'application/json'],
    [415, 'decision=pay', 'text/plain'],
  ])('answers %i to %j as %s', async (status, body, type) => {
    const { path, reference } = await checkout(person);
    const answer = await pressForm(path, body, type);
    expect([answer.status, answer.text.includes('Pay ₦700')]).toEqual([status, status === 400]);
    expect(await verified(person, reference)).toMatchObject({ ...nothing, status: 'pending' });
  });

  it.each([
    '%00',
    'x',
    "'",
    'a'.repeat(90),
    '0123456789ABCDEF0123456789ABCDEF',
    '..%2f..%2fapi',
  ])('answers 404 for the code %j', async (code) => {
    const path = `/sandbox/checkout/${code}`;
    for (const answer of [await read(path), await pressForm(path, 'decision=pay')]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('No such payment');
      expect(answer.text).toContain('lang="en"');
    }
  });

  it('allows its inline styles by hash, and no other style or script', async () => {
    const { path } = await checkout(await stage().person('Customer'));
    const { text, headers } = await read(path);
    const style = /<style>([\s\S]*?)<\/style>/.exec(text)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    expect(String(headers['content-security-policy']).split(';')).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${digest}'`,
      "img-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ]);
    expect(text).not.toMatch(/\sstyle=/);
  });
});
