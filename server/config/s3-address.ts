/** S3_URL: https://KEY:SECRET@host/bucket?region=eu-west-1. */

export interface S3Address {
  /** Base URL of objects, without a trailing slash and without credentials. */
  base: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** For stores without regions, such as MinIO. */
const defaultRegion = 'us-east-1';

function decoded(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

/**
 * Objects are below the URL's path: the bucket, and a folder in it if wanted; a bucket that is part
 * of the host needs no path. Null: not such a URL.
 */
export function readS3Address(text: string): S3Address | null {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const accessKeyId = decoded(url.username);
  const secretAccessKey = decoded(url.password);
  const { region = defaultRegion, ...rest } = Object.fromEntries(url.searchParams);
  if (!accessKeyId || !secretAccessKey || !/^[\w-]+$/.test(region)) return null;
  // Signing encodes other characters in its own way.
  const isPlain = /^[\w./-]*$/.test(url.pathname);
  if (Object.keys(rest).length > 0 || url.hash !== '' || !isPlain) return null;
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  return { base, region, accessKeyId, secretAccessKey };
}
