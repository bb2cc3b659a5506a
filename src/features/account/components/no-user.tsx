import { UserX } from 'lucide-react';
import { useRefresh } from '#data/use-connection.ts';
import { useUsersPull } from '#data/use-users.ts';
import { account as words } from '#messages/en/account.ts';
import { Notice, RetryNotice, Skeletons } from '#ui/card.tsx';

/** Tells apart why the user is missing: not loaded yet, failed, or nonexistent. */
export function NoUser() {
  const { isWhole, failure } = useUsersPull();
  const { isBusy, refresh } = useRefresh(() => undefined);
  if (isWhole) return <Notice icon={<UserX aria-hidden size={40} />} title={words.userNotFound} />;
  if (!failure) return <Skeletons label={words.loading} count={1} />;
  return (
    <RetryNotice
      icon={<UserX aria-hidden size={40} />}
      title={(failure.kind === 'http' && failure.message) || words.userFailed}
      label={words.retry}
      isBusy={isBusy}
      onRetry={refresh}
    />
  );
}
