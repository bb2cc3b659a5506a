/** Refusals before a call does anything: cross-site calls, and outdated clients. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { headers } from '#contract/headers.ts';
import { type Route, routes } from '#contract/routes.ts';
import { isUnderApi } from '#server/http/api-path.ts';
import { Refusal } from '#server/http/refusal.ts';

const guarded: ReadonlySet<string> = new Set(
  [routes.signUp, routes.login, routes.logout, routes.refresh].map(({ path }: Route) => path),
);

/** 'none': typed into the address bar, or a bookmark. */
const ownSites: ReadonlySet<string> = new Set(['same-origin', 'none']);

/** Undefined for 'null', the origin of a sandboxed frame. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

function isCrossSite(
  { headers: given, host }: FastifyRequest,
  publicUrl: string | undefined,
): boolean {
  const site = given['sec-fetch-site'];
  if (site !== undefined) return !ownSites.has(String(site));
  if (given.origin === undefined || given.origin === publicUrl) return false;
  return hostOf(given.origin) !== host.toLowerCase();
}

/**
 * Refuses with `cross_site`. Calls that use or set the cookie must come from the app's own pages: a
 * foreign page could otherwise sign a person out, or in as another. SameSite=Strict does not cover
 * sibling domains; browsers send the origin in Sec-Fetch-Site, older ones in Origin, other clients
 * neither. `publicUrl`: the app's origin, if a proxy changes Host.
 */
export function addSameSite(app: FastifyInstance, publicUrl: string | undefined): void {
  app.addHook('onRequest', (request, _, done) => {
    const path = request.routeOptions.url ?? '';
    const isRefused = guarded.has(path) && isCrossSite(request, publicUrl);
    done(isRefused ? new Refusal('cross_site') : undefined);
  });
}

/**
 * Refuses with `app_outdated` a page whose contract version is no longer supported: it keeps its
 * outbox and offers the update. Clients that send no version follow the published document.
 */
export function addContractVersion(app: FastifyInstance, oldest: number): void {
  app.addHook('onRequest', (request, _, done) => {
    const named = request.headers[headers.contractVersion];
    const isOld = typeof named === 'string' && /^\d{1,6}$/.test(named) && Number(named) < oldest;
    done(isOld && isUnderApi(request) ? new Refusal('app_outdated') : undefined);
  });
}
