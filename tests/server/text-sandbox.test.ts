/** The sandbox's phone, on a server that listens: a message goes round by HTTP as with Termii. */
import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { routes } from '#contract/routes.ts';
import { texts } from '#server/database/recipient-schema.ts';
import { undoMs } from '#server/modules/texts/repository.ts';
import { barrier } from './barrier.ts';
import { packageCalls } from './package-calls.ts';
import { codeOf, fileStage } from './stage.ts';

const metricsToken = 'a-token-that-only-the-scraper-has';
const stage = fileStage({ METRICS_TOKEN: metricsToken });
const { steps, eventsFor } = packageCalls(stage);
let url = '';
/** With its key, as the log of the start says it. */
let phonePath = '';
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  url = await stage().app.listen({ port: 0, host: '127.0.0.1' });
  // The server says it once it listens.
  const said = () => /\/sandbox\/phone\?key=[\w-]{22}/.exec(stage().logs.join(''))?.[0];
  await vi.waitUntil(said);
  phonePath = said() ?? '';
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const phone = async (accept: string) => {
  const answer = await fetch(`${url}${phonePath}`, { headers: { accept } });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
};

/** Resolves when the server has answered the sandbox's webhook: how long that takes is the machine's. */
function afterReport(): Promise<void> {
  const { passed, open } = barrier();
  const { fetch: send } = globalThis;
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (...call) => {
    const isReport = String(call[0]).endsWith(routes.textWebhook.path);
    return send(...call).finally(() => isReport && open());
  });
  return passed;
}

describe('the sandbox phone', () => {
  it('gets what a recipient would, reports it as delivered, and what it cost', async () => {
    const sender = await stage().person('Customer');
    const courier = await stage().person('Employee', 'Sani');
    const made = await stage().created(sender, { recipientPhone: '08057654321' });
    await stage().accept(courier, made);
    await steps(made._id, [courier, 'picked_up']);
    stage().pass(undoMs);
    const reported = afterReport();
    await vi.advanceTimersByTimeAsync(5_000);
    vi.useRealTimers();
    await reported;
    const events = await eventsFor(sender, made._id);
    expect(events.at(-1)?.text).toMatchObject({ status: 'delivered' });

    const json = await phone('application/json');
    const [message] = JSON.parse(json.text);
    expect(message).toMatchObject({ to: '+2348057654321', from: 'Kaya' });
    expect(message.text).toContain(`${made.packageId} is on its way to you. ${url}/t/`);
    const page = await phone('text/html');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.text).toContain('0805 765 4321');
    expect(page.text).toMatch(/<a href="http:\/\/127\.0\.0\.1:\d+\/t\/[\w-]{22}">/);

    const headers = { authorization: `Bearer ${metricsToken}` };
    const { text: figures } = await stage().send(null, 'GET', '/metrics', { headers });
    expect(figures).toMatch(/^kaya_texts\{status="delivered"\} 1$/m);
    expect(figures).toMatch(/^kaya_text_cost_per_package_naira 4$/m);
    expect(figures).toMatch(/^kaya_queue_rows\{queue="texts_due"\} 0$/m);
    expect(stage().logs.join('')).not.toMatch(/8057654321|\/t\/[\w-]{22}/);
    expect(await stage().db.select().from(texts).where(eq(texts.packageId, made._id))).toHaveLength(
      1,
    );
  });

  it('shows itself to this machine only', async () => {
    const from = (remoteAddress: string) => stage().send(null, 'GET', phonePath, { remoteAddress });
    expect((await from('127.0.0.1')).status).toBe(200);
    expect((await from('::1')).status).toBe(200);
    expect(await codeOf(from('192.168.0.7'))).toBe('not_found');
    expect(await codeOf(from('203.0.113.7'))).toBe('not_found');
  });

  it.each<[Record<string, string>, number]>([
    [{}, 200],
    [{ host: 'localhost:3000' }, 200],
    [{ host: '127.0.0.1:3000' }, 200],
    [{ host: '[::1]:3000' }, 200],
    [{ host: 'kaya.example' }, 404],
    [{ host: 'localhost.kaya.example' }, 404],
    [{ 'x-forwarded-for': '203.0.113.7' }, 404],
    [{ 'x-forwarded-for': '127.0.0.1' }, 404],
    [{ 'x-forwarded-host': 'localhost' }, 404],
    [{ forwarded: 'for=203.0.113.7' }, 404],
    [{ via: '1.1 proxy' }, 404],
  ])('shows itself to none whom a proxy on this machine passes on: %j is %i', async (headers, status) => {
    expect((await stage().send(null, 'GET', phonePath, { headers })).status).toBe(status);
  });

  it.each([
    '/sandbox/phone',
    '/sandbox/phone?key=',
    `/sandbox/phone?key=${'x'.repeat(22)}`,
    '/sandbox/phone?key[]=x',
  ])('shows itself to nobody without the key of the start’s log, whatever a proxy leaves out: %s', async (path) => {
    const headers = { host: 'localhost:3000' };
    expect(await codeOf(stage().send(null, 'GET', path, { headers }))).toBe('not_found');
  });

  it('takes nothing without its key', async () => {
    const body = {
      api_key: 'x'.repeat(43),
      to: '2348057654321',
      from: 'Kaya',
      sms: 'Hello',
      type: 'plain',
      channel: 'dnd',
    };
    const path = '/sandbox/termii/api/sms/send';
    expect((await stage().send(null, 'POST', path, { body })).status).toBe(401);
    const { api_key: _, ...keyless } = body;
    expect((await stage().send(null, 'POST', path, { body: keyless })).status).toBe(400);
    expect((await phone('application/json')).text).not.toContain('Hello');
  });

  it('shows text as text', async () => {
    const { sandboxTexts } = await import('#server/database/recipient-schema.ts');
    await stage().db.insert(sandboxTexts).values({
      id: randomUUID(),
      recipient: '+2348057654321',
      sender: 'Kaya',
      at: stage().now(),
      body: '<script>alert(1)</script> https://kaya.example/"><b>',
    });
    const { text } = await phone('text/html');
    expect(text).not.toContain('<script>');
    expect(text).toContain('<a href="https://kaya.example/&quot;&gt;&lt;b&gt;">');
  });
});

it('does not exist with a provider or without messages', async () => {
  const off = await stage().another({ environment: { SMS_PROVIDER: 'off' } });
  for (const path of ['/sandbox/phone', '/sandbox/termii/api/sms/send']) {
    expect((await off.send(null, 'GET', path)).status).toBe(404);
  }
});
