import { parseRuntimeConfig, type RuntimeConfig } from '#contract/runtime-config.ts';

/** A page that waits longer does without a map. */
const limitMs = 20_000;

/**
 * What the server said of itself; offline, where a service worker has kept it, what it said last. Null
 * where neither is to be had. Never rejects.
 */
export async function readRuntimeConfig(): Promise<RuntimeConfig | null> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(limitMs) });
    return answer.ok ? parseRuntimeConfig(await answer.json()) : null;
  } catch {
    return null;
  }
}
