/**
 * The page is precached with the policy of the day when its bytes last changed. Where its map may come
 * from is a setting, so those two lines are the kept settings' (sw/runtime-config.ts); all others stay,
 * since they fit the page's own scripts.
 */
const followed = ['connect-src', 'img-src'];

const nameOf = (directive: string) => directive.trim().split(/\s/, 1)[0] ?? '';

/** `policy` with the map's directives of `current`. */
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

/** The page under the current policy; the page as it was kept where there is none. */
export function underPolicy(page: Response, current: string | null): Response {
  const policy = page.headers.get(header);
  if (policy === null || current === null) return page;
  const followedPolicy = withCurrentSources(policy, current);
  if (followedPolicy === policy) return page;
  const headers = new Headers(page.headers);
  headers.set(header, followedPolicy);
  return new Response(page.body, { status: page.status, statusText: page.statusText, headers });
}
