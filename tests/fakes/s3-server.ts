/**
 * An S3-compatible store in memory with one bucket. Verifies Signature Version 4 by its
 * specification (docs.aws.amazon.com, "Signature Calculations for the Authorization Header"),
 * implemented here so that the signing library does not check itself.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { close, open } from './local-server.ts';

const account = {
  id: 'AKIAKAYATEST',
  secret: 'secret/with+every=sign&of:AWS',
  region: 'af-south-1',
};
const bucket = 'kaya-pictures';
const clockSkewMs = 15 * 60_000;
const signedAlways = ['host', 'x-amz-content-sha256', 'x-amz-date'];

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string) =>
  createHmac('sha256', key).update(text).digest();

/** Code and status of a refusal. */
type Refused = readonly [code: string, status: number];

/** '20261125T004500Z' as milliseconds. */
const readDate = (text: string) =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** Null: the request is signed by the account, over these bytes, now. */
function refusalOf({ method = '', url = '', headers }: IncomingMessage, body: Buffer) {
  const malformed: Refused = ['AuthorizationHeaderMalformed', 400];
  const said =
    /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (!said) return ['AccessDenied', 403] as Refused;
  const [, credential = '', signedHeaders = '', signature = ''] = said;
  const [id, day = '', ...scope] = credential.split('/');
  if (scope.join('/') !== `${account.region}/s3/aws4_request`) return malformed;
  if (id !== account.id) return ['InvalidAccessKeyId', 403] as Refused;
  const names = signedHeaders.split(';');
  if (signedAlways.some((name) => !names.includes(name))) return malformed;
  const date = String(headers['x-amz-date']);
  const isNow = Math.abs(readDate(date) - Date.now()) < clockSkewMs;
  if (!isNow || !date.startsWith(day)) return ['RequestTimeTooSkewed', 403] as Refused;
  if (headers['x-amz-content-sha256'] !== sha256(body)) {
    return ['XAmzContentSHA256Mismatch', 400] as Refused;
  }
  const [path = '', query = ''] = url.split('?');
  const canonical = [
    ...[method, path, query.split('&').sort().join('&')],
    ...names.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}`),
    ...['', signedHeaders, sha256(body)],
  ].join('\n');
  const toSign = ['AWS4-HMAC-SHA256', date, [day, ...scope].join('/'), sha256(canonical)].join(
    '\n',
  );
  const key = [day, ...scope].reduce<Buffer | string>(hmac, `AWS4${account.secret}`);
  const isRight = timingSafeEqual(hmac(key, toSign), Buffer.from(signature, 'hex'));
  return isRight ? null : (['SignatureDoesNotMatch', 403] as Refused);
}

export interface S3ServerOfTests {
  /** In the form S3_URL takes. */
  url: string;
  close(): Promise<void>;
}

export async function startS3Server(): Promise<S3ServerOfTests> {
  const objects = new Map<string, Buffer>();

  const answer = (request: IncomingMessage, body: Buffer): Refused | Buffer | null => {
    const refusal = refusalOf(request, body);
    if (refusal) return refusal;
    const [, named, ...key] = (request.url ?? '').split('/');
    const name = key.join('/');
    if (named !== bucket) return ['NoSuchBucket', 404];
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return ['MissingContentLength', 411];
      objects.set(name, body);
      return null;
    }
    if (request.method === 'GET') return objects.get(name) ?? ['NoSuchKey', 404];
    if (request.method !== 'DELETE') return ['MethodNotAllowed', 405];
    objects.delete(name);
    return null;
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const result = answer(request, Buffer.concat(chunks));
      if (result === null) response.writeHead(request.method === 'DELETE' ? 204 : 200).end();
      else if (Buffer.isBuffer(result)) response.writeHead(200).end(result);
      else {
        const [code, status] = result;
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
      }
    });
  });
  const port = await open(server);
  const secret = encodeURIComponent(account.secret);
  return {
    url: `http://${account.id}:${secret}@127.0.0.1:${port}/${bucket}?region=${account.region}`,
    close: () => close(server),
  };
}
