/** What the session needs beyond the first screen, each in a chunk of its own. */
import type { UserInfo } from '#contract/auth.ts';
import type { StorageFault } from '#db/failure.ts';

/** The part of the session that knows storage. `onFault`: what stands in its way, from now on. */
export async function bringKeeper(onFault: (fault: StorageFault | null) => void) {
  const keeper = await import('./user-session.ts');
  keeper.onStorageFault(onFault);
  return keeper;
}

/** Whom a fresh access token is of; rejects as `asking` does. */
export async function userInfoOf(asking: Promise<string>): Promise<UserInfo> {
  const token = await asking;
  const { readUserInfo } = await import('#domain/token.ts');
  return readUserInfo(token);
}
