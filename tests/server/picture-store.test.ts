/**
 * Pictures in the database and in an S3-compatible store, over HTTP: a strict one of the tests, or
 * another one named by TEST_S3_URL, which has the form of S3_URL.
 */
import { createHash, randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { readConfig } from '#server/config/config.ts';
import { proofs } from '#server/database/schema.ts';
import { auditPictures } from '#server/modules/proofs/audit.ts';
import { movePictures } from '#server/modules/proofs/move.ts';
import { openPictureStore } from '#server/modules/proofs/open-store.ts';
import {
  keyOf,
  type PictureStore,
  PictureStoreFailure,
} from '#server/modules/proofs/picture-store.ts';
import { createS3Store } from '#server/modules/proofs/s3-store.ts';
import * as pictures from '#tests/builders/pictures.ts';
import { type S3ServerOfTests, startS3Server } from '#tests/fakes/s3-server.ts';
import { startTcpProxy, type TcpProxy } from '#tests/fakes/tcp-proxy.ts';
import { packageCalls, pictureHeaders, tidy } from './package-calls.ts';
import { codeOf, fileStage, outcomeOf, type Person, type Stage } from './stage.ts';

const stage = fileStage({ LOG_LEVEL: 'trace' });
const { steps, eventsFor, dispute } = packageCalls(stage);
const dayMs = 24 * 3_600_000;

let server: S3ServerOfTests | undefined;
/** Between the app and the store. */
let proxy: TcpProxy;
let s3Url: string;
let objects: PictureStore;
/** By where new pictures go. */
let stages: { database: Stage; s3: Stage };
let sender: Person;
let courier: Person;
let pkg: WirePackage;

const s3Of = (url: string) => {
  const { s3 } = readConfig({ S3_URL: url });
  if (s3 === null) throw new Error('no S3_URL');
  return s3;
};

beforeAll(async () => {
  server = process.env.TEST_S3_URL ? undefined : await startS3Server();
  const direct = new URL(server?.url ?? process.env.TEST_S3_URL ?? '');
  proxy = await startTcpProxy({ host: direct.hostname, port: Number(direct.port || 80) });
  direct.host = `127.0.0.1:${proxy.port}`;
  s3Url = direct.href;
  objects = openPictureStore(s3Of(s3Url));
  const s3 = await stage().another({ environment: { S3_URL: s3Url } });
  stages = { database: stage(), s3 };
});
afterAll(async () => {
  await proxy.close();
  await server?.close();
});
beforeEach(async () => {
  await proxy.restore();
  [sender, courier] = await stage().people('Customer', 'Employee');
  pkg = await stage().created(sender);
  await stage().accept(courier, pkg);
});

const pathOf = (id: string) => `/api/packages/${pkg._id}/proofs/${id}`;

const put = (on: Stage, id: string, bytes: Buffer = pictures.jpegWithMetadata) =>
  on.send(courier, 'PUT', pathOf(id), { body: bytes, headers: pictureHeaders(bytes) });

const get = async (on: Stage, id: string, who = sender) => {
  const headers = { authorization: `Bearer ${who.token}` };
  const { statusCode, rawPayload } = await on.app.inject({ url: pathOf(id), headers });
  if (statusCode === 200) return rawPayload;
  const { code } = JSON.parse(rawPayload.toString());
  return [statusCode, code];
};

const rowOf = async (id: string) => {
  const [row] = await stage().db.select().from(proofs).where(eq(proofs.id, id));
  return row;
};

/** Stored in the object store. */
async function stored(): Promise<{ id: string; key: string }> {
  const id = randomUUID();
  expect((await put(stages.s3, id)).status).toBe(200);
  const row = await rowOf(id);
  if (!row) throw new Error('no row');
  return { id, key: keyOf(row) };
}

describe('a picture in an object store', () => {
  it('is an object without metadata, and a row without bytes', async () => {
    const { id, key } = await stored();
    expect(await get(stages.s3, id)).toEqual(pictures.jpeg);
    expect(await objects.get(key)).toEqual(pictures.jpeg);
    expect(await rowOf(id)).toMatchObject({ bytes: null, size: pictures.jpeg.length });
    expect((await put(stages.s3, id)).status).toBe(200);
    expect(await codeOf(put(stages.s3, id, pictures.png))).toBe('id_taken');
    expect(await get(stages.s3, id)).toEqual(pictures.jpeg);
  });

  it('is of one of two uploads with the same id at the same time, and the other leaves nothing', async () => {
    const id = randomUUID();
    const given = [pictures.jpeg, pictures.png];
    const answers = await Promise.all(given.map((bytes) => put(stages.s3, id, bytes)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const won = answers[0]?.status === 200 ? 0 : 1;
    expect(await get(stages.s3, id)).toEqual(given[won]);
    const lost = createHash('sha256')
      .update(given[1 - won] ?? '')
      .digest('hex');
    expect(await objects.get(keyOf({ packageId: pkg._id, id, storedDigest: lost }))).toBeNull();
  });

  it('stands beside those in the database, before and after the setting', async () => {
    const before = randomUUID();
    await put(stages.database, before);
    expect((await rowOf(before))?.bytes).not.toBeNull();
    expect(await get(stages.s3, before)).toEqual(pictures.jpeg);
    const { id } = await stored();
    expect(await get(stages.database, id)).toEqual([503, 'pictures_unavailable']);
  });

  it('is not taken while the store is away: no row is left, and the same call succeeds later', async () => {
    const id = randomUUID();
    await proxy.cut();
    const answer = await put(stages.s3, id);
    expect(outcomeOf(answer)).toEqual([503, 'pictures_unavailable']);
    expect(answer.headers['retry-after']).toBe('30');
    expect(await rowOf(id)).toBeUndefined();
    await proxy.restore();
    expect((await put(stages.s3, id)).status).toBe(200);
    await proxy.cut();
    expect(await get(stages.s3, id)).toEqual([503, 'pictures_unavailable']);
    await proxy.restore();
    expect(await get(stages.s3, id)).toEqual(pictures.jpeg);
  });

  it('gives up on a store that never answers', async () => {
    const store = createS3Store(s3Of(s3Url), 50);
    proxy.swallow();
    await expect(store.get('any')).rejects.toThrow('GET was not answered (AbortError).');
  });

  it.each([
    ['secret', 'password', 'another'],
    ['key', 'username', 'another'],
    ['bucket', 'pathname', '/another'],
  ] as const)('is refused in words with a wrong %s, which no log line has', async (_, part, value) => {
    const S3_URL = Object.assign(new URL(s3Url), { [part]: value }).href;
    const wrong = await stage().another({ environment: { S3_URL } });
    const id = randomUUID();
    expect(await codeOf(put(wrong, id))).toBe('pictures_unavailable');
    expect(await rowOf(id)).toBeUndefined();
    const { id: kept } = await stored();
    expect(await get(wrong, kept)).toEqual([503, 'pictures_unavailable']);
    const logs = stage().logs.join('');
    expect(logs).toMatch(/GET was answered with 40[34] [A-Z]\w+/);
    const { accessKeyId, secretAccessKey } = s3Of(s3Url);
    const secrets = [accessKeyId, secretAccessKey, encodeURIComponent(secretAccessKey)];
    expect(secrets.filter((secret) => logs.includes(secret))).toEqual([]);
  });

  it('says so when it is lost or damaged', async () => {
    const { id, key } = await stored();
    await objects.put(key, pictures.png);
    expect(await get(stages.s3, id)).toEqual([404, 'picture_missing']);
    await objects.remove(key);
    expect(await get(stages.s3, id)).toEqual([404, 'picture_missing']);
    const stranger = await stage().person('Customer');
    expect(await get(stages.s3, id, stranger)).toEqual([404, 'not_found']);
  });

  it('is removed with its row when it is old enough, and both stay until the store answers', async () => {
    const [{ id, key }, unnamed] = [await stored(), await stored()];
    const inDatabase = randomUUID();
    await put(stages.database, inDatabase);
    const proof = { photoIds: [id], signatureId: inDatabase };
    await steps(pkg._id, [courier, 'delivered', { proof }]);
    stage().pass(90 * dayMs - 60_000);
    expect(await tidy(stage(), objects)).toEqual([]);
    expect(await objects.get(key)).toEqual(pictures.jpeg);
    // No event names it: it went after a day.
    expect([await rowOf(unnamed.id), await objects.get(unnamed.key)]).toEqual([undefined, null]);
    stage().pass(120_000);
    await proxy.cut();
    expect(await tidy(stage(), objects)).toEqual(['deleting expired rows failed']);
    expect(await tidy(stage(), openPictureStore(null))).toEqual(['deleting expired rows failed']);
    expect([await rowOf(inDatabase), (await rowOf(id))?.id]).toEqual([undefined, id]);
    await proxy.restore();
    // Removed already by a run that then stopped.
    await objects.remove(key);
    expect(await tidy(stage(), objects)).toEqual([]);
    expect([await rowOf(id), await objects.get(key)]).toEqual([undefined, null]);
    // What happened stays, without its pictures.
    sender = await stage().again(sender);
    expect((await eventsFor(sender, pkg._id)).at(-1)?.proof).toMatchObject(proof);
    expect(await get(stages.database, inDatabase)).toEqual([404, 'not_found']);
  });
});

it('the audit names each picture whose bytes are lost or damaged, and a store that fails', async () => {
  const { db } = stage().database;
  await db.delete(proofs);
  const [lost, damaged] = [await stored(), await stored()];
  for (let n = 0; n < 12; n += 1) await put(n % 2 ? stages.s3 : stages.database, randomUUID());
  expect(await auditPictures(db, objects)).toEqual({ pictures: 14, broken: [] });
  await objects.remove(lost.key);
  await objects.put(damaged.key, pictures.png);
  const inRow = randomUUID();
  await put(stages.database, inRow);
  await db.update(proofs).set({ bytes: pictures.png }).where(eq(proofs.id, inRow));
  const { broken } = await auditPictures(db, objects);
  const sentences = [lost.id, damaged.id, inRow].map(
    (id) => `Picture ${id} of package ${pkg._id} is lost or damaged.`,
  );
  expect(broken.sort()).toEqual(sentences.sort());
  await proxy.cut();
  expect((await auditPictures(db, objects)).broken.at(-1)).toMatch(
    /^The store of pictures failed, .+ GET was not answered \(ECONNREFUSED\)\.$/,
  );
});

it('moving takes all pictures there and back, goes on where it was interrupted, and names the lost', async () => {
  const { db } = stage().database;
  await db.delete(proofs);
  const ids = Array.from({ length: 20 }, () => randomUUID());
  for (const [n, id] of ids.entries()) await put(n % 4 ? stages.database : stages.s3, id);
  const places = async () => {
    const rows = await db.select().from(proofs);
    return rows.map(({ bytes }) => (bytes === null ? 'store' : 'database'));
  };
  const shown = () => Promise.all(ids.map((id) => get(stages.s3, id)));
  const all = ids.map(() => pictures.jpeg);

  let left = 9;
  let underWay = 0;
  let refuse = () => {};
  const refused = new Promise<void>((resolve) => {
    refuse = resolve;
  });
  const failing: PictureStore = {
    ...objects,
    put: async (key, bytes) => {
      left -= 1;
      // The last is still under way when another fails.
      if (left === 0) await refused;
      if (left >= 0) {
        underWay += 1;
        const kept = await objects.put(key, bytes);
        underWay -= 1;
        return kept;
      }
      refuse();
      throw new PictureStoreFailure('away');
    },
  };
  await expect(movePictures({ db, store: failing }, 'store')).rejects.toThrow('away');
  expect(underWay).toBe(0);
  expect(await shown()).toEqual(all);
  expect(new Set(await places())).toEqual(new Set(['store', 'database']));
  const rest = (await places()).filter((place) => place === 'database').length;
  const moved = { moved: rest, lost: [] };
  expect(await movePictures({ db, store: objects }, 'store')).toEqual(moved);
  expect(new Set(await places())).toEqual(new Set(['store']));
  expect(await shown()).toEqual(all);

  const keys = (await db.select().from(proofs)).map(keyOf);
  await objects.remove(keys[0] ?? '');
  const back = await movePictures({ db, store: objects }, 'database');
  expect([back.moved, back.lost]).toEqual([19, [expect.stringContaining('lost or damaged')]]);
  expect(await Promise.all(keys.map((key) => objects.get(key)))).toEqual(keys.map(() => null));
  expect(await movePictures({ db, store: objects }, 'database')).toMatchObject({ moved: 0 });
  expect((await auditPictures(db, objects)).broken).toHaveLength(1);
});

describe.each(['database', 's3'] as const)('a picture in the %s', (place) => {
  it('is kept while its package has an open dispute', async () => {
    const id = randomUUID();
    await put(stages[place], id);
    await stage().deliver(courier, pkg);
    const { body } = await dispute(sender, pkg._id);
    expect(body.dispute).not.toBeNull();
    stage().pass(200 * dayMs);
    expect(await tidy(stage(), objects)).toEqual([]);
    sender = await stage().again(sender);
    expect(await get(stages[place], id)).toEqual(pictures.jpeg);
    const admin = await stage().admin();
    const path = `/api/packages/${pkg._id}/disputes/${body.dispute?._id}/resolve`;
    const resolved = await stage().send(admin, 'POST', path, {
      body: { decision: 'release', reason: 'The photo shows it' },
    });
    expect(resolved.status).toBe(200);
    expect(await tidy(stage(), objects)).toEqual([]);
    expect(await get(stages[place], id)).toEqual([404, 'not_found']);
  });
});
