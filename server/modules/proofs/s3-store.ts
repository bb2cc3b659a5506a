/** Objects of an S3-compatible store, over its REST API with Signature Version 4. */
import { AwsV4Signer } from 'aws4fetch';
import type { S3Address } from '#server/config/s3-address.ts';
import { withDeadline } from '#server/config/timeouts.ts';
import { digestOf, type PictureStore, PictureStoreFailure } from './picture-store.ts';

/** Shorter than a response may take (config/timeouts), so that the caller hears of it. */
const usualTimeoutMs = 8_000;

type Method = 'PUT' | 'GET' | 'DELETE';

/** Reads the code from an error's XML: 'NoSuchKey', 'SignatureDoesNotMatch'. */
const codeOf = (xml: string) => /<Code>(\w{1,60})<\/Code>/.exec(xml)?.[1] ?? '';

/** Reads the code, such as 'ECONNREFUSED', from what fetch throws. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return 'unknown';
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.name;
}

export function createS3Store(
  { base, ...credentials }: S3Address,
  timeoutMs = usualTimeoutMs,
): PictureStore {
  async function send(
    method: Method,
    key: string,
    bytes: Buffer<ArrayBuffer>,
    signal: AbortSignal,
  ) {
    const signed = await new AwsV4Signer({
      ...credentials,
      service: 's3',
      method,
      url: `${base}/${key}`,
      // Signed with the rest, so that the store refuses bytes that were damaged on their way.
      headers: { 'x-amz-content-sha256': digestOf(bytes) },
    }).sign();
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      signal,
      redirect: 'manual',
      ...(method === 'PUT' ? { body: bytes } : {}),
    });
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
  }

  /** Null: there is no such object. */
  async function call(method: Method, key: string, bytes = Buffer.alloc(0)) {
    const { status, body } = await withDeadline(timeoutMs, undefined, (signal) =>
      send(method, key, bytes, signal),
    ).catch((error: unknown) => {
      throw new PictureStoreFailure(`${method} was not answered (${causeOf(error)}).`);
    });
    if (status >= 200 && status < 300) return body;
    const code = codeOf(body.toString('utf8', 0, 2_000));
    if (status === 404 && code === 'NoSuchKey') return null;
    throw new PictureStoreFailure(`${method} was answered with ${status} ${code}`.trim());
  }

  return {
    put: async (key, bytes) => {
      await call('PUT', key, Buffer.from(bytes));
      return null;
    },
    get: (key) => call('GET', key),
    remove: async (key) => void (await call('DELETE', key)),
  };
}
