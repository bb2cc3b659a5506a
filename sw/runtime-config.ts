/**
 * What the server says of itself, kept for the time without a network. A page is answered from the copy
 * at once, and the copy is renewed behind it: so the page, its policy and this worker mean the same
 * map, and a new source is followed by the next page.
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

/** From the network. Kept only where it is one: a captive portal answers 200 too. */
async function renew(): Promise<Response> {
  const answer = await fetch(configPath, { cache: 'no-cache' });
  if ((await parse(answer.clone())) === null) return answer;
  try {
    await (await caches.open(cacheName)).put(configPath, answer.clone());
    known = null;
  } catch {
    // A full phone does without: the page has its answer.
  }
  return answer;
}

/** Rejects where there is neither a copy nor a network. */
export async function answerConfig(event: ExtendableEvent): Promise<Response> {
  const copy = await kept();
  if (copy && !navigator.onLine) return copy;
  const renewal = renew();
  if (!copy) return renewal;
  event.waitUntil(renewal.catch(() => undefined));
  return copy;
}

/** The copy's, or where there is none the server's; null where neither is to be had. */
export function currentConfig(): Promise<RuntimeConfig | null> {
  known ??= (async () => {
    const config = await parse((await kept()) ?? (await renew().catch(() => undefined)));
    if (config === null) known = null;
    return config;
  })();
  return known;
}

/** The Content-Security-Policy that came with the copy. */
export async function keptPolicy(): Promise<string | null> {
  return (await kept())?.headers.get('content-security-policy') ?? null;
}
