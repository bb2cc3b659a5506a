import { CloudDownload, WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { isUnanswered } from '#domain/outcome.ts';
import { useLastPulledAt, useSyncStatus } from '#live/use-connection.ts';
import css from './connection-line.module.css';
import { words } from './words.ts';

function subscribeToOnline(notify: () => void): () => void {
  window.addEventListener('online', notify);
  window.addEventListener('offline', notify);
  return () => {
    window.removeEventListener('online', notify);
    window.removeEventListener('offline', notify);
  };
}

const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

const count = new Intl.NumberFormat('en-NG');

/**
 * 'Offline · updated 14:32', for as long as the server has not answered; else how far a first pull
 * of more than one page has come.
 */
export function ConnectionLine() {
  // The browser's word is a hint for this line and never a gate for the engine.
  const isOnline = useSyncExternalStore(subscribeToOnline, () => navigator.onLine);
  const { lastFailure, progress } = useSyncStatus();
  const lastPulledAt = useLastPulledAt();
  const isSilent = isUnanswered(lastFailure);
  const isBroken = lastFailure?.kind === 'malformed' || (lastFailure?.status ?? 0) >= 500;
  const isShown = !isOnline || isSilent || isBroken;
  const what = isOnline && isBroken ? words.unreachable : words.offline;
  const since = lastPulledAt
    ? words.updated(time.format(new Date(lastPulledAt)))
    : words.neverUpdated;
  return (
    <div role="status">
      {!isShown && progress !== null && (
        <p className={css.line}>
          <CloudDownload aria-hidden size={18} />
          <span>{words.progress(count.format(progress))}</span>
        </p>
      )}
      {isShown && (
        <p className={css.line}>
          <WifiOff aria-hidden size={18} />
          <span>
            {what} · {since}
          </span>
        </p>
      )}
    </div>
  );
}
