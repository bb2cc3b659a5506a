import { useAtomValue } from 'jotai';
import { CloudOff, PackageX } from 'lucide-react';
import { Navigate } from 'react-router-dom';
import { isUnanswered } from '#domain/outcome.ts';
import { useLastPulledAt, useSyncStatus } from '#live/use-connection.ts';
import { useRefresh } from '#live/use-refresh.ts';
import { removedPackageAtom } from '#state/package-ui.ts';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { CardSkeletons } from '#ui/skeleton.tsx';
import { words } from './words.ts';

/**
 * Where there is no package to show: it is not there, or could not be asked for, or nothing has come
 * yet. Back to one that was just deleted leads to the list instead.
 */
export function NoPackage({ id }: { id: string }) {
  const removed = useAtomValue(removedPackageAtom);
  const lastPulledAt = useLastPulledAt();
  const { lastFailure } = useSyncStatus();
  const { isBusy, refresh } = useRefresh(() => undefined);
  if (removed === id) return <Navigate to="/tracking" replace />;
  if (lastFailure) {
    const reason = lastFailure.kind === 'http' ? lastFailure.message : '';
    return (
      <div role="alert">
        <Notice icon={<CloudOff aria-hidden size={40} />} text={words.detailFailed(reason)}>
          {isUnanswered(lastFailure) && <p>{words.notHereYet}</p>}
          <Button isBusy={isBusy} onClick={refresh}>
            {words.retry}
          </Button>
        </Notice>
      </div>
    );
  }
  if (!navigator.onLine) {
    return <Notice icon={<CloudOff aria-hidden size={40} />} text={words.notHereYet} />;
  }
  if (!lastPulledAt) return <CardSkeletons label={words.loading} />;
  return <Notice icon={<PackageX aria-hidden size={40} />} text={words.noData} />;
}
