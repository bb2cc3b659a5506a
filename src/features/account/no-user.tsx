import { useUsersPull } from '#live/use-users.ts';
import { Notice, Skeletons } from '#ui/card.tsx';
import { words } from './words.ts';

/** Why there is nobody of this id: not known yet, not to be had, or true. */
export function NoUser() {
  const { isWhole, failure } = useUsersPull();
  if (isWhole) return <Notice text={words.userNotFound} />;
  if (!failure) return <Skeletons label={words.loading} count={1} />;
  return <Notice text={(failure.kind === 'http' && failure.message) || words.userFailed} />;
}
