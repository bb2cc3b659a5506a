/**
 * The precached page carries the Content-Security-Policy of its last build. The map's sources are
 * configurable, so their two directives come from the cached settings (sw/runtime-config.ts); the
 * others must stay, as they match the page's own scripts.
 */
const followed = ['connect-src', 'img-src'];

const nameOf = (directive: string) => directive.trim().split(/\s/, 1)[0] ?? '';

export function withCurrentSources(policy: string, current: string): string {
  const theirs = new Map(current.split(';').map((line) => [nameOf(line), line] as const));
  return policy
    .split(';')
    .map((line) => {
      const name = nameOf(line);
      return (followed.includes(name) && theirs.get(name)) || line;
    })
    .join(';');
}

const header = 'content-security-policy';

/** The page with current map sources; unchanged if there is no current policy. */
export function underPolicy(page: Response, current: string | null): Response {
  const policy = page.headers.get(header);
  if (policy === null || current === null) return page;
  const followedPolicy = withCurrentSources(policy, current);
  if (followedPolicy === policy) return page;
  const headers = new Headers(page.headers);
  headers.set(header, followedPolicy);
  return new Response(page.body, { status: page.status, statusText: page.statusText, headers });
}
