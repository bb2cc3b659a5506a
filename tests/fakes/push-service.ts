/**
 * A push service on this machine, and the phones behind it: it takes what RFC 8030 says, holds the
 * signature against RFC 8292 and decrypts as a browser does (RFC 8291, written out here, so that the
 * library that encrypts is not asked to judge itself).
 */
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  randomUUID,
  verify,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PushKind, PushMessage, PushSubscriptionBody } from '#contract/push.ts';

/** Keys as a browser makes them. */
function browserKeys() {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  return {
    pair,
    auth,
    keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
  };
}

export function subscriptionBody(
  endpoint: string,
  kinds: PushKind[],
  changes: Partial<PushSubscriptionBody> = {},
): PushSubscriptionBody {
  return { endpoint, keys: browserKeys().keys, kinds, area: null, ...changes };
}

function derive(secret: Buffer, salt: Buffer, info: string | Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, info, length));
}

/** The text of an aes128gcm body of one record (RFC 8188). */
function decrypt(body: Buffer, { pair, auth }: { pair: ECDH; auth: Buffer }): string {
  const salt = body.subarray(0, 16);
  const keyLength = body.readUInt8(20);
  const theirs = body.subarray(21, 21 + keyLength);
  const sealed = body.subarray(21 + keyLength);
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs]);
  const secret = derive(pair.computeSecret(theirs), auth, keyInfo, 32);
  const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16);
  const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString('utf8');
}

export interface VapidClaims {
  aud: string;
  exp: number;
  sub: string;
}

/** Throws where the signature is not that of the key beside it. */
function readVapid(header = ''): { claims: VapidClaims; publicKey: string } {
  const [, token = '', publicKey = ''] = /^vapid t=([^,]+), ?k=(.+)$/.exec(header) ?? [];
  const [head = '', claims = '', signature = ''] = token.split('.');
  const point = Buffer.from(publicKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)];
  const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') };
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const signed = Buffer.from(`${head}.${claims}`);
  const isSigned = verify(
    'sha256',
    signed,
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned) throw new Error('The signature does not belong to the key.');
  return { claims: JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')), publicKey };
}

/** One message as a phone gets it. */
export interface Received {
  message: PushMessage;
  /** As it was before it was parsed. */
  text: string;
  headers: IncomingHttpHeaders;
  vapid: ReturnType<typeof readVapid>;
}

type Answering = (response: ServerResponse) => void;

export interface PushPhone {
  /** The body of PUT /api/push. */
  subscription(kinds: PushKind[], changes?: Partial<PushSubscriptionBody>): PushSubscriptionBody;
  endpoint: string;
  received: Received[];
  /** How often its address was called, whatever was answered. */
  calls(): number;
  /** From now on; 201 until then. */
  answer(how: Answering | number): void;
}

export interface PushServiceOfTests {
  phone(): PushPhone;
  /** The most calls that were under way at one time. */
  busiest(): number;
  close(): Promise<void>;
}

const withStatus =
  (status: number): Answering =>
  (response) =>
    void response.writeHead(status).end();

export async function startPushService(): Promise<PushServiceOfTests> {
  const phones = new Map<string, (body: Buffer, headers: IncomingHttpHeaders) => Answering>();
  let underWay = 0;
  let busiest = 0;
  const server = createServer(async (request, response) => {
    underWay += 1;
    busiest = Math.max(busiest, underWay);
    response.on('close', () => {
      underWay -= 1;
    });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const take = phones.get(request.url ?? '');
    if (!take) return void response.writeHead(404).end();
    take(Buffer.concat(chunks), request.headers)(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return {
    busiest: () => busiest,
    phone: () => {
      const path = `/push/${randomUUID()}`;
      const browser = browserKeys();
      const received: Received[] = [];
      let calls = 0;
      let answering: Answering = withStatus(201);
      phones.set(path, (body, headers) => {
        calls += 1;
        const text = decrypt(body, browser);
        const vapid = readVapid(headers.authorization);
        received.push({ message: JSON.parse(text), text, headers, vapid });
        return answering;
      });
      const endpoint = `http://127.0.0.1:${port}${path}`;
      return {
        ...{ endpoint, received, calls: () => calls },
        subscription: (kinds, changes = {}) => ({
          ...{ endpoint, keys: browser.keys, kinds, area: null, ...changes },
        }),
        answer: (how) => {
          answering = typeof how === 'number' ? withStatus(how) : how;
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
