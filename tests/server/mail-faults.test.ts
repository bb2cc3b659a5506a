/**
 * The mail server down, slow or refusing: each mail goes once if that is known, again if it is not, and
 * ends after a final refusal or a day.
 */
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { accountTokens, mails } from '#server/database/account-schema.ts';
import { enqueueMail } from '#server/modules/mail/repository.ts';
import { createSmtp } from '#server/modules/mail/smtp.ts';
import { FakeSmtp, type MailMood } from '#tests/fakes/smtp-server.ts';
import { barrier } from './barrier.ts';
import { mailStage, sender } from './mail-stage.ts';
import { tidy } from './package-calls.ts';
import { fileStage, type Person } from './stage.ts';

const smtp = new FakeSmtp();
await smtp.open();
const stage = fileStage();
const { round, rows, sendTo, warnings, mailsFor } = mailStage(stage, smtp);
const hourMs = 3_600_000;

/** With a mail that waits. */
async function written(): Promise<Person> {
  const person = await stage().person('Customer');
  const { email: to } = person;
  await enqueueMail(stage().db, { kind: 'reset', userId: null, to, now: stage().now() });
  return person;
}
const statusOf = async ({ email }: Person) => (await rows(email))[0]?.status;

describe('a mail', () => {
  it('is text and HTML from the sender, with one link, and its row keeps neither', async () => {
    const { id: userId, email: to } = await stage().person('Customer');
    const title = 'Your bank account was changed';
    const sentences = ['GTBank ••••1234 from now on.', '<b>Not you?</b> Ask for help.'];
    const notice = { kind: 'account_notice', userId, to, now: stage().now() } as const;
    await enqueueMail(stage().db, { ...notice, title, sentences });
    const [mail, ...more] = await mailsFor(to);
    expect([mail?.from, more]).toEqual([sender.address, []]);
    expect(mail?.head).toMatch(/^From: Kaya <post@kaya\.example>\r$/m);
    expect(mail?.head).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    const [row] = await rows(to);
    expect(mail?.head).toContain(`Message-ID: <${row?.id}@kaya.example>`);
    expect(mail?.text).toContain('GTBank ••••1234 from now on.');
    expect(mail?.text).toContain('https://kaya.example');
    expect(mail?.text).toContain('Questions? help@kaya.example');
    expect(mail?.html).toContain('&lt;b&gt;Not you?&lt;/b&gt;');
    expect(mail?.html.match(/<a /g)).toHaveLength(1);
    expect(row).toMatchObject({ status: 'sent', notice: null });
  });

  it.each([
    ["o'hara+kaya@kaya.test", 'sent', ["o'hara+kaya@kaya.test"]],
    ['amina,victim@kaya.test', 'failed', []],
    ['amina;victim@kaya.test', 'failed', []],
    ['amina:victim@kaya.test', 'failed', []],
    ['<amina>@kaya.test', 'failed', []],
  ])('goes to one address or to none: %s', async (to, status, reached) => {
    const { id: userId } = await stage().person('Customer');
    await enqueueMail(stage().db, { kind: 'password_changed', userId, to, now: stage().now() });
    await round();
    expect(smtp.taken.flatMap((mail) => mail.to)).toEqual(reached);
    expect((await rows(to))[0]?.status).toBe(status);
  });

  it('is written with its change, or not at all', async () => {
    const { id: userId, email: to } = await stage().person('Customer');
    const change = stage().db.transaction(async (tx) => {
      await enqueueMail(tx, { kind: 'password_changed', userId, to, now: stage().now() });
      throw new Error('The change failed.');
    });
    await expect(change).rejects.toThrow('The change failed.');
    expect(await rows(to)).toEqual([]);
  });

  it('is sent by one of two processes', async () => {
    const person = await written();
    await Promise.all([round(), round()]);
    expect(await mailsFor(person.email)).toHaveLength(1);
  });

  it.each<MailMood>([
    'greylisting',
    'busy',
    'locked',
    'no such sender',
  ])('that the server does not take for now goes later, once: %s', async (mood) => {
    const person = await written();
    smtp.mood = mood;
    await round();
    expect([await statusOf(person), smtp.taken]).toEqual(['waiting', []]);
    const { calls } = smtp;
    await round();
    expect(smtp.calls).toBe(calls);
    smtp.mood = 'honest';
    stage().pass(30_000);
    expect(await mailsFor(person.email)).toHaveLength(1);
    await round();
    expect([await statusOf(person), smtp.taken.length]).toEqual(['sent', 1]);
  });

  it('goes later where no server answers', async () => {
    const person = await written();
    await round({ send: sendTo('smtp://127.0.0.1:1') });
    expect(await statusOf(person)).toBe('waiting');
    stage().pass(30_000);
    expect(await mailsFor(person.email)).toHaveLength(1);
  });

  it.each<MailMood>([
    'silent',
    'dropping',
  ])('goes again where nobody knows whether it went, and both links work: %s', async (mood) => {
    const person = await written();
    smtp.mood = mood;
    await round({ send: sendTo(smtp.url, 300) });
    expect(await statusOf(person)).toBe('waiting');
    smtp.mood = 'honest';
    stage().pass(30_000);
    const arrived = await mailsFor(person.email);
    const ids = arrived.map(({ head }) => /Message-ID: (\S+)/.exec(head)?.[1]);
    expect(new Set(ids).size).toBe(1);
    const ofPerson = eq(accountTokens.userId, person.id);
    expect(await stage().db.$count(accountTokens, ofPerson)).toBe(2);
  });

  it.each<MailMood>(['no such mailbox', 'spam'])('ends when it is refused: %s', async (mood) => {
    const person = await written();
    smtp.mood = mood;
    await round();
    expect(await statusOf(person)).toBe('failed');
    smtp.mood = 'honest';
    stage().pass(hourMs);
    expect(await mailsFor(person.email)).toEqual([]);
  });

  it('is tried less and less often, and given up after a day', async () => {
    const person = await written();
    smtp.mood = 'greylisting';
    const waits: number[] = [];
    for (let status = 'waiting'; status === 'waiting'; ) {
      await round();
      const [row] = await rows(person.email);
      if (!row) throw new Error('The mail is gone.');
      const waitMs = row.dueAt.getTime() - stage().now().getTime();
      if (row.status === 'waiting') waits.push(waitMs / 60_000);
      stage().pass(Math.max(0, waitMs));
      ({ status } = row);
    }
    expect(waits.slice(0, 7)).toEqual([0.5, 1.5, 4.5, 13.5, 40.5, 60, 60]);
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThanOrEqual(24 * 60);
    expect(await statusOf(person)).toBe('failed');
  });

  it('goes again after its process ended while it sent', async () => {
    const person = await written();
    const { passed, open } = barrier();
    const dying = round({
      send: async () => {
        await passed;
        return { kind: 'sent' };
      },
    });
    await expect.poll(() => statusOf(person)).toBe('sending');
    stage().pass(4 * 60_000);
    expect(await mailsFor(person.email)).toEqual([]);
    stage().pass(2 * 60_000);
    expect(await mailsFor(person.email)).toHaveLength(1);
    // What the first process says now is about a try that is over.
    open();
    await dying;
    const [row] = await rows(person.email);
    expect(row).toMatchObject({ status: 'sent', tries: 2 });
  });

  it('leaves no address and no token in the log', async () => {
    const person = await written();
    smtp.mood = 'no such mailbox';
    await round();
    const said = warnings.join('');
    expect(said).toContain('"status":550');
    expect(said).not.toContain(person.email);
    expect(said).not.toMatch(/token=/);
  });
});

describe('over a network', () => {
  const mail = { id: '1', to: 'amina@kaya.test', subject: 'A', text: 'A', html: 'A' };

  it('sends nothing without TLS, where that is required', async () => {
    const send = createSmtp({ url: smtp.url, from: sender, requiresTls: true });
    expect(await send(mail)).toMatchObject({ kind: 'later' });
    expect(smtp.taken).toEqual([]);
  });

  it('gives its password to no server whose certificate is not trusted', async () => {
    const tls = new FakeSmtp();
    await tls.open({ hasTls: true });
    const send = createSmtp({ url: tls.url, from: sender, requiresTls: true });
    expect(await send(mail)).toMatchObject({ kind: 'later' });
    expect([tls.taken, tls.logins]).toEqual([[], 0]);
    await tls.close();
  });
});

it('mails are deleted after thirty days', async () => {
  const person = await written();
  await round();
  stage().pass(29 * 24 * hourMs);
  expect(await tidy(stage())).toEqual([]);
  expect(await stage().db.$count(mails, eq(mails.recipient, person.email))).toBe(1);
  stage().pass(2 * 24 * hourMs);
  expect(await tidy(stage())).toEqual([]);
  expect(await stage().db.$count(mails, eq(mails.recipient, person.email))).toBe(0);
  expect(await stage().db.$count(accountTokens, eq(accountTokens.userId, person.id))).toBe(0);
});
