/**
 * Trusted Types (CSP `require-trusted-types-for`): a browser then takes no plain text for HTML or for
 * the address of a script. The names are those of the server's policy (plugins/security-headers.ts).
 */
type PolicyName = 'default' | 'inert' | 'worker';

interface Rules {
  createHTML?(html: string): string;
  /** Null blocks it. */
  createScriptURL?(url: string): string | null;
}

/** What a policy gives passes for the string that lib.dom asks for. */
interface Policy {
  createHTML(html: string): string;
  createScriptURL(url: string): string;
}

interface Factory {
  createPolicy(name: PolicyName, rules: Rules): Policy;
}

/** Null in a browser without Trusted Types, which takes text as before. Once per name. */
export function createPolicy(name: PolicyName, rules: Rules): Policy | null {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory };
  return trustedTypes?.createPolicy(name, rules) ?? null;
}
