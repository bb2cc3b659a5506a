/**
 * Calls that the cookie speaks for, or that set it, must come from the app's own pages: a foreign
 * page could otherwise sign somebody out, or in as somebody else. SameSite=Strict keeps the cookie
 * from other sites but not from a sibling domain; browsers say where a call comes from in
 * Sec-Fetch-Site, older ones in Origin. Clients that are no browsers send neither, and carry nobody's
 * cookie but their own.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Route, routes } from '#contract/routes.ts';
import { Refusal } from '#server/refusal.ts';

const guarded: ReadonlySet<string> = new Set(
  [routes.signUp, routes.login, routes.logout, routes.refresh].map(({ path }: Route) => path),
);

/** 'none': typed into the address bar, or a bookmark. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** 'null' of a sandboxed frame is nobody's origin. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function isCrossSite({ headers, host }: FastifyRequest, publicUrl: string | undefined): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return !ownSites.has(String(site));
  if (headers.origin === undefined || headers.origin === publicUrl) return false;
  return hostOf(headers.origin) !== host.toLowerCase();
}

/**
 * Refuses with `cross_site`, before the call does anything. `publicUrl`: the app's own origin, where
 * a proxy in front passes on another Host.
 */
export function addSameSite(app: FastifyInstance, publicUrl: string | undefined): void {
  app.addHook('onRequest', (request, _, done) => {
    const path = request.routeOptions.url ?? '';
    const isRefused = guarded.has(path) && isCrossSite(request, publicUrl);
    done(isRefused ? new Refusal('cross_site') : undefined);
  });
}
