/** The sandbox's mailbox, on a server that listens. */
import { beforeAll, describe, expect, it } from 'vitest';
import { sandboxMails } from '#server/database/account-schema.ts';
import { discardMails } from '#server/modules/mail/repository.ts';
import { codeOf, fileStage, goodPassword } from './stage.ts';

const metricsToken = 'a-token-that-only-the-scraper-has';
const stage = fileStage({ METRICS_TOKEN: metricsToken });
const path = '/sandbox/mail';
let url = '';
beforeAll(async () => {
  url = await stage().app.listen({ port: 0, host: '127.0.0.1' });
});

interface Shown {
  to: string;
  subject: string;
  text: string;
  at: string;
}
const shown = async (): Promise<Shown[]> =>
  (await fetch(`${url}${path}`, { headers: { accept: 'application/json' } })).json();

describe('the sandbox mailbox', () => {
  it('shows what people would get, the newest first, and the server counts it', async () => {
    const [amina, bola] = ['amina@kaya.test', 'bola@kaya.test'];
    for (const email of [amina, bola]) {
      const body = { email, password: goodPassword, role: 'Customer' };
      await stage().send(null, 'POST', '/api/auth/signup', { body });
      await expect
        .poll(shown, { timeout: 20_000 })
        .toMatchObject([{ to: email }, ...[{}].slice(email === amina ? 1 : 0)]);
      stage().pass(1000);
    }
    const [mail] = await shown();
    expect(Object.keys(mail ?? {})).toEqual(['to', 'subject', 'text', 'at']);
    expect(mail?.text).toMatch(/http:\/\/127\.0\.0\.1:\d+\/confirm-email#token=[\w-]{43}\n/);
    const page = await fetch(`${url}${path}`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(await page.text()).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/confirm-email#token=/);
    const headers = { authorization: `Bearer ${metricsToken}` };
    const { text: figures } = await stage().send(null, 'GET', '/metrics', { headers });
    expect(figures).toMatch(/^kaya_mails\{status="sent"\} 2$/m);
    expect(figures).toMatch(/^kaya_queue_rows\{queue="mails_due"\} 0$/m);
    expect(stage().logs.join('')).not.toMatch(/amina@|token=/);
    expect(stage().logs.join('')).toContain(`"mailbox":"${url}${path}"`);
  });

  it.each<[Record<string, string>, string, number]>([
    [{}, '127.0.0.1', 200],
    [{}, '::1', 200],
    [{}, '192.168.0.7', 404],
    [{}, '203.0.113.7', 404],
    [{ host: 'localhost:3000' }, '127.0.0.1', 200],
    [{ host: 'kaya.example' }, '127.0.0.1', 404],
    [{ 'x-forwarded-for': '203.0.113.7' }, '127.0.0.1', 404],
    [{ via: '1.1 proxy' }, '127.0.0.1', 404],
  ])('answers only its own machine: %j from %s is %i', async (headers, remoteAddress, status) => {
    const answer = await stage().send(null, 'GET', path, { headers, remoteAddress });
    expect(answer.status).toBe(status);
  });

  it('needs the key of the start’s log where the server has a public address', async () => {
    const open = await stage().another({ environment: { PUBLIC_URL: 'https://kaya.example' } });
    expect(await codeOf(open.send(null, 'GET', path))).toBe('not_found');
    expect(await codeOf(open.send(null, 'GET', `${path}?key=${'x'.repeat(22)}`))).toBe('not_found');
    await open.app.listen({ port: 0, host: '127.0.0.1' });
    const said = () => /\/sandbox\/mail\?key=[\w-]{22}/.exec(stage().logs.join(''))?.[0];
    await expect.poll(said).toBeDefined();
    const withKey = said() ?? '';
    expect((await open.send(null, 'GET', withKey)).status).toBe(200);
    const local = await stage().another({ environment: { PUBLIC_URL: 'http://localhost:3000' } });
    expect((await local.send(null, 'GET', path)).status).toBe(200);
  });

  it('shows text as text', async () => {
    const at = stage().now();
    const id = 'a4e1f1b2-58f5-4d7c-9a53-0e9a6f1c2d3e';
    const text = '<script>alert(1)</script>';
    await stage()
      .db.insert(sandboxMails)
      .values({ id, recipient: 'a@kaya.test', subject: text, text, at });
    expect(await (await fetch(`${url}${path}`)).text()).not.toContain('<script>');
  });
});

it('a server that sends no mail has no mailbox, says so, and keeps none', async () => {
  const config = {
    NODE_ENV: 'production',
    RATE_LIMIT: 'on',
    PAYMENTS: 'sandbox',
    PUBLIC_URL: 'https://kaya.example',
  };
  const off = await stage().another({ environment: config });
  expect(await codeOf(off.send(null, 'GET', path))).toBe('not_found');
  const settings = await off.send<{ hasMail: boolean }>(null, 'GET', '/config.json');
  expect(settings.body.hasMail).toBe(false);
  const body = { email: 'amina@kaya.test' };
  const headers = { host: 'kaya.example' };
  const forgot = await off.send(null, 'POST', '/api/auth/forgot-password', { body, headers });
  expect(forgot.status).toBe(202);
  await off.app.listen({ port: 0, host: '127.0.0.1' });
  await expect.poll(() => stage().logs.join('')).toContain('no mail is sent');
  await discardMails(stage().db);
});
