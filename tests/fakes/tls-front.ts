/**
 * The TLS-terminating proxy of production. Its certificate and key are for tests only; browsers
 * must ignore that they are not signed by an authority.
 */
import { request } from 'node:http';
import { createServer } from 'node:https';
import { close, open } from './local-server.ts';

const cert = `-----BEGIN CERTIFICATE-----
MIIBpjCCAUygAwIBAgIUTNLYTgo620LlS6jrv07mSKOPYvEwCgYIKoZIzj0EAwIw
GTEXMBUGA1UEAwwOa2F5YS5sb2NhbGhvc3QwIBcNMjYxMTIzMDYyMjI4WhgPMjEy
NjEwMzAwNjIyMjhaMBkxFzAVBgNVBAMMDmtheWEubG9jYWxob3N0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEvX4R+d+CAt/zlRuKFW6+tpwolrXVHse/XhQ8oLy2
w/mgfwBVvERhOmM8yksRHjWFZsOdkokt9WgWGZ5O5WCQcKNwMG4wHQYDVR0OBBYE
FMZo/nGv4Es/5ZhI8TbbOFAOaZfNMB8GA1UdIwQYMBaAFMZo/nGv4Es/5ZhI8Tbb
OFAOaZfNMA8GA1UdEwEB/wQFMAMBAf8wGwYDVR0RBBQwEoIQKi5rYXlhLmxvY2Fs
aG9zdDAKBggqhkjOPQQDAgNIADBFAiEAsOMDV98l56uR8rac8ZZQpBR/WPq5Ji3t
ZzLSvIDBIgICIEXbVYM4Dyxx7n7zuuRDtaItcE23rPOm7lovVWsnWXuV
-----END CERTIFICATE-----`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgP3DBGhgR7Uh4Xa2W
cQV6LC9ZsG8mQJEzMBTm90Rg/1ShRANCAAS9fhH534IC3/OVG4oVbr62nCiWtdUe
x79eFDygvLbD+aB/AFW8RGE6YzzKSxEeNYVmw52SiS31aBYZnk7lYJBw
-----END PRIVATE KEY-----`;

/** The domain of the app and of its sibling; browsers resolve both to this machine. */
const domain = 'kaya.localhost';

export interface TlsFront {
  domain: string;
  /** The app: 'https://app.kaya.localhost:PORT'. */
  appUrl: string;
  /** An empty page of another party under the same domain. */
  siblingUrl: string;
  close(): Promise<void>;
}

/** The server behind it needs TRUST_PROXY=on. */
export async function startTlsFront(targetUrl: string): Promise<TlsFront> {
  const { hostname, port: targetPort } = new URL(targetUrl);
  const server = createServer({ cert, key }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    if (!headers.host?.startsWith('app.')) {
      outgoing.setHeader('content-type', 'text/html');
      return outgoing.end('<!doctype html>');
    }
    const onward = { ...headers, 'x-forwarded-proto': 'https', connection: 'close' };
    const target = { hostname, port: targetPort, method, path, headers: onward };
    const asked = request(target, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    asked.on('error', () => outgoing.destroy());
    return incoming.pipe(asked);
  });
  const port = await open(server);
  return {
    domain,
    appUrl: `https://app.${domain}:${port}`,
    siblingUrl: `https://sibling.${domain}:${port}`,
    close: () => close(server),
  };
}
