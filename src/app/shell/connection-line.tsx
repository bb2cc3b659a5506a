import { CloudDownload, RefreshCw, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { useLastPulledAt, useSyncStatus } from '#data/use-connection.ts';
import { useRefresh } from '#data/use-refresh.ts';
import { formatCount } from '#domain/money.ts';
import { isOutdated, isUnanswered } from '#domain/outcome.ts';
import { app as words } from '#messages/en/app.ts';
import css from './connection-line.module.css';
import { updatedAt } from './updated-at.ts';

/** A first pull that is done by then needs no word. */
const firstPullMs = 1_500;

function subscribeToOnline(notify: () => void): () => void {
  window.addEventListener('online', notify);
  window.addEventListener('offline', notify);
  return () => {
    window.removeEventListener('online', notify);
    window.removeEventListener('offline', notify);
  };
}

/** True once `isSo` has been for a while. */
function useLasting(isSo: boolean, ms: number): boolean {
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    setIsLasting(false);
    if (!isSo) return;
    const timer = setTimeout(() => setIsLasting(true), ms);
    return () => clearTimeout(timer);
  }, [isSo, ms]);
  return isSo && isLasting;
}

function Loading({ children }: { children: ReactNode }) {
  return (
    <p className={css.line}>
      <CloudDownload aria-hidden size={18} />
      <span>{children}</span>
    </p>
  );
}

/**
 * 'Offline · updated 14:32', for as long as the server has not answered, or does not accept who is
 * signed in here, and a press tries again; else that a first pull is under way, and how far it has come.
 */
export function ConnectionLine() {
  // The browser's word is a hint for this line and never a gate for the engine.
  const isOnline = useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
  const { lastFailure, progress, phase, isPaused } = useSyncStatus();
  const lastPulledAt = useLastPulledAt();
  const { isBusy, refresh } = useRefresh(() => undefined);
  const isBroken = lastFailure?.kind === 'malformed' || (lastFailure?.status ?? 0) >= 500;
  const isUnreached = isUnanswered(lastFailure) || isBroken;
  const mustUpdate = isOutdated(lastFailure);
  const isShown = !isOnline || isUnreached || isPaused || mustUpdate;
  const isFirst = useLasting(lastPulledAt === null && phase !== 'idle', firstPullMs);
  const notAnswered = isPaused && !isUnreached ? words.notAccepted : words.unreachable;
  const whatOnline = mustUpdate ? words.update.needed : notAnswered;
  const what = isOnline ? whatOnline : words.offline;
  const since = lastPulledAt
    ? words.updated(updatedAt(lastPulledAt, new Date()))
    : words.neverUpdated;
  return (
    <div role="status">
      {!isShown && progress !== null && <Loading>{words.progress(formatCount(progress))}</Loading>}
      {!isShown && progress === null && isFirst && <Loading>{words.firstPull}</Loading>}
      {isShown && (
        <button
          type="button"
          className={css.line}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && refresh()}
        >
          <WifiOff aria-hidden size={18} />
          <span>{isBusy ? words.trying : `${what} · ${since}`}</span>
          <span className="visually-hidden"> {words.tryAgain}</span>
          <RefreshCw aria-hidden size={16} />
        </button>
      )}
    </div>
  );
}
