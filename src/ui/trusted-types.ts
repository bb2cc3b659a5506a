/**
 * Trusted Types (CSP `require-trusted-types-for`): browsers then reject plain strings as HTML or
 * script URLs. The policy names match the server's CSP (plugins/security-headers.ts).
 */
type PolicyName = 'default' | 'inert' | 'worker';

interface Rules {
  createHTML?(html: string): string;
  /** Null blocks the URL. */
  createScriptURL?(url: string): string | null;
}

/** Results are typed as the strings that lib.dom expects. */
interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

interface Factory {
  createPolicy(name: PolicyName, rules: Rules): Policy;
}

/** Null if the browser lacks Trusted Types. Call once per name. */
export function createPolicy(name: PolicyName, rules: Rules): Policy | null {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy(name, rules) ?? null;
}

/** Only this app's scripts: the service worker and the build's files. */
const workerPolicy = createPolicy('worker', {
  createScriptURL: (url) => (url === '/sw.js' || url.startsWith('/assets/') ? url : null),
});

export const workerUrl = (url: string): string => workerPolicy?.createScriptURL(url) ?? url;
