/** A forgotten password, a confirmed e-mail, and what the owner is told. */
import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { accountTokens, mails } from '#server/database/account-schema.ts';
import { mostConfirmationsAnHour } from '#server/modules/mail/repository.ts';
import { limitsPer } from '#server/plugins/rate-limits.ts';
import { FakeSmtp } from '#tests/fakes/smtp-server.ts';
import { mailStage } from './mail-stage.ts';
import {
  codeOf,
  fileStage,
  goodPassword,
  outcomeOf,
  type Person,
  refresh,
  type Stage,
} from './stage.ts';

const smtp = new FakeSmtp();
await smtp.open();
const stage = fileStage();
const { round, mailsFor, linkFor, rows } = mailStage(stage, smtp);
const minuteMs = 60_000;
const newPassword = 'another-good-password';

const forgot = (email: string, on: Stage = stage(), remoteAddress = '10.0.0.1') =>
  on.send(null, 'POST', '/api/auth/forgot-password', { body: { email }, remoteAddress });
const reset = (token: string, password = newPassword) =>
  stage().send(null, 'POST', '/api/auth/reset-password', { body: { token, password } });
const confirm = (token: string) =>
  stage().send(null, 'POST', '/api/auth/confirm-email', { body: { token } });
const isConfirmed = async (person: Person) => {
  const { body } = await stage().send<{ _id: string; emailConfirmed?: boolean }[]>(
    await stage().again(person),
    'GET',
    '/api/users',
  );
  return body.find(({ _id }) => _id === person.id)?.emailConfirmed;
};

async function resetLink({ email }: Person): Promise<string> {
  await forgot(email);
  return linkFor(email, 'reset-password');
}
async function confirmLink(person: Person): Promise<string> {
  await stage().send(await stage().again(person), 'POST', '/api/auth/send-confirmation');
  return linkFor(person.email, 'confirm-email');
}

describe('a forgotten password', () => {
  it('is set anew by the mailed link: the sessions end, the e-mail is confirmed, the owner is told', async () => {
    const person = await stage().person('Customer');
    expect(await isConfirmed(person)).toBe(false);
    const token = await resetLink(person);
    expect(await reset(token)).toMatchObject({ status: 200, body: {} });
    expect(await codeOf(refresh(stage(), person.cookie))).toBe('session_expired');
    expect(await codeOf(stage().send(person, 'GET', '/api/packages'))).toBe('session_expired');
    await expect(stage().signIn(person.email, goodPassword)).rejects.toThrow('wrong_password');
    await stage().signIn(person.email, newPassword);
    expect(await isConfirmed(person)).toBe(true);
    const [notice] = await mailsFor(person.email);
    expect(notice?.head).toContain('Subject: Your Kaya password was changed');
    expect(notice?.text).toContain('https://kaya.example/forgot-password');
  });

  it.each([
    ['registered', async () => (await stage().person('Customer')).email],
    ['unknown', async () => 'nobody@kaya.test'],
  ])('has the same answer for any e-mail: %s', async (_, emailOf) => {
    const answer = await forgot(await emailOf());
    expect([answer.status, answer.body]).toEqual([202, {}]);
  });

  it('leaves nothing of an e-mail without an account', async () => {
    await forgot('nobody@kaya.test');
    expect(await rows('nobody@kaya.test')).toHaveLength(1);
    expect(await mailsFor('nobody@kaya.test')).toEqual([]);
    expect(await rows('nobody@kaya.test')).toEqual([]);
  });

  it('stores no token that works', async () => {
    const person = await stage().person('Customer');
    const token = await resetLink(person);
    const stored = JSON.stringify([
      await stage().db.select().from(accountTokens),
      await stage().db.select().from(mails),
    ]);
    expect(stored).not.toContain(token);
    expect(stage().logs.join('')).not.toContain(token);
  });

  const dead: [string, (person: Person, token: string) => Promise<unknown>][] = [
    ['used', (_, token) => reset(token)],
    ['half an hour old', async () => stage().pass(30 * minuteMs)],
    [
      'followed by another',
      async (person) => {
        stage().pass(1000);
        return resetLink(person);
      },
    ],
    [
      'for a former e-mail',
      (person) => stage().edit(person, { id: person.id, email: `new-${person.email}` }),
    ],
    [
      'from before a change of the password',
      (person) => stage().edit(person, { id: person.id, password: 'a-third-password' }),
    ],
    [
      'of a deactivated account',
      async (person) => stage().edit(await stage().admin(), { id: person.id, active: false }),
    ],
  ];
  it.each(dead)('refuses a link that is %s', async (_, end) => {
    const person = await stage().person('Customer');
    const token = await resetLink(person);
    await end(person, token);
    expect(outcomeOf(await reset(token, 'yet-another-password'))).toEqual([410, 'link_used']);
    await expect(stage().signIn(person.email, 'yet-another-password')).rejects.toThrow();
  });

  it('works a moment before its half hour is over', async () => {
    const token = await resetLink(await stage().person('Customer'));
    stage().pass(30 * minuteMs - 1);
    expect((await reset(token)).status).toBe(200);
  });

  it('refuses an unknown token, and one of the other kind', async () => {
    const unknown = randomBytes(32).toString('base64url');
    expect(outcomeOf(await reset(unknown))).toEqual([410, 'link_used']);
    const person = await stage().person('Customer');
    expect(outcomeOf(await reset(await confirmLink(person)))).toEqual([410, 'link_used']);
    expect(outcomeOf(await confirm(await resetLink(person)))).toEqual([410, 'link_used']);
  });

  it('is set once by two calls at a time', async () => {
    const token = await resetLink(await stage().person('Customer'));
    const both = await Promise.all([reset(token), reset(token)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 410]);
  });

  it('keeps its link after a password that is too short', async () => {
    const token = await resetLink(await stage().person('Customer'));
    expect(outcomeOf(await reset(token, 'short'))).toEqual([422, 'invalid_fields']);
    expect((await reset(token)).status).toBe(200);
  });

  it('is asked for twice before the mail goes: one mail', async () => {
    const { email } = await stage().person('Customer');
    await forgot(email);
    stage().pass(1000);
    await forgot(email.toUpperCase());
    expect(await mailsFor(email)).toHaveLength(1);
  });
});

describe('limits', () => {
  it('of mails to one e-mail hold without saying so, registered or not', async () => {
    const limited = await stage().another({ environment: { RATE_LIMIT: 'on' } });
    const { email } = await stage().person('Customer');
    const { max } = limitsPer.forgotPassword.account;
    for (const to of [email, 'nobody@kaya.test']) {
      for (let nth = 0; nth <= max; nth += 1) {
        expect((await forgot(to, limited)).status).toBe(202);
      }
      expect(await rows(to)).toHaveLength(max);
    }
  });

  it('of one address refuse', async () => {
    const limited = await stage().another({ environment: { RATE_LIMIT: 'on' } });
    const { max } = limitsPer.forgotPassword.address;
    for (let nth = 0; nth < max; nth += 1) {
      expect((await forgot(`${nth}@kaya.test`, limited, '10.0.0.2')).status).toBe(202);
    }
    const refused = await forgot('more@kaya.test', limited, '10.0.0.2');
    expect(outcomeOf(refused)).toEqual([429, 'rate_limited']);
  });

  it('of confirmations refuse, and a changing e-mail does not get around them', async () => {
    const limited = await stage().another({ environment: { RATE_LIMIT: 'on' } });
    const person = await stage().person('Customer');
    const { max } = limitsPer.sendConfirmation.account;
    for (let nth = 0; nth < max; nth += 1) {
      const { status } = await limited.send(person, 'POST', '/api/auth/send-confirmation');
      expect(status).toBe(202);
    }
    const refused = await limited.send(person, 'POST', '/api/auth/send-confirmation');
    expect(outcomeOf(refused)).toEqual([429, 'rate_limited']);

    const other = await stage().person('Customer');
    for (let nth = 0; nth < mostConfirmationsAnHour + 2; nth += 1) {
      await stage().edit(other, { id: other.id, email: `${nth}-${other.email}` });
    }
    const ofOther = await stage().db.select().from(mails).where(eq(mails.userId, other.id));
    const confirmations = ofOther.filter(({ kind }) => kind === 'confirm');
    expect(confirmations).toHaveLength(mostConfirmationsAnHour);
  });
});

describe('an e-mail', () => {
  it('is asked to be confirmed at sign-up, and is by the link', async () => {
    const body = { email: 'signed-up@kaya.test', password: goodPassword, role: 'Customer' };
    const signedUp = await stage().send(null, 'POST', '/api/auth/signup', { body });
    expect(signedUp.body.user.emailConfirmed).toBe(false);
    const token = await linkFor(body.email, 'confirm-email');
    const { version, _id: id } = signedUp.body.user;
    expect(await confirm(token)).toMatchObject({ status: 200, body: {} });
    const person = await stage().again({ id, email: body.email });
    expect(await isConfirmed(person)).toBe(true);
    // Phones that have the row read it again.
    const { body: users } = await stage().send<{ version: number }[]>(person, 'GET', '/api/users');
    expect(users[0]?.version).toBe(version + 1);
    expect(outcomeOf(await confirm(token))).toEqual([410, 'link_used']);
  });

  it('that is confirmed gets no further mail', async () => {
    const person = await stage().person('Customer');
    await confirm(await confirmLink(person));
    smtp.taken.length = 0;
    const { status } = await stage().send(person, 'POST', '/api/auth/send-confirmation');
    expect([status, await mailsFor(person.email)]).toEqual([202, []]);
  });

  it('is confirmed by an earlier link too, within seven days', async () => {
    const person = await stage().person('Customer');
    const first = await confirmLink(person);
    stage().pass(minuteMs);
    await confirmLink(person);
    stage().pass(7 * 24 * 60 * minuteMs - 2 * minuteMs);
    expect((await confirm(first)).status).toBe(200);
    const late = await confirmLink(await stage().person('Customer'));
    stage().pass(7 * 24 * 60 * minuteMs);
    expect(outcomeOf(await confirm(late))).toEqual([410, 'link_used']);
  });

  it('that changes has to be confirmed again, and the former one is told', async () => {
    const person = await stage().person('Customer');
    const link = await confirmLink(person);
    await confirm(link);
    const email = `new-${person.email}`;
    const old = await confirmLink(await stage().person('Customer'));
    const changed = await stage().edit(person, { id: person.id, email });
    expect(changed.body).toMatchObject({ emailConfirmed: false });
    const [told] = await mailsFor(person.email);
    expect(told?.text).toContain(`You log in with ${email} from now on`);
    expect((await confirm(await linkFor(email, 'confirm-email'))).status).toBe(200);
    expect(await isConfirmed({ ...person, email })).toBe(true);
    expect((await confirm(old)).status).toBe(200);
  });

  it('is nobody else’s business but admins’', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee');
    const pkg = await stage().created(sender);
    await stage().accept(courier, pkg);
    type Users = { _id: string; emailConfirmed?: boolean }[];
    const seenBy = async (who: Person) =>
      (await stage().send<Users>(who, 'GET', '/api/users')).body.find(
        ({ _id }) => _id === courier.id,
      );
    expect(await seenBy(sender)).not.toHaveProperty('emailConfirmed');
    expect(await seenBy(await stage().admin())).toMatchObject({ emailConfirmed: false });
  });
});

it('a changed password is told to its owner', async () => {
  const person = await stage().person('Customer');
  await stage().edit(person, { id: person.id, password: newPassword });
  const [told] = await mailsFor(person.email);
  expect(told?.head).toContain('Subject: Your Kaya password was changed');
  await stage().edit(await stage().again(person), { id: person.id, firstName: 'Zainab' });
  await round();
  expect(await mailsFor(person.email)).toHaveLength(1);
});
