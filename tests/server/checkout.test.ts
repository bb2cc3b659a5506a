/** The sandbox's payment page beyond payments.test.ts: expired, malformed and unknown payments. */
import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, it } from 'vitest';
import type { InitiatedPayment, VerifiedPayment } from '#contract/payment.ts';
import { sandboxTransactions } from '#server/database/money-schema.ts';
import { fileStage, type Person } from './stage.ts';

const stage = fileStage();

beforeAll(async () => {
  await stage().app.listen({ port: 0, host: '127.0.0.1' });
});

const hourMs = 60 * 60 * 1000;

interface TopUp {
  path: string;
  reference: string;
}

async function begun(who: Person): Promise<TopUp> {
  const answer = await stage().send<InitiatedPayment>(who, 'POST', '/api/payments/initiate', {
    body: { email: who.email, amount: 700 },
  });
  const { authorization_url: url, reference } = answer.body.data;
  return { path: new URL(url).pathname, reference };
}

const read = (path: string) => stage().send(null, 'GET', path);

const press = (path: string, form: string, type = 'application/x-www-form-urlencoded') =>
  stage().send(null, 'POST', path, { body: form, headers: { 'content-type': type } });

async function verified(who: Person, reference: string): Promise<VerifiedPayment> {
  const { email } = who;
  const again = await stage().signIn(email);
  const path = `/api/payments/verify/${reference}`;
  return (await stage().send<VerifiedPayment>(again, 'GET', path)).body;
}

const nothing = { depositedAmount: 0 };

/** The payment as stored by the provider. */
async function keptOf(reference: string) {
  const rows = await stage()
    .database.db.select()
    .from(sandboxTransactions)
    .where(eq(sandboxTransactions.reference, reference));
  return rows[0];
}

describe('a payment page', () => {
  it('expires after a day: it says so, accepts no payment and counts as abandoned', async () => {
    const person = await stage().person('Customer');
    const topUp = await begun(person);
    stage().pass(24 * hourMs - 1);
    expect((await read(topUp.path)).text).toContain('Pay ₦700');
    expect(await verified(person, topUp.reference)).toMatchObject({
      ...nothing,
      status: 'pending',
    });
    stage().pass(1);
    const late = await read(topUp.path);
    expect(late.status).toBe(410);
    expect(late.text).toContain('This page has expired');
    expect(late.text).not.toContain('<form');
    expect((await press(topUp.path, 'decision=pay')).status).toBe(410);
    expect(await verified(person, topUp.reference)).toMatchObject({
      ...nothing,
      status: 'abandoned',
    });
  });

  it('keeps its declined or paid state after it expires', async () => {
    const person = await stage().person('Customer');
    const declined = await begun(person);
    const paid = await begun(person);
    await press(declined.path, 'decision=decline');
    await press(paid.path, 'decision=pay');
    stage().pass(48 * hourMs);
    expect((await read(declined.path)).status).toBe(410);
    expect(await verified(person, declined.reference)).toMatchObject({ status: 'failed' });
    const page = await read(paid.path);
    expect([page.status, page.text.includes('Paid already')]).toEqual([200, true]);
    const credited = { status: 'credited', depositedAmount: 700 };
    expect(await verified(person, paid.reference)).toMatchObject(credited);
  });

  it.each(['decline', 'abandon'])('stays paid when %s is pressed', async (decision) => {
    const { path, reference } = await begun(await stage().person('Customer'));
    await press(path, 'decision=pay');
    const paid = await keptOf(reference);
    expect(paid?.status).toBe('success');
    const answer = await press(path, `decision=${decision}`);
    expect([answer.status, answer.headers.location]).toEqual([303, path]);
    expect(await keptOf(reference)).toEqual(paid);
  });

  it.each([
    '',
    'decision=',
    'decision=steal',
    'decision=constructor',
    'other=pay',
    '%zz=%',
  ])('ignores the form %j', async (form) => {
    const person = await stage().person('Customer');
    const { path, reference } = await begun(person);
    const answer = await press(path, form);
    expect([answer.status, answer.text.includes('Pay ₦700')]).toEqual([400, true]);
    expect(await verified(person, reference)).toMatchObject({ ...nothing, status: 'pending' });
  });

  it('accepts only a form', async () => {
    const person = await stage().person('Customer');
    const { path, reference } = await begun(person);
    expect((await press(path, '{"decision":"pay"}', 'application/json')).status).toBe(415);
    expect((await press(path, 'decision=pay', 'text/plain')).status).toBe(415);
    expect(await verified(person, reference)).toMatchObject(nothing);
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
    for (const answer of [await read(path), await press(path, 'decision=pay')]) {
      expect(answer.status).toBe(404);
      expect(answer.text).toContain('No such payment');
      expect(answer.text).toContain('lang="en"');
    }
  });

  it('allows its inline styles by hash, and no other style or script', async () => {
    const { path } = await begun(await stage().person('Customer'));
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
