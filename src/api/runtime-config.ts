import { parseRuntimeConfig, type RuntimeConfig } from '#contract/runtime-config.ts';

/** After this the page goes without a map. */
const limitMs = 20_000;

/** Null if neither the server nor the service worker's copy is available. Never rejects. */
export async function readRuntimeConfig(): Promise<RuntimeConfig | null> {
  try {
    const answer = await fetch('/config.json', { signal: AbortSignal.timeout(limitMs) });
    return answer.ok ? parseRuntimeConfig(await answer.json()) : null;
  } catch {
    return null;
  }
}
