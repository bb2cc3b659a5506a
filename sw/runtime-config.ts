/**
 * Caches the server's runtime configuration. Stale-while-revalidate: page, policy and worker agree
 * on one map, and the next page load gets a new source.
 */
import { parseRuntimeConfig, type RuntimeConfig } from '#contract/runtime-config.ts';

export const configPath = '/config.json';
const cacheName = 'kaya-config';

let known: Promise<RuntimeConfig | null> | null = null;

async function kept(): Promise<Response | undefined> {
  try {
    return await (await caches.open(cacheName)).match(configPath);
  } catch {
    return undefined;
  }
}

async function parse(answer: Response | undefined): Promise<RuntimeConfig | null> {
  try {
    return answer?.ok ? parseRuntimeConfig(await answer.json()) : null;
  } catch {
    return null;
  }
}

/** Caches only valid responses, since a captive portal answers 200 too. */
async function renew(): Promise<Response> {
  const answer = await fetch(configPath, { cache: 'no-cache' });
  if ((await parse(answer.clone())) === null) return answer;
  try {
    await (await caches.open(cacheName)).put(configPath, answer.clone());
    known = null;
  } catch {
    // Out of space: the page still gets its response.
  }
  return answer;
}

/** Rejects if neither cached nor reachable. */
export async function answerConfig(event: ExtendableEvent): Promise<Response> {
  const copy = await kept();
  if (copy && !navigator.onLine) return copy;
  const renewal = renew();
  if (!copy) return renewal;
  event.waitUntil(renewal.catch(() => undefined));
  return copy;
}

/** From the cache, else the server; null if neither. */
export function currentConfig(): Promise<RuntimeConfig | null> {
  known ??= (async () => {
    const config = await parse((await kept()) ?? (await renew().catch(() => undefined)));
    if (config === null) known = null;
    return config;
  })();
  return known;
}

/** The Content-Security-Policy of the cached response. */
export async function keptPolicy(): Promise<string | null> {
  return (await kept())?.headers.get('content-security-policy') ?? null;
}
