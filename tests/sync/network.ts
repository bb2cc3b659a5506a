/** A network as a function: the responses the product's client receives. */
import { expect } from 'vitest';
import { createApi } from '#api/api.ts';
import { ApiFailure } from '#api/failure.ts';
import type { Failure } from '#domain/outcome.ts';
import { ids, wirePackage } from '#tests/builders/package.ts';
import { createFakeLocks } from '#tests/fakes/browser.ts';

export function tokenFor(id: string, mark = ''): string {
  const userInfo = {
    id,
    email: 'a@kaya.test',
    roles: ['Employee'],
    firstName: 'A',
    lastName: mark,
  };
  return `head.${Buffer.from(JSON.stringify({ userInfo })).toString('base64url')}.sign`;
}

export const old = tokenFor(ids.courier, 'old');
export const fresh = tokenFor(ids.courier, 'fresh');

export function json(body: unknown, status = 200, headers: Record<string, string> = {}) {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export const denied = (status = 401) => json({ code: 'unauthenticated', message: 'No.' }, status);

interface Sent {
  route: string;
  bearer: string | null;
  request: Request;
}

export type Handler = (sent: Sent) => Response | Promise<Response>;

/** A client over `handler`, which is the whole network. */
export function clientOver(
  handler: Handler,
  options: { token?: string | null; expected?: string; silenceMs?: number } = {},
) {
  let token = options.token === undefined ? old : options.token;
  const sent: Sent[] = [];
  const ended: string[] = [];
  const outdated: string[] = [];
  const locks = createFakeLocks();
  const { expected, silenceMs } = options;
  const api = createApi({
    baseUrl: 'http://kaya.test',
    tokenStore: {
      get: () => token,
      set: (next) => {
        token = next;
      },
    },
    locks,
    onSessionEnded: ({ message }) => ended.push(message),
    onOutdated: () => outdated.push('outdated'),
    timeoutMs: 50,
    refreshWaitMs: 20,
    ...(expected === undefined ? {} : { expectedUserId: () => expected }),
    ...(silenceMs === undefined ? {} : { silenceMs }),
    fetch: async (input, init) => {
      const request = new Request(input, init);
      const one = {
        route: `${request.method} ${new URL(request.url).pathname}`,
        bearer: request.headers.get('authorization'),
        request,
      };
      sent.push(one);
      return await handler(one);
    },
  });
  const routes = () => sent.map((one) => one.route);
  return {
    api,
    sent,
    routes,
    ended,
    outdated,
    locks,
    token: () => token,
    put: (next: string | null) => (token = next),
  };
}

export async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ApiFailure);
  return (error as ApiFailure).failure;
}

/** Accepts only `good`, and refreshes to it. */
export function needing(good: string, refresh: Handler): Handler {
  return (sent) => {
    if (sent.route === 'GET /api/auth/refresh') return refresh(sent);
    return sent.bearer === `Bearer ${good}` ? json([wirePackage()]) : denied();
  };
}
