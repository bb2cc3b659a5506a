/** The recipient's page: what it shows at each stage, what it never shows, and when it ends. */
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { eq, getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import type { Tracking } from '#contract/tracking.ts';
import { fieldNames, packageFields } from '#domain/package-fields.ts';
import { maxWrongCodes } from '#domain/proof.ts';
import * as recipientSchema from '#server/database/recipient-schema.ts';
import { positions, replacedLinks } from '#server/database/recipient-schema.ts';
import * as schema from '#server/database/schema.ts';
import { timeText } from '#server/modules/tracking/times.ts';
import { wordsFor } from '#server/modules/tracking/words.ts';
import { patchValues } from '#tests/builders/patch-values.ts';
import { png } from '#tests/builders/pictures.ts';
import { type Details, packageCalls, type Step } from './package-calls.ts';
import { type Answer, type AnyBody, codeOf, fileStage, type Person } from './stage.ts';
import {
  carried,
  courierPhone,
  delivered,
  type Followed,
  forbiddenTexts,
  offered,
  record,
  secrets,
  storePhoto,
  tokenOf,
} from './tracking-stage.ts';

const tiles = 'https://tiles.example.ng/{z}/{x}/{y}.png';
const metricsToken = 'a-token-of-metrics-for-this-test';
const stage = fileStage({
  LOG_LEVEL: 'trace',
  METRICS_TOKEN: metricsToken,
  TILE_URL: tiles,
  TILE_ATTRIBUTION: '© Kano',
});

const calls = packageCalls(stage);
const hour = 3_600_000;
const words = wordsFor('en');
const html = { accept: 'text/html,application/xhtml+xml' };
const get = (path: string, headers: Record<string, string> = html) =>
  stage().send(null, 'GET', path, { headers });
const read = (token: string) =>
  stage().send<Tracking & AnyBody>(null, 'GET', `/api/track/${token}`);
/** For its reader only: not stored, not sent on, not found by search engines. */
const expectPrivate = (what: unknown, { headers }: Pick<Answer<unknown>, 'headers'>) =>
  expect([what, headers]).toMatchObject([
    what,
    {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
    },
  ]);
const unknownToken = () => randomUUID().replaceAll('-', '').slice(0, 22);

/** The text a reader sees. */
const textOf = (page: string) =>
  page
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<section[^>]* hidden>[\s\S]*?<\/section>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll('&#39;', "'");

const seen = async (path: string) => textOf((await get(path)).text);

async function sharePosition({ courier }: Followed, at = stage().now(), lat = 12.010_421) {
  const place = { lat, lng: 8.520_849, accuracy: 12, at };
  await stage()
    .db.insert(positions)
    .values({ courierId: courier.id, ...place })
    .onConflictDoUpdate({ target: positions.courierId, set: place });
}

const note = (kind: string, text: string) => ({
  body: new URLSearchParams({ kind, text }).toString(),
  headers: { ...html, 'content-type': 'application/x-www-form-urlencoded' },
});
const leave = (path: string, kind: string, text: string) =>
  stage().send(null, 'POST', path, note(kind, text));

describe('what a sender says of a package', () => {
  const values = patchValues([], 7);
  it.each(fieldNames)('is %s, which changes the page if its row says so', async (name) => {
    const { sender, pkg, path } = await offered(stage(), { deliveryDate: null });
    const shown = new Set([await seen(path)]);
    for (const value of values[name]) {
      const { status } = await stage().patch(sender, pkg, { [name]: value });
      expect(status).toBe(200);
      shown.add(await seen(path));
    }
    expect(shown.size > 1).toBe(packageFields[name].isTracked === true);
  });
});

describe('the page', () => {
  it('shows an offer: number, stage, window, code and picture, and no courier', async () => {
    const { pkg, path } = await offered(stage());
    const page = await get(path);
    const text = textOf(page.text);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(text).toContain(words.title(pkg.packageId));
    expect(text).toContain(words.stages.waiting);
    expect(text).toContain('Pickup Tomorrow 09:00');
    expect(text).toContain('Delivery Tomorrow 16:30');
    expect(text).toContain(`${pkg.dropoffCode?.slice(0, 3)} ${pkg.dropoffCode?.slice(3)}`);
    expect(page.text).toMatch(/<svg role="img" aria-label="[^"]+" viewBox="0 0 \d+ \d+"/);
    expect(page.text).not.toContain('tel:');
    expect(text).not.toContain('Sani');
  });

  it('shows no code that is locked, and still the picture, which a courier can scan', async () => {
    const followed = await carried(stage());
    const { courier, pkg, path, token } = followed;
    const right = pkg.dropoffCode ?? '';
    const digits = `${right.slice(0, 3)} ${right.slice(3)}`;
    expect(await seen(path)).toContain(digits);
    const code = right === '000000' ? '111111' : '000000';
    for (let wrong = 1; wrong <= maxWrongCodes; wrong += 1) {
      await record(stage(), courier, followed, 'delivered', { proof: { code } });
    }
    const page = await get(path);
    expect(textOf(page.text)).not.toContain(digits);
    expect(page.text).toContain('<svg role="img"');
    const { handover } = (await read(token)).body;
    expect(handover).toEqual({ code: null, token: pkg.dropoffToken });
  });

  it('shows the courier with call and WhatsApp from the pick-up to the end', async () => {
    const followed = await offered(stage());
    const { courier, sender, pkg, path } = followed;
    const isShown = async () => (await get(path)).text.includes('Sani');
    await stage().accept(courier, pkg);
    expect(await isShown()).toBe(false);
    await record(stage(), courier, followed, 'picked_up');
    const { text } = await get(path);
    expect(text).toContain('<strong dir="auto">Sani</strong> · <bdi>Motorbike</bdi>');
    expect(text).toMatch(/href="tel:(\+234|0)8094445566"/);
    expect(text).toContain('href="https://wa.me/2348094445566?text=Hello');
    for (const [type, details] of [
      ['arrived', {}],
      ['attempt_failed', { reason: 'recipient_unavailable' }],
    ] as const) {
      await record(stage(), courier, followed, type, details);
      expect(await isShown()).toBe(true);
    }
    await record(stage(), courier, followed, 'return_started');
    expect(await isShown()).toBe(false);
    const { returnCode } = await calls.read(sender, pkg._id);
    const proof = { code: returnCode ?? '' };
    expect((await record(stage(), courier, followed, 'returned', { proof })).status).toBe(201);
    expect(await seen(path)).toContain(words.stages.returned);
  });

  it('tells the story so far, without what was taken back', async () => {
    const followed = await carried(stage());
    const { courier, token, path } = followed;
    const arrived = await record(stage(), courier, followed, 'arrived');
    expect(arrived.status).toBe(201);
    const reason = 'phone_unreachable';
    const note = secrets.courierNote;
    const failed = await record(stage(), courier, followed, 'attempt_failed', { reason, note });
    expect(failed.status).toBe(201);
    expect(await seen(path)).toContain(words.reasons[reason]);
    const types = async () => (await read(token)).body;
    expect((await types()).timeline.map(({ type }) => type)).toEqual([
      ...['created', 'accepted', 'picked_up', 'arrived', 'attempt_failed'],
    ]);
    const corrects = (await calls.eventsFor(courier, followed.pkg._id)).at(-1)?._id ?? '';
    await record(stage(), courier, followed, 'corrected', { corrects });
    const now = await types();
    expect([now.stage, now.timeline.at(-1)?.type]).toEqual(['arrived', 'arrived']);
  });

  it.each([
    ['recipient_unavailable', words.tryAgain],
    ['refused', words.notAgain],
  ] as const)('says after an attempt that failed, %s, what to do now', async (reason, advice) => {
    const followed = await carried(stage());
    const { courier, path } = followed;
    expect(await seen(path)).not.toContain(advice);
    await record(stage(), courier, followed, 'attempt_failed', { reason });
    const failed = await seen(path);
    expect(failed).toContain(`${words.because(words.reasons[reason])} ${advice}`);
    expect(failed).not.toContain(words.delivery);
    await record(stage(), courier, followed, 'return_started');
    expect(await seen(path)).toContain(`${words.stages.returning} ${words.notAgain}`);
  });

  it('tells of a courier who gave it back', async () => {
    const { path, courier, pkg } = await offered(stage());
    await stage().accept(courier, pkg);
    const back = { deliveryPersonId: null, deliveryStatus: 'Pending' };
    expect((await stage().patch(courier, pkg, back)).status).toBe(200);
    const text = await seen(path);
    expect(text).toContain(words.stages.waiting);
    expect(text).toMatch(new RegExp(`${words.events.unassigned}.*${words.events.accepted}`));
  });

  it('shows the photos of a delivery once they are there, to this link only', async () => {
    const followed = await carried(stage());
    const { token, path } = followed;
    const photoId = randomUUID();
    expect((await delivered(stage(), followed, [photoId])).status).toBe(201);
    const photo = `/api/track/${token}/photos/${photoId}`;
    const { text } = await get(path);
    expect(text).not.toContain('<img src="/api');
    expect(textOf(text)).toContain(words.photosLater);
    expect(text).toContain(`<title>${words.stages.delivered} · `);
    expect((await get(photo, {})).status).toBe(404);
    expect((await storePhoto(stage(), followed, photoId)).status).toBe(200);
    expect((await get(path)).text).toContain(`<img src="${photo}"`);
    const answer = await stage().app.inject({ method: 'GET', url: photo });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png']);
    expect(answer.rawPayload.subarray(0, 8)).toEqual(png.subarray(0, 8));
    expect(answer.headers['cache-control']).toBe('private, no-cache');
    const headers = { 'if-none-match': String(answer.headers.etag) };
    const again = await stage().app.inject({ method: 'GET', url: photo, headers });
    expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
    const other = await carried(stage());
    await delivered(stage(), other);
    expect((await get(`/api/track/${other.token}/photos/${photoId}`, {})).status).toBe(404);
    // A picture of the package that no delivery names, such as of a failed attempt.
    const attempt = randomUUID();
    await storePhoto(stage(), followed, attempt);
    expect((await get(`/api/track/${token}/photos/${attempt}`, {})).status).toBe(404);
  });

  it('shows a shared position to 100 m with its age, while the package is carried', async () => {
    const followed = await carried(stage());
    const { token, path } = followed;
    await sharePosition(followed);
    stage().pass(120_000);
    const { text } = await get(path);
    expect(text).toContain('data-lat="12.01" data-lng="8.521"');
    expect(textOf(text)).toContain(textOf(words.seen('2 minutes ago')));
    expect(textOf(text)).toMatch(/About \d00 m from you/);
    expect(text).not.toMatch(/12\.0104|8\.5208/);
    stage().pass(9 * 60_000);
    expect((await read(token)).body).toMatchObject({ position: null });
    await sharePosition(followed);
    expect((await read(token)).body).toMatchObject({ position: { lat: 12.01, lng: 8.521 } });
    await delivered(stage(), followed);
    expect((await read(token)).body).toMatchObject({ position: null, courier: null });
  });

  it('tells no more of the delivery pin than its 100 m, however far the courier is', async () => {
    const [one, other] = [await carried(stage()), await carried(stage())];
    const pins = [
      [one, { lat: 12.0131, lng: 8.5249 }],
      [other, { lat: 12.0127, lng: 8.5252 }],
    ] as const;
    for (const [{ pkg }, deliveryLocation] of pins) {
      const isThisPackage = eq(schema.packages.id, pkg._id);
      await stage().db.update(schema.packages).set({ deliveryLocation }).where(isThisPackage);
    }
    for (const lat of [12.0131, 12.02, 12.0713]) {
      const distances = [];
      for (const [followed] of pins) {
        await sharePosition(followed, stage().now(), lat);
        const { text } = await get(followed.path);
        distances.push(/About [^<]+ from you/.exec(text)?.[0]);
      }
      expect(distances[0]).toBeDefined();
      expect(distances[1]).toBe(distances[0]);
    }
  });

  it('is under 20 kB with everything it can show, and names no file it needs', async () => {
    const followed = await carried(stage());
    const { courier, path } = followed;
    await sharePosition(followed);
    for (let nth = 0; nth < 10; nth += 1) {
      expect((await leave(path, 'safe_place', `${nth}${'&'.repeat(299)}`)).status).toBe(303);
    }
    for (const reason of ['phone_unreachable', 'unsafe_or_blocked'] as const) {
      await record(stage(), courier, followed, 'arrived');
      await record(stage(), courier, followed, 'attempt_failed', { reason });
    }
    const page = await get(path);
    expect(page.text).toContain('id="code"');
    expect(Buffer.byteLength(page.text)).toBeLessThan(20_000);
    expect(page.text.match(/<script[^>]*>/g)).toEqual([
      '<script src="/track/live.js" type="module">',
    ]);
    expect(page.text).not.toMatch(/<link rel="stylesheet"|@import|style="|onclick/);
    const zipped = await stage().app.inject({
      method: 'GET',
      url: path,
      headers: { ...html, 'accept-encoding': 'gzip, br' },
    });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.rawPayload.length).toBeLessThan(7_000);
    expect(textOf(gunzipSync(zipped.rawPayload).toString())).toBe(textOf(page.text));
  });

  it('speaks the first language of the reader that it has', () => {
    for (const accepted of [undefined, '', 'fr', 'ha;q=0.5', 'zz,en-GB;q=0.8', 'english', '*']) {
      expect(wordsFor(accepted).language).toBe('en');
    }
  });
});

describe('a time', () => {
  it.each([
    ['2026-11-24T13:05:00.000Z', 'Today 14:05'],
    ['2026-11-23T23:30:00.000Z', 'Today 00:30'],
    ['2026-11-19T13:05:00.000Z', 'Thu 19 Nov 14:05'],
    ['2026-01-02T08:00:00.000Z', 'Fri 2 Jan 09:00'],
    ['2025-12-31T22:59:00.000Z', '31 Dec 2025 23:59'],
    // There, another year has begun.
    ['2025-12-31T23:00:00.000Z', 'Thu 1 Jan 00:00'],
    ['2027-01-04T08:00:00.000Z', '4 Jan 2027 09:00'],
  ])('of another year names it: %s', (iso, text) => {
    const now = new Date('2026-11-24T14:00:00.000Z');
    expect(timeText(wordsFor('en'), iso, now)).toBe(text);
  });

  it('of yesterday or tomorrow needs no year', () => {
    const text = (iso: string, now: string) => timeText(wordsFor('en'), iso, new Date(now));
    expect(text('2025-12-31T10:00:00Z', '2026-01-01T10:00:00Z')).toBe('Yesterday 11:00');
    expect(text('2026-01-01T10:00:00Z', '2025-12-31T10:00:00Z')).toBe('Tomorrow 11:00');
  });
});

describe('a link', () => {
  it('is for its reader only: not stored, not sent on, not found by search engines', async () => {
    const { path, token } = await offered(stage());
    for (const url of [path, `/api/track/${token}`, `/t/${unknownToken()}`, '/t/']) {
      expectPrivate(url, await get(url));
    }
    const policy = String((await get(path)).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain('https://tiles.example.ng');
    expect(policy).not.toContain('unsafe-eval');
  });

  it('is for its reader only in every answer, whatever is wrong', async () => {
    const { path, token } = await offered(stage());
    const api = `/api/track/${token}`;
    const unlimited = await Promise.all([
      ...[`${path}/more`, `${api}/nothing`, `${api}/photos/x`, `${path}%zz`].map((url) => get(url)),
      stage().send(null, 'PUT', path),
      stage().send(null, 'POST', path, { body: '{"kind":' }),
      stage().send(null, 'DELETE', `${api}/notes`),
    ]);
    const limited = await stage().another({
      environment: { RATE_LIMIT: 'on', CALLS_PER_MINUTE: '1' },
    });
    await limited.send(null, 'GET', path);
    const refused = [
      await limited.send(null, 'GET', path, { headers: html }),
      await limited.send(null, 'GET', api),
      await limited.send(null, 'GET', `${api}/events`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([429, 429, 429]);
    for (const answer of [...unlimited, ...refused]) {
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expectPrivate(answer.status, answer);
    }
  });

  it.each([
    ['no hexadecimal', '/t/%zz'],
    ['no UTF-8', '/t/%E0%A4%A/more'],
    ['half a code', '/t/%'],
    ['its first letter in code', '/%74/%zz'],
    ['NUL', '/t/%00'],
    ['too long', `/t/${'a'.repeat(101)}`],
    ['much too long', `/t/${'%41'.repeat(3000)}`],
  ])('that cannot be read says so on a page: %s', async (_, path) => {
    for (const headers of [html, { accept: '*/*' }, {}]) {
      const answer = await get(path, headers);
      expect(answer.status).toBe(404);
      expect(answer.headers['content-type']).toMatch(/^text\/html/);
      expect(answer.text).toContain(wordsFor('en').problems.unknown.title);
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('of an address or by a method that there is none of is a page', async () => {
    const { path } = await offered(stage());
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const [method, url] of [
      ...(['POST', 'PUT', 'PATCH', 'DELETE'] as const).map((one) => [one, '/t/x/y'] as const),
      ...(['POST', 'PUT', 'DELETE'] as const).map((one) => [one, `${path}/`] as const),
      ...(['PUT', 'PATCH', 'DELETE'] as const).map((one) => [one, path] as const),
    ]) {
      for (const [headers, body] of [
        [form, 'kind=note&text=Hi'],
        [{}, undefined],
        [{ 'content-type': 'text/csv' }, 'a,b'],
      ] as const) {
        const answer = await stage().send(null, method, url, { headers, body });
        expect([method, url, answer.headers['content-type']]).toEqual([
          method,
          url,
          expect.stringMatching(/^text\/html/),
        ]);
        expect(answer.status).toBeGreaterThanOrEqual(404);
      }
    }
  });

  it('is not sent again while nothing has changed', async () => {
    const { path, courier, pkg } = await offered(stage());
    const { headers } = await get(path);
    const etag = String(headers.etag);
    const again = await get(path, { ...html, 'if-none-match': etag });
    expect([again.status, again.text, again.headers['cache-control']]).toEqual([
      304,
      '',
      'no-store',
    ]);
    await stage().accept(courier, pkg);
    expect((await get(path, { ...html, 'if-none-match': etag })).status).toBe(200);
  });

  it('that does not exist is 404, as a page and as JSON', async () => {
    for (const token of [unknownToken(), 'short', `${unknownToken()}x`, '%00', '..%2f..', 'a/b']) {
      const page = await get(`/t/${token}`);
      expect([token, page.status]).toEqual([token, 404]);
      expect(textOf(page.text)).toContain(words.problems.unknown.title);
    }
    expect(await codeOf(read(unknownToken()))).toBe('not_found');
    const events = `/api/track/${unknownToken()}/events`;
    expect(await codeOf(get(events, {}))).toBe('not_found');
  });

  it.each([
    'delivered',
    'cancelled',
  ] as const)('ends 24 hours after the package was %s', async (how) => {
    const followed = how === 'delivered' ? await carried(stage()) : await offered(stage());
    const { path, token, sender, pkg } = followed;
    const photoId = randomUUID();
    if (how === 'delivered') {
      await delivered(stage(), followed, [photoId]);
      await storePhoto(stage(), followed, photoId);
    } else {
      await stage().patch(sender, pkg, { deliveryStatus: 'Cancelled' });
    }
    expect(await seen(path)).toMatch(/This page closes tomorrow \d\d:\d\d\./);
    stage().pass(24 * hour - 1);
    expect((await get(path)).status).toBe(200);
    expect((await read(token)).body).not.toMatchObject({ endsAt: null });
    stage().pass(1);
    const page = await get(path);
    expect(page.status).toBe(410);
    expect(textOf(page.text)).toContain(words.problems.ended.title);
    expect(page.text).not.toContain(pkg.packageId);
    for (const url of ['', '/events', `/photos/${photoId}`]) {
      expect(await codeOf(get(`/api/track/${token}${url}`, {}))).toBe('link_ended');
    }
    expect((await leave(path, 'safe_place', 'By the door')).status).toBe(410);
  });

  it('ends when its package is deleted', async () => {
    const { path, sender, pkg } = await offered(stage());
    await stage().send(sender, 'DELETE', `/api/packages/${pkg._id}`);
    expect((await get(path)).status).toBe(410);
  });

  it('is replaced by its sender or an admin, and by no one else', async () => {
    const { path, token, sender, courier, pkg } = await carried(stage());
    const replace = (who: Person | null) =>
      stage().send<WirePackage & AnyBody>(who, 'POST', `/api/packages/${pkg._id}/tracking`);
    expect(await codeOf(replace(null))).toBe('unauthenticated');
    expect(await codeOf(replace(courier))).toBe('forbidden');
    expect(await codeOf(replace(await stage().person('Customer')))).toBe('not_found');
    const { body, status } = await replace(sender);
    expect(status).toBe(200);
    expect(tokenOf(body)).toMatch(/^[\w-]{22}$/);
    expect(tokenOf(body)).not.toBe(token);
    expect(body.version).toBeGreaterThan(pkg.version);
    expect([(await get(path)).status, (await read(token)).status]).toEqual([410, 410]);
    expect((await get(body.trackingPath ?? '')).status).toBe(200);
    // Who read the page before knows its code.
    const codes = ({ dropoffCode, dropoffToken, dropoffTokenHash }: WirePackage) =>
      new Set([dropoffCode, dropoffToken, dropoffTokenHash]);
    expect(body.dropoffCode).toMatch(/^\d{6}$/);
    expect([...codes(body)].filter((code) => codes(pkg).has(code))).toEqual([]);
    const again = await replace(await stage().admin());
    expect((await get(body.trackingPath ?? '')).status).toBe(410);
    expect((await get(again.body.trackingPath ?? '')).status).toBe(200);
  });

  it('limits guesses by the network they come from, while others go on reading', async () => {
    const limited = await stage().another({ environment: { RATE_LIMIT: 'on' } });
    const { path } = await offered(stage());
    const ask = (url: string, remoteAddress: string) =>
      limited.send(null, 'GET', url, { headers: html, remoteAddress });
    const statuses = new Set<number>();
    for (let nth = 0; nth < 100; nth += 1) {
      const url = nth % 2 === 0 ? `/t/${unknownToken()}` : `/api/track/${unknownToken()}`;
      statuses.add((await ask(url, '10.0.0.1')).status);
    }
    expect([...statuses]).toEqual([404]);
    const next = await ask(`/t/${unknownToken()}`, '10.0.0.1');
    expect([next.status, Number(next.headers['retry-after']) > 0]).toEqual([429, true]);
    expect(textOf(next.text)).toContain(words.problems.limited.title);
    // A village behind the same address.
    expect((await ask(path, '10.0.0.1')).status).toBe(200);
    expect((await ask(`/t/${unknownToken()}`, '10.0.0.2')).status).toBe(404);
  });
});

describe('a note', () => {
  it('left without a script reaches the courier, the sender and the timeline', async () => {
    const { path, courier, sender, pkg } = await carried(stage());
    const text = 'Blue gate,\r\nask for <Binta> & "Co"';
    const answer = await leave(path, 'another_person', text);
    expect([answer.status, answer.headers.location]).toEqual([303, `${path}?sent#note`]);
    const page = await get(`${path}?sent`);
    expect(textOf(page.text)).toContain(words.noted);
    expect(page.text).toContain('Blue gate,\nask for &lt;Binta&gt; &amp; &quot;Co&quot;');
    const expected = { kind: 'another_person', text: text.replace('\r\n', '\n') };
    for (const who of [courier, sender]) {
      expect((await calls.read(who, pkg._id)).recipientNote).toMatchObject(expected);
      expect((await calls.eventsFor(who, pkg._id)).at(-1)).toMatchObject({
        type: 'recipient_note',
        actor: null,
        reason: expected.kind,
        note: expected.text,
      });
    }
  });

  it('by JSON answers with how things are now', async () => {
    const { token } = await carried(stage());
    const body = { kind: 'safe_place', text: 'Behind the house' };
    const answer = await stage().send(null, 'POST', `/api/track/${token}/notes`, { body });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ note: body, canNote: true });
  });

  it('sent twice is one', async () => {
    const { path, token } = await carried(stage());
    await leave(path, 'another_time', 'After six');
    await Promise.all([1, 2, 3].map(() => leave(path, 'another_time', 'After six')));
    const { timeline } = (await read(token)).body;
    expect(timeline.filter(({ type }) => type === 'recipient_note')).toHaveLength(1);
  });

  it('counts for the limit of its network once, however often it is sent', async () => {
    const limited = await stage().another({ environment: { RATE_LIMIT: 'on' } });
    const leaveThere = async (followed: Followed, text: string) => {
      const answer = await limited.send(null, 'POST', followed.path, note('safe_place', text));
      return answer.status;
    };
    const first = await carried(stage());
    const statuses = new Set<number>();
    for (let nth = 0; nth < 40; nth += 1) statuses.add(await leaveThere(first, 'Behind the house'));
    expect([...statuses]).toEqual([303]);
    // One of thirty is used up; a link takes ten.
    const others = [await carried(stage()), await carried(stage()), await carried(stage())];
    const rest: number[] = [];
    for (const followed of others) {
      for (let nth = 0; nth < 10; nth += 1) rest.push(await leaveThere(followed, `Place ${nth}`));
    }
    expect(rest).toEqual([...Array(29).fill(303), 429]);
    // What was refused is not there, and another network has a limit of its own.
    const elsewhere = { ...note('safe_place', 'Place 9'), remoteAddress: '10.9.9.9' };
    const answer = await limited.send(null, 'POST', others[2]?.path ?? '', elsewhere);
    expect(answer.status).toBe(303);
  });

  it.each([
    ['', 'Words', words.kindMissing],
    ['another_world', 'Words', words.kindMissing],
    ['safe_place', ' \n ', words.textMissing],
    ['safe_place', 'x'.repeat(301), words.textTooLong],
    ['safe_place', '\u200B\u202E', words.textMissing],
  ])('%j %j is refused with what was typed', async (kind, text, complaint) => {
    const { path, token } = await carried(stage());
    const page = await leave(path, kind, text);
    expect(page.status).toBe(422);
    expect(textOf(page.text)).toContain(complaint);
    expect(page.text).toContain('aria-invalid="true"');
    expect(page.text).toContain(`\n${text}</textarea>`);
    expect((await read(token)).body).toMatchObject({ note: null });
  });

  it('is not taken once the package does not come any more, or after ten', async () => {
    const followed = await carried(stage());
    const { path, token } = followed;
    for (let nth = 1; nth <= 10; nth += 1) await leave(path, 'safe_place', `Place ${nth}`);
    expect((await read(token)).body).toMatchObject({ canNote: false });
    const eleventh = await leave(path, 'safe_place', 'Place 11');
    expect(eleventh.status).toBe(409);
    expect(textOf(eleventh.text)).toContain(words.cannotNote);
    expect(eleventh.text).toContain('Place 11</textarea>');
    const other = await carried(stage());
    await delivered(stage(), other);
    expect((await leave(other.path, 'safe_place', 'Too late')).status).toBe(409);
    expect(await seen(other.path)).not.toContain(words.note);
  });

  it('is taken as a form only', async () => {
    const { path } = await carried(stage());
    const answer = await stage().send(null, 'POST', path, {
      body: { kind: 'safe_place', text: 'x' },
    });
    expect(answer.status).toBe(415);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('what the recipient must not learn', () => {
  it('is in no byte of any answer, at any stage', async () => {
    const followed = await offered(stage());
    const { courier, sender, path, token, pkg } = followed;
    // Another package of the same people.
    const other = await stage().created(sender, { description: 'A goat for Bala' });
    await stage().accept(courier, other);
    const { texts } = await forbiddenTexts(stage(), followed);
    const never = [...texts, other.packageId, other._id, tokenOf(other), 'goat', 'Bala'];
    const photoId = randomUUID();
    const look = async (when: string, isOver = false) => {
      const urls = [path, `/api/track/${token}`, `/t/${unknownToken()}`, `${path}?sent`];
      for (const url of urls) {
        const answer = await stage().app.inject({ method: 'GET', url, headers: html });
        const bytes = `${JSON.stringify(answer.headers)}\n${answer.payload}`;
        const found = never.filter((text) => bytes.includes(text));
        expect([when, url, found]).toEqual([when, url, []]);
        if (isOver) expect(bytes).not.toContain(courierPhone.slice(-8));
      }
    };
    const step = async (type: Step, details?: Details) => {
      const answer = await record(stage(), courier, followed, type, details);
      expect([type, answer.status]).toEqual([type, 201]);
      await look(type);
    };
    await look('offered', true);
    await stage().accept(courier, pkg);
    await look('accepted', true);
    await sharePosition(followed);
    await step('picked_up');
    await leave(path, 'safe_place', 'At the kiosk');
    await look('noted');
    await step('arrived');
    await step('attempt_failed', { reason: 'other', note: secrets.courierNote });
    await delivered(stage(), followed, [photoId]);
    await storePhoto(stage(), followed, photoId);
    await look('delivered', true);
    stage().pass(25 * hour);
    await look('ended', true);
  });

  it('tokens are in no log line and no metric', async () => {
    const { path, token, pkg, sender } = await carried(stage());
    const unknown = unknownToken();
    const photo = randomUUID();
    await get(path);
    await get(`/t/${unknown}`);
    await get(`${path}/more`);
    await read(token);
    await get(`/api/track/${token}/photos/${photo}`, {});
    await get(`/api/track/${token}/nothing`, {});
    await leave(path, 'safe_place', 'At the kiosk');
    await leave(path, 'nothing', '');
    await stage().send(null, 'POST', `/api/track/${token}/notes`, { body: '{"kind":' });
    await stage().send(sender, 'POST', `/api/packages/${pkg._id}/tracking`);
    await get(path);
    const log = stage().logs.join('');
    expect(log).toContain('"route":"/t/:token"');
    const metrics = await stage().send(null, 'GET', '/metrics', {
      headers: { authorization: `Bearer ${metricsToken}` },
    });
    expect(metrics.text).toContain('/t/:token');
    expect(metrics.text).toContain('kaya_event_streams_open{kind="tracking"} 0');
    for (const secret of [token, unknown, photo, 'At the kiosk']) {
      expect([secret, log.includes(secret), metrics.text.includes(secret)]).toEqual([
        ...[secret, false, false],
      ]);
    }
  });

  it('a token that was replaced is stored as a hash only, in no table as it was', async () => {
    const { sender, pkg } = await offered(stage());
    const tokens = [tokenOf(pkg)];
    for (const key of ['replaced-once', 'replaced-twice']) {
      const url = `/api/packages/${pkg._id}/tracking`;
      const { body } = await stage().send<WirePackage>(sender, 'POST', url, {
        headers: { 'idempotency-key': key },
      });
      tokens.push(tokenOf(body));
    }
    const tables = Object.values({ ...schema, ...recipientSchema }).filter((one) =>
      is(one, PgTable),
    );
    expect(tables.length).toBeGreaterThan(10);
    const tablesWith = async (token: string) => {
      const found: string[] = [];
      for (const table of tables) {
        const rows = await stage().db.select().from(table);
        if (JSON.stringify(rows).includes(token)) found.push(getTableName(table));
      }
      return found;
    };
    expect(await Promise.all(tokens.map(tablesWith))).toEqual([[], [], ['packages']]);
    expect((await stage().db.select().from(replacedLinks)).length).toBeGreaterThan(1);
  });
});
